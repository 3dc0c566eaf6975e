package io.equipoise.tools.watch;

import io.equipoise.cli.InvalidOptionsException;
import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.Verb;
import io.equipoise.event.WatchRecord;
import io.equipoise.event.WireException;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.control.WatchPublisher;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.start.Launch;
import io.equipoise.job.topics.Brokers;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.watch.WatchRefusedException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Connects to a deployment, runs a verb {@code watch} and writes its JSON. */
abstract class WatchVerb extends Verb {
  /** A test that is wrong more often than a coin is none. */
  private static final double MOST_ALPHA = 0.5;

  private static final double LEAST_ALPHA = 1e-6;

  private static final int REFUSED = 1;
  private static final int UNUSABLE = 2;

  /** The least share of a width that differs from 0; the same as for a spec's tau. */
  private static final double LEAST_SHARE = 1e-9;

  @Mixin private Launch launch = new Launch();
  @Mixin private JsonOutput json = new JsonOutput();

  @SuppressWarnings("unused") // the parser handles it
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help message and exit.")
  private boolean isHelpWanted;

  /**
   * The deployment and the output of a verb.
   *
   * @param text for people: standard output unless JSON takes it
   * @param result the JSON object to fill
   */
  record Session(
      JobConfig config, Admin admin, PrintWriter text, Map<String, @Nullable Object> result) {

    /** Prints a line for people at once. */
    void say(String format, @Nullable Object... values) {
      text.printf(Locale.ROOT, format + "%n", values);
      text.flush();
    }

    /** Registers the records that a rule derives from the ledger, and reports their ids. */
    List<WatchRecord> register(Function<WatchLedger, List<WatchRecord>> rule)
        throws InterruptedException {
      WatchPublisher.create(admin, config);
      List<WatchRecord> records = WatchPublisher.register(config, rule);
      result.put("ids", records.stream().map(WatchRecord::id).toList());
      return records;
    }
  }

  /**
   * Refuses a limit that no difference of means exceeds, or that is 0 in all but name.
   *
   * @param width greatest difference
   */
  final void refuseMeaningless(String option, double limit, double width) {
    require(
        limit < width && (limit == 0 || limit >= LEAST_SHARE * width),
        "%s: %s given; allowed: 0, and from %s to less than %s, which no difference exceeds"
            .formatted(
                option, Field.shown(limit), Field.shown(LEAST_SHARE * width), Field.shown(width)));
  }

  final void require(boolean isAllowed, String fault) {
    refuse(isAllowed ? null : fault);
  }

  final void requireAlpha(double alpha) {
    require(
        alpha >= LEAST_ALPHA && alpha <= MOST_ALPHA,
        "--alpha: %s given; allowed: 0.000001 to 0.5".formatted(Field.shown(alpha)));
  }

  /** Refuses options before anything is read. */
  void checkOptions() {}

  /** Does the verb's work; returns the exit code. */
  abstract int run(Session session) throws InterruptedException;

  @Override
  public final Integer call() throws InterruptedException {
    checkOptions();
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    int code;
    try {
      JobConfig config = JobConfig.from(launch.configuration());
      List<String> topics = new ArrayList<>(config.topics().controls());
      topics.addAll(List.of(config.topics().decisions(), config.topics().segmentEvents()));
      try (Admin admin = Brokers.connect(config, topics)) {
        PrintWriter text = json.takesStandardOutput() ? err() : out();
        code = run(new Session(config, admin, text, result));
        text.flush();
      }
    } catch (WatchRefusedException e) {
      String why = command().qualifiedName() + ": " + e.code() + ": " + e.getMessage();
      code = failed(REFUSED, why);
      result.put("code", e.code().name());
      result.put("message", e.getMessage());
    } catch (StartRefusedException
        | InvalidOptionsException
        | SpecException
        | WireException
        | IllegalArgumentException
        | KafkaException e) {
      return failed(UNUSABLE, command().qualifiedName() + ": " + e.getMessage());
    }
    json.write(result, out());
    return code;
  }
}
