package io.equipoise.offline;

import io.equipoise.causal.bounds.BoundMode;
import io.equipoise.causal.bounds.BoundRecord;
import io.equipoise.causal.bounds.Confidence;
import io.equipoise.cli.InputPath;
import io.equipoise.cli.NumberLimit;
import io.equipoise.cli.OutputFile;
import io.equipoise.event.CausalBoundRules;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.Counted;
import io.equipoise.job.control.BoundsPublisher;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Brokers;
import io.equipoise.offline.bounds.BoundsFile;
import io.equipoise.offline.bounds.BoundsPlanRun;
import io.equipoise.offline.count.CountLayout;
import io.equipoise.offline.count.CountingJob;
import io.equipoise.offline.count.Counts;
import io.equipoise.offline.count.LogFile;
import io.equipoise.offline.count.SegmentLog;
import io.equipoise.segmentspec.CausalBoundsSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Computes causal bounds from a log: the verb {@code bounds}. */
@Command(
    name = "bounds",
    mixinStandardHelpOptions = true,
    customSynopsis = "${COMMAND-FULL-NAME} --spec=FILE (--input=FILE... | --topic=NAME) [OPTIONS]",
    description = {
      "Computes causal bounds for the streaming job: bounds on the mean reward of every arm in"
          + " every context, from a log that may be confounded and selected.",
      "Writes nothing unless it could read all rows.",
      "Exit code 0, 1 if a spec or a deployment is rejected, 2 if an option or a row is invalid."
    })
public final class BoundsCommand extends LogCommand {
  @Mixin private PopulationOptions populationOptions = new PopulationOptions();

  @Option(
      names = "--spec",
      required = true,
      paramLabel = "FILE",
      converter = InputPath.class,
      description = "Segment spec with the graph, variables and arms.")
  private Path specFile = Path.of("");

  @Option(
      names = "--selection",
      paramLabel = "NODE",
      description =
          "Node that says whether a row is in the log; latent in the spec. A column of its name"
              + " must be 1 in every row.")
  private @Nullable String selection;

  @Option(
      names = "--mode",
      defaultValue = "SOUND",
      description =
          "${COMPLETION-CANDIDATES}; only SOUND is valid in general. Default: "
              + "${DEFAULT-VALUE}.")
  private BoundMode mode = BoundMode.SOUND;

  @Option(
      names = "--delta",
      defaultValue = "0.05",
      description =
          "Probability that sampling makes any bound wrong; 0: shares are exact. Default:"
              + " ${DEFAULT-VALUE}.")
  private double delta;

  @Option(
      names = "--max-size",
      defaultValue = "3",
      description =
          "Largest set that is marginalized or set to extremes. Default: ${DEFAULT-VALUE}.")
  private int maxSize;

  @Option(
      names = "--mean-reward",
      description =
          "The reward is any number in its range, not only its two ends. Corrections for sampling"
              + " use an empirical Bernstein bound.")
  private boolean isMean;

  @Option(names = "--name", description = "Name of the set. Default: the one in the spec.")
  private @Nullable String name;

  @Option(
      names = "--number",
      defaultValue = "1",
      description = "Version of the set; a higher one replaces it. Default: ${DEFAULT-VALUE}.")
  private long number;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      converter = OutputFile.class,
      description = "Writes the bounds, one JSON object per line.")
  private @Nullable Path out;

  @Option(
      names = "--publish",
      description = "Publishes the bounds to the deployment of --config, in one transaction.")
  private boolean isPublished;

  @Override
  protected int run() throws IOException, InterruptedException {
    Configuration given = launch.configuration();
    key.keys();
    check(logOptions.fault(given));
    check(populationOptions.fault());
    check(maxSize < 0 ? "--max-size must be at least 0" : null);
    check(number < 1 ? "--number must be at least 1" : null);
    check(
        delta != 0 && !NumberLimit.DELTA.admits(delta)
            ? NumberLimit.DELTA.fault("--delta", delta) + ", or 0"
            : null);
    List<SegmentSpec> specs = SpecFiles.load(specFile);
    check(specs.size() > 1 ? "--spec must contain exactly one spec" : null);
    SegmentSpec spec = specs.get(0);
    CausalBoundsSpec causalBounds = spec.policy().causalBounds();
    String setName = name != null ? name : causalBounds != null ? causalBounds.name() : null;
    if (setName == null) {
      throw usage("set --name: the spec names no set of causal bounds");
    }
    check(CausalBoundRules.faultOfName(setName).map(it -> "--name: " + it).orElse(null));
    JobConfig deployment = isPublished ? JobConfig.from(given) : null;
    if (deployment != null) {
      Brokers.connect(deployment, List.of(deployment.topics().causalBounds())).close();
    }
    BoundsPlanRun task =
        BoundsPlanRun.of(spec, selection, mode, maxSize, populationOptions.measured(spec), isMean);
    say("counting over " + task.plan().scopes().stream().map(it -> it.variables()).toList());
    Counts census = census(task, given);
    Counts counts =
        logOptions.count(
            task.layout(), spec, key, given, rows -> say(Counted.of(rows, "rows read")));
    List<BoundRecord> records = task.evaluate(counts, census, new Confidence(delta));
    CausalBoundSet set = task.causalBounds(setName, number, records);
    if (out != null) {
      BoundsFile.write(set, out);
    }
    if (deployment != null) {
      new BoundsPublisher(deployment).publish(set);
    }
    BoundsReport report = new BoundsReport(task, counts, census, set);
    print(report.lines(), report.json());
    return 0;
  }

  private Counts census(BoundsPlanRun task, Configuration given) throws IOException {
    CountLayout countLayout = task.census();
    LogFile logFile = populationOptions.log();
    if (logFile != null && countLayout == null) {
      say("the census has no variables that the bounds need; it is not read");
    }
    return logFile == null || countLayout == null
        ? Counts.none()
        : new CountingJob(
                LogOptions.environment(given),
                countLayout.weightedBy(populationOptions.weight()),
                new SegmentLog(task.spec().text(), key.files(), null, Map.of()))
            .run(logFile, rows -> say(Counted.of(rows, "rows of the census read")));
  }
}
