package io.equipoise.tools.soak;

import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.OutputFile;
import io.equipoise.segmentspec.IdleStateSpec.Retain;
import io.equipoise.tools.EmbeddedDeployment;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code soak}. */
@Command(
    name = "soak",
    mixinStandardHelpOptions = true,
    description = {
      "Runs broker, cluster and job in this JVM under a load with new "
          + "segments that soon become idle, and measures whether heap, state, "
          + "checkpoints, threads and files grow.",
      "Exit code 0 if nothing grows, 1 if something grows, 2 if the run was "
          + "too short or the job failed."
    })
public final class SoakCommand implements Callable<Integer> {
  private static final int GROWS = 1;
  private static final int NOT_CHECKED = 2;
  private static final double SECONDS_A_MINUTE = 60;

  /** The values of {@code --keep}. */
  enum Rule {
    NOTHING,
    MODEL,
    NEVER;

    @Nullable Retain keep() {
      return this == NEVER ? null : this == MODEL ? Retain.MODEL : Retain.NONE;
    }
  }

  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private JsonOutput json = new JsonOutput();

  @Option(
      names = "--minutes",
      defaultValue = "5",
      description = "Duration of the load. Default: ${DEFAULT-VALUE}.")
  private double minutes;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "200",
      description = "Contexts per second. Default: ${DEFAULT-VALUE}.")
  private int rate;

  @Option(
      names = "--churn",
      paramLabel = "N",
      defaultValue = "10",
      description = "New segments per second. Default: ${DEFAULT-VALUE}.")
  private double churn;

  @Option(
      names = "--life",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "How long a segment receives contexts. Default: ${DEFAULT-VALUE}.")
  private int lifeSeconds;

  @Option(
      names = "--idle-after",
      paramLabel = "SECONDS",
      defaultValue = "15",
      description = "The spec's idle-state.after, at least 10. Default: ${DEFAULT-VALUE}.")
  private int idleSeconds;

  @Option(
      names = "--keep",
      paramLabel = "nothing|model|never",
      defaultValue = "nothing",
      description =
          "The spec's idle-state.retain; never omits the rule. Default: ${DEFAULT-VALUE}.")
  private Rule rule = Rule.NOTHING;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description = "Time between samples, each with a full GC. Default: ${DEFAULT-VALUE}.")
  private int everySeconds;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Seed of people and segments. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      converter = OutputFile.class,
      description = "Draws all samples to this file: SVG by its extension, otherwise PNG.")
  private @Nullable Path plot;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "Sets an option of the job or of Flink. Can be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  /** Returns the exit code. */
  @Override
  public Integer call() throws InterruptedException, IOException {
    SoakPlan plan = plan();
    PrintWriter err = command.commandLine().getErr();
    SoakResult result;
    try {
      result = soak(plan, err);
    } catch (IllegalStateException e) {
      err.println("equipoise soak: no result: " + e.getMessage());
      err.flush();
      return NOT_CHECKED;
    }
    PrintWriter out = command.commandLine().getOut();
    PrintWriter text = json.takesStandardOutput() ? err : out;
    result.lines().forEach(text::println);
    text.flush();
    json.write(result.json(), out);
    if (plot != null) {
      boolean isVector = plot.toString().toLowerCase(Locale.ROOT).endsWith(".svg");
      result.figure().write(plot, isVector);
    }
    return result.isFlat() ? 0 : result.hasVerdict() ? GROWS : NOT_CHECKED;
  }

  private SoakPlan plan() {
    if (minutes <= 0 || rate < 1 || churn <= 0 || lifeSeconds < 1 || everySeconds < 1) {
      throw new ParameterException(
          command.commandLine(), "--minutes, --rate, --churn, --life and --every must be positive");
    }
    Duration remembered = SoakPlan.HORIZON.multipliedBy(2);
    if (idleSeconds < remembered.toSeconds()) {
      throw new ParameterException(
          command.commandLine(),
          "--idle-after must be at least %d, the dedup window of decisions"
              .formatted(remembered.toSeconds()));
    }
    return new SoakPlan(
        Duration.ofMillis(Math.round(minutes * SECONDS_A_MINUTE * 1000)),
        rate,
        churn,
        Duration.ofSeconds(lifeSeconds),
        Duration.ofSeconds(everySeconds),
        Duration.ofSeconds(idleSeconds),
        rule.keep(),
        seed);
  }

  private SoakResult soak(SoakPlan plan, PrintWriter progress) throws InterruptedException {
    List<ResourceSample> samples = new ArrayList<>();
    try (EmbeddedDeployment cluster = SoakCluster.start(plan, Configuration.fromMap(settings));
        Meter meter = new Meter(cluster);
        SoakTraffic traffic =
            new SoakTraffic(plan, cluster.config(), cluster.specs().get(0), Clock.systemUTC())) {
      traffic.start();
      while (traffic.seconds() < plan.length().toMillis() / 1e3) {
        Thread.sleep(plan.every().toMillis());
        traffic.check();
        if (cluster.run().hasEnded()) {
          throw new IllegalStateException(
              "the job ended: " + cluster.run().failure().orElse("without a reason"));
        }
        meter.sample(traffic).ifPresent(samples::add);
        log(samples, progress);
      }
      if (samples.isEmpty()) {
        throw new IllegalStateException("no checkpoint completed in time; increase --minutes");
      }
      return new SoakResult(plan, samples, traffic.contexts());
    }
  }

  private static void log(List<ResourceSample> samples, PrintWriter progress) {
    if (!samples.isEmpty()) {
      ResourceSample last = samples.get(samples.size() - 1);
      progress.printf(
          Locale.ROOT,
          "%4.0f s: %d segments, heap %.0f MB, state %.2f MB in %d ms, %d threads, %d files, %d"
              + " behind%n",
          last.seconds(),
          last.segments(),
          last.heapBytes() / 1e6,
          last.stateBytes() / 1e6,
          last.checkpointMillis(),
          last.threads(),
          last.files(),
          last.lag());
      progress.flush();
    }
  }
}
