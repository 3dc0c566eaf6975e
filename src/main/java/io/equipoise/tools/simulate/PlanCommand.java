package io.equipoise.tools.simulate;

import io.equipoise.cli.InputFile;
import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.NumberLimit;
import io.equipoise.cli.OutputFile;
import io.equipoise.cli.Verb;
import io.equipoise.job.check.CertificatePlan;
import io.equipoise.job.check.CertificatePlan.People;
import io.equipoise.job.check.CheckpointBudget.Load;
import io.equipoise.job.check.SpecPaths;
import io.equipoise.segment.SpecTrial;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.segmentspec.SpecVariable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Forecasts the decisions that the first certificates of a spec need: the verb {@code plan}. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = {
      "Forecasts from specs alone how many decisions the first certificates need, who waits"
          + " longest, how many decisions the fallback serves until then, and what would help.",
      "Exit code 0, 1 if a spec is rejected, 2 if an option or a file is invalid."
    })
public final class PlanCommand extends Verb {
  private static final double BYTES_A_SECOND = 1e8;

  @Mixin private SpecPaths specs = new SpecPaths();
  @Mixin private JsonOutput json = new JsonOutput();

  @Option(
      names = "--people",
      paramLabel = "CSV",
      converter = InputFile.class,
      description =
          "Table of people with a header of variables, for the shares of the levels. Default: the"
              + " distributions of the spec, uniform where it has none.")
  private @Nullable Path peopleFile;

  @Option(
      names = "--base-rate",
      paramLabel = "REWARD",
      description = "Mean reward. Default: the middle of reward.range, which needs most.")
  private @Nullable Double baseRate;

  @Option(
      names = "--effect",
      paramLabel = "REWARD",
      defaultValue = "0",
      description =
          "Assumed size of the true effect of each sensitive attribute. Default: ${DEFAULT-VALUE}.")
  private double effect;

  @Option(
      names = "--answered",
      paramLabel = "SHARE",
      defaultValue = "1",
      description = "Share of the decisions whose reward arrives. Default: ${DEFAULT-VALUE}.")
  private double answered;

  @Option(
      names = "--rate",
      paramLabel = "R",
      defaultValue = Load.RATE,
      description = "Decisions per second in each segment. Default: ${DEFAULT-VALUE}.")
  private double rate;

  @Option(
      names = "--delay",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "Mean delay of a reward. Default: ${DEFAULT-VALUE}.")
  private double delay;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      converter = OutputFile.class,
      description = "Writes a page with tables and curves.")
  private @Nullable Path html;

  @Override
  public Integer call() throws IOException {
    refuseImpossible();
    SpecFiles.LoadedSpecs<CompiledSpec> found =
        SpecFiles.readEach(specs.list(), (path, spec) -> SpecTrial.passed(spec));
    if (!found.faults().isEmpty()) {
      SpecPaths.print(found.faults(), err());
      return 1;
    }
    List<PlanReport> reports = new ArrayList<>();
    for (CompiledSpec compiled : found.specs()) {
      reports.add(report(compiled));
    }
    print(
        reports.stream().flatMap(report -> report.lines().stream()).toList(),
        Map.of("specs", reports.stream().map(PlanReport::json).toList()),
        json);
    if (html != null) {
      PlanReport.write(reports, html);
    }
    return 0;
  }

  private void refuseImpossible() {
    String fault =
        !NumberLimit.RATE.admits(rate)
            ? NumberLimit.RATE.fault("--rate", rate)
            : !NumberLimit.DELAY.admits(delay)
                ? NumberLimit.DELAY.fault("--delay", delay)
                : !(answered > 0 && answered <= 1)
                    ? "--answered must be above 0 and at most 1"
                    : !(effect >= 0 && effect < Double.POSITIVE_INFINITY)
                        ? "--effect must be at least 0"
                        : null;
    refuse(fault);
  }

  private PlanReport report(CompiledSpec compiled) throws IOException {
    SegmentSpec spec = compiled.spec();
    People people = people(spec);
    Optional<CertificatePlan> plan = CertificatePlan.of(compiled.policy(), people);
    return new PlanReport(compiled, people, plan.orElse(null), new Load(rate, 1, BYTES_A_SECOND));
  }

  private People people(SegmentSpec spec) throws IOException {
    People known;
    try {
      known = People.of(spec).withBaseRate(spec, baseRate);
    } catch (IllegalArgumentException e) {
      throw refused(e.getMessage());
    }
    return new People(
            peopleFile == null ? known.shares() : shares(spec, peopleFile),
            known.baseRate(),
            effect,
            answered,
            0)
        .withDelay(spec, delay, rate);
  }

  private Map<String, List<Double>> shares(SegmentSpec spec, Path file) throws IOException {
    try {
      List<Map<String, Object>> rows = PeopleFile.read(file, spec).rows();
      Map<String, List<Double>> shares = new HashMap<>();
      for (int place : spec.variables().sensitive()) {
        SpecVariable attribute = spec.variables().features().get(place);
        double[] counts = new double[attribute.disclosedLevels()];
        for (Map<String, Object> row : rows) {
          int level = level(attribute, row.get(attribute.name()));
          if (level >= 0 && level < counts.length) {
            counts[level] += 1.0 / rows.size();
          }
        }
        List<Double> byLevel = new ArrayList<>();
        for (double count : counts) {
          byLevel.add(count);
        }
        shares.put(attribute.name(), byLevel);
      }
      return shares;
    } catch (WorldException e) {
      throw refused(e.getMessage());
    }
  }

  private static int level(SpecVariable attribute, @Nullable Object value) {
    return value == null
        ? -1
        : value instanceof Double number
            ? attribute.binOf(number)
            : attribute.indexOf(value.toString());
  }
}
