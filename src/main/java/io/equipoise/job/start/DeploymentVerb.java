package io.equipoise.job.start;

import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.Verb;
import io.equipoise.event.WireException;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import io.equipoise.job.topics.Brokers;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.watch.WatchRefusedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Connects to a deployment, runs a verb on it and writes its JSON. */
public abstract class DeploymentVerb extends Verb {
  private static final int REFUSED = 1;

  @Mixin private Launch launch = new Launch();
  @Mixin private JsonOutput json = new JsonOutput();

  @SuppressWarnings("unused") // the parser handles it; --version may have another meaning
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help message and exit.")
  private boolean isHelpWanted;

  private final int unusable;

  /** Takes the exit code of a verb that cannot use an option, a file or a topic. */
  protected DeploymentVerb(int unusable) {
    this.unusable = unusable;
  }

  /**
   * The deployment and the output of a verb.
   *
   * @param text for people: standard output unless JSON takes it
   * @param result the JSON object to fill
   */
  public record Deployment(
      JobConfig config, Admin admin, PrintWriter text, Map<String, @Nullable Object> result) {

    /** Prints a line for people at once. */
    public void say(String format, @Nullable Object... values) {
      text.printf(Locale.ROOT, format + "%n", values);
      text.flush();
    }
  }

  /** Refuses options before anything is read. */
  protected void checkOptions() {}

  /** Returns the topics that must exist. */
  protected abstract List<String> topics(Topics topics);

  /** Does the verb's work; returns the exit code. */
  protected abstract int runOn(Deployment deployment) throws IOException, InterruptedException;

  @Override
  public final Integer call() throws IOException, InterruptedException {
    checkOptions();
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    int code;
    try {
      JobConfig config = JobConfig.from(launch.configuration());
      try (Admin admin = Brokers.connect(config, topics(config.topics()))) {
        PrintWriter text = json.takesStandardOutput() ? err() : out();
        code = runOn(new Deployment(config, admin, text, result));
        text.flush();
      } catch (KafkaException e) {
        throw Brokers.failed(config, e);
      }
    } catch (WatchRefusedException e) {
      String why = command().qualifiedName() + ": " + e.code() + ": " + e.getMessage();
      code = failed(REFUSED, why);
      result.put("code", e.code().name());
      result.put("message", e.getMessage());
    } catch (StartRefusedException | SpecException | WireException | IllegalArgumentException e) {
      return failed(unusable, command().qualifiedName() + ": " + e.getMessage());
    }
    json.write(result, out());
    return code;
  }
}
