package io.equipoise.offline.decompose;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.DistributionException;
import io.equipoise.causal.effect.GapParts;
import io.equipoise.causal.effect.GapParts.Level;
import io.equipoise.cli.CsvFile;
import io.equipoise.cli.GraphText;
import io.equipoise.cli.InputPath;
import io.equipoise.cli.NumberLimit;
import io.equipoise.event.Counted;
import io.equipoise.event.Decimal;
import io.equipoise.event.GapPartKind;
import io.equipoise.offline.LogCommand;
import io.equipoise.offline.count.CountLayout;
import io.equipoise.offline.count.CountedVariable;
import io.equipoise.offline.count.Counts;
import io.equipoise.offline.decompose.Decomposition.Scale;
import io.equipoise.policy.split.SplitLevels;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.RewardRule;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.segmentspec.SpecVariable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Decomposes the gap between two groups into parts: the verb {@code decompose}. */
@Command(
    name = "decompose",
    mixinStandardHelpOptions = true,
    customSynopsis = {
      "${COMMAND-FULL-NAME} --input=FILE --attribute=C --outcome=C [OPTIONS]",
      "   or: ${COMMAND-FULL-NAME} --spec=FILE (--input=FILE | --topic=NAME) [OPTIONS]"
    },
    description = {
      "Decomposes the gap between two groups' mean outcomes into parts that add up to it, in causal"
          + " order: who comes (spurious), what they bring (indirect), what is decided (policy),"
          + " and the attribute itself (direct).",
      "Reads a CSV file of a random sample. With --spec it reads a log of the job, or a CSV file"
          + " with the spec's variables: the spec and its graph say what is matched, the outcome is"
          + " the learned reward, and the decision is the arm.",
      "Exit code 0, 1 if a group is too small or the graph does not identify a part, 2 if an option"
          + " or a row is invalid."
    })
public final class DecomposeCommand extends LogCommand {
  private static final String PATH =
      "; * is the world with another %s. Name what the path passes in --mediators or --confounders,"
          + " or remove its <-> if there is no such cause";

  private static final String OF_CSV =
      "--outcome --positive --range --confounders --mediators --decision --after --bins --graph --all";

  @Option(
      names = "--spec",
      paramLabel = "FILE",
      converter = InputPath.class,
      description = "Segment spec of the log.")
  private @Nullable Path specFile;

  @Option(
      names = "--attribute",
      paramLabel = "COLUMN",
      description = "Column of the groups. Default: the spec's only sensitive variable.")
  private @Nullable String attribute;

  @Option(names = "--outcome", paramLabel = "COLUMN", description = "Column of the outcome.")
  private @Nullable String outcome;

  @Option(
      names = "--positive",
      paramLabel = "VALUE",
      description = "Value of the outcome that counts 1; others count 0.")
  private @Nullable String positive;

  @Option(
      names = "--range",
      split = ",",
      paramLabel = "N",
      defaultValue = "0,1",
      description = "Least and greatest outcome. Default: 0,1.")
  private List<String> range = new ArrayList<>();

  @Option(
      names = "--reference",
      paramLabel = "LEVEL",
      description =
          "Group to compare all others with, in both directions. Default: the one with most rows.")
  private @Nullable String reference;

  @Option(
      names = "--confounders",
      split = ",",
      paramLabel = "C,...",
      hideParamSyntax = true,
      description = "Columns that do not descend from the attribute; matched together.")
  private List<String> confounders = new ArrayList<>();

  @Option(
      names = "--mediators",
      split = ",",
      paramLabel = "C,...",
      hideParamSyntax = true,
      description =
          "Columns between the attribute and the decision, causes first, matched one after another;"
              + " a*b are matched together.")
  private List<String> mediators = new ArrayList<>();

  @Option(names = "--decision", paramLabel = "COLUMN", description = "Column of the decision.")
  private @Nullable String decision;

  @Option(
      names = "--after",
      split = ",",
      paramLabel = "C,...",
      hideParamSyntax = true,
      description = "Mediators that follow the decision, causes first.")
  private List<String> after = new ArrayList<>();

  @Option(
      names = "--bins",
      paramLabel = "COLUMN=CUTS",
      description = "Cuts numbers: age=25,45 makes 3 bins. Repeatable.")
  private List<String> bins = new ArrayList<>();

  @Option(
      names = "--delta",
      defaultValue = "0.05",
      description = "Error probability of each interval. Default: ${DEFAULT-VALUE}.")
  private double delta;

  @Option(
      names = "--graph",
      description =
          "A causal graph over the columns, as the verb causal reads it; refuses parts that it does"
              + " not identify.")
  private @Nullable String graph;

  @Option(
      names = "--all",
      description =
          "Also prints the literature's measures, with names and signs; for two levels, without"
              + " --decision and --after.")
  private boolean isAll;

  @Override
  protected int run() throws IOException, InterruptedException {
    check(NumberLimit.DELTA.fault("--delta", delta));
    return specFile == null ? ofCsv() : ofLog(specFile);
  }

  private int ofCsv() throws IOException {
    check(logOptions.fault(new Configuration()));
    Path input = logOptions.onlyCsv();
    if (input == null) {
      throw usage("give one CSV file in --input, or a log and its --spec");
    }
    if (attribute == null || outcome == null) {
      throw usage("a CSV file requires --attribute and --outcome");
    }
    List<Level> levels = levels();
    List<String> matched = levels.stream().flatMap(it -> it.variables().stream()).toList();
    Map<String, double[]> cuts = cuts(matched);
    NumberRange ends = ends();
    check(matched);
    CausalGraph read = graph == null ? null : GraphText.read(graph);
    if (read != null) {
      Optional<String> violation = GapParts.violation(read, attribute, outcome, levels);
      if (violation.isPresent()) {
        throw new IllegalArgumentException(
            "the graph does not identify the parts: "
                + violation.get()
                + (violation.get().contains("*") ? PATH.formatted(attribute) : ""));
      }
    }
    PeopleTable.Roles roles =
        new PeopleTable.Roles(
            attribute, outcome, positive, matched, cuts, logOptions.weight(), ends);
    return print(outcome, attribute, levels, ends, PeopleTable.read(input, roles), read);
  }

  private int print(
      String outcome,
      String attribute,
      List<Level> levels,
      NumberRange ends,
      PeopleTable table,
      @Nullable CausalGraph graph) {
    List<String> notes = new ArrayList<>();
    if (logOptions.weight() != null) {
      notes.add(
          "Each row counts as so many people as its %s says; with survey weights the intervals would be too short."
              .formatted(logOptions.weight()));
    }
    if (specFile != null) {
      notes.add(
          "The arms are compared without matching in time: where the policy learned meanwhile, trust"
              + " the live split (fairness.split) more.");
    }
    DecomposeReport report =
        new DecomposeReport(
            outcome, positive, attribute, levels, new Scale(ends, delta), table, graph, notes);
    String fault = report.compare(reference, isAll);
    if (fault != null) {
      throw new IllegalArgumentException(fault);
    }
    print(report.lines, report.json());
    return 0;
  }

  private int ofLog(Path file) throws IOException, InterruptedException {
    for (String option : OF_CSV.split(" ", -1)) {
      if (command.commandLine().getParseResult().hasMatchedOption(option)) {
        throw usage(option + " is for CSV files without --spec; the spec declares it");
      }
    }
    Configuration given = launch.configuration();
    check(logOptions.fault(given));
    List<SegmentSpec> specs = SpecFiles.load(file);
    check(specs.size() > 1 ? "--spec must contain exactly one spec" : null);
    SegmentSpec spec = specs.get(0);
    check(logOptions.faultOfOneSegment(spec));
    SpecVariable sensitive = attribute(spec);
    SplitLevels split = new SplitLevels(spec, spec.variables().features().indexOf(sensitive));
    List<Level> levels = split.matched();
    List<SpecVariable> counted = new ArrayList<>();
    levels.forEach(it -> it.variables().forEach(name -> counted.add(spec.variables().named(name))));
    counted.add(sensitive);
    Counts counts =
        logOptions.count(
            layout(spec, counted), spec, key, given, rows -> say(Counted.of(rows, "rows read")));
    NumberRange ends = spec.reward().range();
    List<Integer> disclosed = counted.stream().map(SpecVariable::disclosedLevels).toList();
    return print(
        spec.variables().reward().name(),
        sensitive.name(),
        levels,
        ends,
        PeopleTable.of(counts, disclosed, ends),
        split.graph());
  }

  private SpecVariable attribute(SegmentSpec spec) {
    List<SpecVariable> sensitive =
        spec.variables().sensitive().stream().map(spec.variables().features()::get).toList();
    List<SpecVariable> asked =
        sensitive.stream().filter(it -> attribute == null || it.name().equals(attribute)).toList();
    if (asked.size() != 1) {
      throw new DistributionException(
          "name one sensitive variable of the spec in --attribute: "
              + sensitive.stream().map(SpecVariable::name).toList());
    }
    if (!spec.reward().bounded()) {
      throw new DistributionException(
          "the spec's reward.range does not limit single rewards (bounded: false), so their gap has"
              + " no interval");
    }
    return asked.get(0);
  }

  /** Counts the variables that the live split would match, the attribute, and the reward. */
  private static CountLayout layout(SegmentSpec spec, List<SpecVariable> counted) {
    String reward = spec.variables().reward().name();
    NumberRange ends = spec.reward().range();
    List<CountedVariable> all = new ArrayList<>();
    counted.forEach(it -> all.add(CountedVariable.of(it).orMissing()));
    all.add(CountedVariable.binary(reward, ends.low(), ends.high()));
    return CountLayout.of(all, List.of(all.stream().map(CountedVariable::name).toList()), null)
        .withMean(reward);
  }

  /** Returns the levels in causal order. */
  private List<Level> levels() {
    List<Level> levels = new ArrayList<>();
    if (!confounders.isEmpty()) {
      levels.add(level(String.join("*", confounders), GapPartKind.SPURIOUS));
    }
    mediators.forEach(it -> levels.add(level(it, GapPartKind.INDIRECT)));
    if (decision != null) {
      levels.add(new Level(decision, GapPartKind.POLICY, List.of(decision)));
    }
    after.forEach(it -> levels.add(level(it, GapPartKind.INDIRECT)));
    return levels;
  }

  private static Level level(String joined, GapPartKind kind) {
    return new Level(joined, kind, List.of(joined.split("\\*", -1)));
  }

  private void check(List<String> matched) {
    Set<String> seen = new HashSet<>();
    Stream<String> others = Stream.of(attribute, outcome, logOptions.weight());
    List<String> all = Stream.concat(matched.stream(), others.filter(Objects::nonNull)).toList();
    for (String name : all) {
      if (name.isEmpty()) {
        throw usage("a list of columns has an empty name; write a,b or a*b");
      }
      if (!seen.add(name)) {
        throw usage("column \"" + name + "\" is named twice; every column has one role");
      }
    }
    if (!after.isEmpty() && decision == null) {
      throw usage("--after requires --decision; name mediators of no decision in --mediators");
    }
    if (positive != null && CsvFile.isMissing(positive)) {
      throw usage(
          "--positive \"%s\": this stands for no value, and rows without an outcome are left out; give the outcome a value there"
              .formatted(positive));
    }
    if (isAll && decision != null) {
      throw usage("--all knows confounders and mediators only; leave out --decision and --after");
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

  private NumberRange ends() {
    double[] ends = numbers(range);
    if (ends.length != 2 || !isIncreasing(ends)) {
      throw usage("--range must be two increasing numbers, such as 0,1");
    }
    NumberRange between = new NumberRange(ends[0], ends[1]);
    String fault = RewardRule.faultOf(between);
    if (fault != null) {
      throw usage("--range %s,%s: %s".formatted(Field.shown(ends[0]), Field.shown(ends[1]), fault));
    }
    if (positive != null && command.commandLine().getParseResult().hasMatchedOption("--range")) {
      throw usage("--positive makes the outcome 0 or 1; leave out --range");
    }
    return between;
  }

  private static double[] numbers(List<String> texts) {
    return texts.stream().mapToDouble(it -> Decimal.of(it.strip())).toArray();
  }

  private static boolean isIncreasing(double[] numbers) {
    return Arrays.stream(numbers).noneMatch(Double::isNaN)
        && IntStream.range(1, numbers.length).allMatch(i -> numbers[i - 1] < numbers[i]);
  }
}
