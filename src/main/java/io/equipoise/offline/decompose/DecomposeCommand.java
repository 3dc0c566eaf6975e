package io.equipoise.offline.decompose;

import io.equipoise.causal.DistributionException;
import io.equipoise.causal.GraphException;
import io.equipoise.causal.effect.GapParts;
import io.equipoise.cli.GraphText;
import io.equipoise.cli.InputFile;
import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.NumberLimit;
import io.equipoise.event.Decimal;
import io.equipoise.offline.decompose.Decomposition.Kind;
import io.equipoise.offline.decompose.Decomposition.Level;
import io.equipoise.offline.decompose.Decomposition.Scale;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code decompose}. */
@Command(
    name = "decompose",
    mixinStandardHelpOptions = true,
    description = {
      "Decomposes the gap between two groups' mean outcomes into parts in causal order: who comes"
          + " (spurious), what they bring (indirect), what is decided (policy), and the attribute"
          + " itself (direct). The parts add up to the gap.",
      "Reads a CSV file of a random sample, and compares every other level of the attribute with"
          + " the reference, in both directions. Names in a list are matched one after another;"
          + " write a*b for names that are matched together.",
      "Exit code 0, 1 if a group is too small or the graph does not identify a part, 2 if an option"
          + " or a row is invalid."
    })
public final class DecomposeCommand implements Callable<Integer> {
  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private JsonOutput json = new JsonOutput();

  @Option(
      names = "--input",
      required = true,
      paramLabel = "CSV",
      converter = InputFile.class,
      description = "The rows, with a heading.")
  private Path input = Path.of("");

  @Option(names = "--attribute", required = true, description = "The column with the groups.")
  private String attribute = "";

  @Option(names = "--outcome", required = true, description = "The column with the outcome.")
  private String outcome = "";

  @Option(
      names = "--positive",
      paramLabel = "VALUE",
      description = "The outcome counts 1 where it is this value, and 0 elsewhere.")
  private @Nullable String positive;

  @Option(
      names = "--range",
      split = ",",
      paramLabel = "N",
      defaultValue = "0,1",
      description = "Least and greatest value of an outcome of numbers. Default: 0,1.")
  private List<String> range = new ArrayList<>();

  @Option(
      names = "--reference",
      paramLabel = "LEVEL",
      description = "The group that the others are compared with. Default: the one with most rows.")
  private @Nullable String reference;

  @Option(
      names = "--confounders",
      split = ",",
      paramLabel = "COLUMN",
      description = "Columns that do not descend from the attribute; matched together.")
  private List<String> confounders = new ArrayList<>();

  @Option(
      names = "--mediators",
      split = ",",
      paramLabel = "COLUMN",
      description = "Columns between the attribute and the decision, causes first.")
  private List<String> mediators = new ArrayList<>();

  @Option(names = "--decision", paramLabel = "COLUMN", description = "The column of the decision.")
  private @Nullable String decision;

  @Option(
      names = "--after",
      split = ",",
      paramLabel = "COLUMN",
      description = "Mediators that follow the decision, causes first.")
  private List<String> after = new ArrayList<>();

  @Option(
      names = "--bins",
      paramLabel = "COLUMN=CUTS",
      description = "Where numbers of a column are cut: age=25,45 makes three bins. Repeatable.")
  private List<String> bins = new ArrayList<>();

  @Option(
      names = "--weight",
      paramLabel = "COLUMN",
      description = "The column with the number of rows that a row represents.")
  private @Nullable String weight;

  @Option(
      names = "--delta",
      defaultValue = "0.05",
      description = "Error probability of each interval. Default: ${DEFAULT-VALUE}.")
  private double delta;

  @Option(
      names = "--graph",
      description =
          "A causal graph over the columns, as the verb causal reads it: refuses parts that it does"
              + " not identify.")
  private @Nullable String graph;

  @Option(
      names = "--all",
      description =
          "Also prints the measures of the literature, with their names and signs. The attribute"
              + " must have two levels, and there is no --decision and no --after.")
  private boolean isAll;

  /** Returns the exit code. */
  @Override
  public Integer call() throws IOException {
    PrintWriter out = command.commandLine().getOut();
    PrintWriter err = command.commandLine().getErr();
    List<Level> levels = levels();
    List<String> matched = levels.stream().flatMap(it -> names(it.name()).stream()).toList();
    Map<String, double[]> cuts = cuts(matched);
    Scale scale = scale();
    check(matched);
    try {
      Optional<String> violation = violation(levels);
      if (violation.isPresent()) {
        err.println(command.qualifiedName() + ": " + violation.get());
        return 1;
      }
      PeopleTable table =
          PeopleTable.read(
              input,
              new PeopleTable.Roles(
                  attribute, outcome, positive, matched, cuts, weight, scale.low(), scale.high()));
      String title = outcome + (positive == null ? "" : " " + positive);
      DecomposeReport report =
          new DecomposeReport(title, attribute, delta, levels, scale, table, graph != null);
      String fault = report.compare(reference, isAll);
      if (fault != null) {
        err.println(command.qualifiedName() + ": " + fault);
        return 1;
      }
      if (!json.takesStandardOutput()) {
        report.lines().forEach(out::println);
        out.flush();
      }
      json.write(report.json(), out);
      return 0;
    } catch (DistributionException | GraphException e) {
      err.println(command.qualifiedName() + ": " + e.getMessage());
      return command.exitCodeOnInvalidInput();
    }
  }

  /** Returns the levels in causal order. */
  private List<Level> levels() {
    List<Level> levels = new ArrayList<>();
    if (!confounders.isEmpty()) {
      levels.add(level(String.join("*", confounders), Kind.SPURIOUS));
    }
    mediators.forEach(it -> levels.add(level(it, Kind.INDIRECT)));
    if (decision != null) {
      levels.add(new Level(decision, Kind.POLICY, 1));
    }
    after.forEach(it -> levels.add(level(it, Kind.INDIRECT)));
    return levels;
  }

  private static Level level(String joined, Kind kind) {
    return new Level(joined, kind, names(joined).size());
  }

  private static List<String> names(String joined) {
    return List.of(joined.split("\\*", -1));
  }

  private void check(List<String> matched) {
    Set<String> seen = new HashSet<>();
    List<String> all = new ArrayList<>(matched);
    all.add(attribute);
    all.add(outcome);
    if (weight != null) {
      all.add(weight);
    }
    for (String name : all) {
      if (!seen.add(name)) {
        throw usage("column \"" + name + "\" is named twice; every column has one role");
      }
    }
    if (!after.isEmpty() && decision == null) {
      throw usage("--after requires --decision; name mediators of no decision in --mediators");
    }
    if (isAll && decision != null) {
      throw usage("--all knows confounders and mediators only; leave out --decision and --after");
    }
    if (!NumberLimit.DELTA.admits(delta)) {
      throw usage(NumberLimit.DELTA.fault("--delta", delta));
    }
  }

  private Map<String, double[]> cuts(List<String> matched) {
    Map<String, double[]> cuts = new HashMap<>();
    for (String bin : bins) {
      int equals = bin.indexOf('=');
      String name = bin.substring(0, Math.max(0, equals));
      double[] at = numbers(List.of(bin.substring(equals + 1).split(",", -1)));
      if (!matched.contains(name) || !isIncreasing(at) || cuts.put(name, at) != null) {
        throw usage(
            "--bins %s: write COLUMN=CUTS once for a matched column, with increasing numbers, such"
                    .formatted(bin)
                + " as age=25,45");
      }
    }
    return cuts;
  }

  private Scale scale() {
    double[] ends = numbers(range);
    if (ends.length != 2 || !isIncreasing(ends)) {
      throw usage("--range must be two increasing numbers, such as 0,1");
    }
    boolean isGiven = command.commandLine().getParseResult().hasMatchedOption("--range");
    if (isGiven && positive != null) {
      throw usage("--positive makes the outcome 0 or 1; leave out --range");
    }
    double quantile = -new NormalDistribution(null, 0, 1).inverseCumulativeProbability(delta / 2);
    return new Scale(ends[0], ends[1], quantile);
  }

  private static double[] numbers(List<String> texts) {
    return texts.stream().mapToDouble(it -> Decimal.of(it.strip())).toArray();
  }

  private static boolean isIncreasing(double[] numbers) {
    for (int i = 1; i < numbers.length; i++) {
      if (!(numbers[i] > numbers[i - 1])) {
        return false;
      }
    }
    return Arrays.stream(numbers).noneMatch(Double::isNaN);
  }

  private Optional<String> violation(List<Level> levels) throws IOException {
    if (graph == null) {
      return Optional.empty();
    }
    return GapParts.violation(
            GraphText.read(graph),
            attribute,
            outcome,
            confounders.stream().flatMap(it -> names(it).stream()).toList(),
            mediators.stream().flatMap(it -> names(it).stream()).toList(),
            levels.stream()
                .filter(it -> it.kind() != Kind.SPURIOUS)
                .map(it -> names(it.name()))
                .toList())
        .map(it -> "the graph does not identify the parts: " + it);
  }

  private ParameterException usage(@Nullable String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
