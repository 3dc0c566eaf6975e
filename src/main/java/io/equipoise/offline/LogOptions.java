package io.equipoise.offline;

import io.equipoise.cli.InputFile;
import io.equipoise.job.LoopbackFlink;
import io.equipoise.job.options.KeyOption;
import io.equipoise.job.topics.Brokers;
import io.equipoise.offline.count.CountLayout;
import io.equipoise.offline.count.CountingJob;
import io.equipoise.offline.count.Counts;
import io.equipoise.offline.count.LogFile;
import io.equipoise.offline.count.SegmentLog;
import io.equipoise.segmentspec.SegmentMatch;
import io.equipoise.segmentspec.SegmentSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Selects the source of the rows, which is files or a topic between offsets, and runs the batch job
 * that counts them.
 */
public final class LogOptions {
  private static final String KAFKA = "kafka.";
  private static final int THREADS = 2;

  @Option(
      names = "--input",
      paramLabel = "FILE",
      converter = InputFile.class,
      description =
          "CSV with a header of variables, or segment events in .avro, a container or frames of a"
              + " console consumer. Repeatable with --spec.")
  private List<Path> inputs = new ArrayList<>();

  @Option(
      names = "--topic",
      paramLabel = "NAME",
      description = "A segment-events topic; --config or -D must set kafka.bootstrap.servers.")
  private @Nullable String topic;

  @Option(
      names = "--from",
      split = ",",
      paramLabel = "P=OFFSET,...",
      hideParamSyntax = true,
      description = "Start of partition P. Default: its beginning.")
  private Map<Integer, Long> from = new LinkedHashMap<>();

  @Option(
      names = "--to",
      split = ",",
      paramLabel = "P=OFFSET,...",
      hideParamSyntax = true,
      description = "End of P, exclusive. Default: its current end.")
  private Map<Integer, Long> to = new LinkedHashMap<>();

  @Option(
      names = "--weight",
      paramLabel = "COLUMN",
      description =
          "CSV column with the number of equal rows, 0 or more, that a row stands for: so many people,"
              + " no survey weight.")
  private @Nullable String weight;

  @Option(
      names = "--segment",
      paramLabel = "NAME",
      description =
          "Reads only the segment events of this segment. Default: the segments that the spec"
              + " selects.")
  private @Nullable String segment;

  /** Returns the error in the options, or null. */
  public @Nullable String fault(Configuration given) {
    if (inputs.isEmpty() == (topic == null)) {
      return "use either --input or --topic";
    }
    Path twice = InputFile.repeated(inputs);
    if (twice != null) {
      return "--input " + twice + " is given twice, and its rows would count twice; give it once";
    }
    boolean isAvro = inputs.stream().anyMatch(LogFile::isAvro);
    if (weight != null && (topic != null || isAvro)) {
      return "--weight requires CSV files: a segment event is one row";
    }
    if (segment != null && !inputs.stream().allMatch(LogFile::isAvro)) {
      return "--segment requires segment events: rows of a CSV file have no segment";
    }
    if (topic == null && !(from.isEmpty() && to.isEmpty())) {
      return "--from and --to require --topic";
    }
    if (topic != null && !given.containsKey(KAFKA + "bootstrap.servers")) {
      return "--topic requires kafka.bootstrap.servers, by --config or -D";
    }
    return null;
  }

  /** Returns the error in the options for a spec whose rewards must be of one segment, or null. */
  public @Nullable String faultOfOneSegment(SegmentSpec spec) {
    boolean isOfOne = spec.match() instanceof SegmentMatch.Exact it && it.segments().size() == 1;
    boolean isOfEvents = topic != null || inputs.stream().anyMatch(LogFile::isAvro);
    return segment == null && isOfEvents && !isOfOne
        ? "the spec is for several segments, whose gaps have causes of their own; choose one with --segment"
        : null;
  }

  public @Nullable String weight() {
    return weight;
  }

  /** Returns the only CSV file; null if there are others, segment events or a topic. */
  public @Nullable Path onlyCsv() {
    return inputs.size() == 1 && !LogFile.isAvro(inputs.get(0)) ? inputs.get(0) : null;
  }

  /**
   * Counts the rows.
   *
   * @param layout without the weight
   * @param progress receives the number of rows read so far, now and then
   * @throws io.equipoise.causal.DistributionException if a row cannot be counted
   * @throws io.equipoise.job.options.StartRefusedException if the brokers cannot be reached
   */
  public Counts count(
      CountLayout layout,
      SegmentSpec spec,
      KeyOption key,
      Configuration given,
      LongConsumer progress)
      throws IOException, InterruptedException {
    LogFile log = log(given);
    if (log instanceof LogFile.Topic read && !given.contains(DeploymentOptions.TARGET)) {
      Brokers.check(read.kafka());
    }
    boolean isOfCsv = topic == null && inputs.stream().noneMatch(LogFile::isAvro);
    boolean isAlone = isOfCsv || !given.containsKey(KAFKA + "bootstrap.servers");
    Map<String, String> versions = isAlone ? Map.of() : SpecVersions.of(spec, given);
    SegmentLog events = new SegmentLog(spec.text(), key.files(), segment, versions);
    return new CountingJob(environment(given), layout.weightedBy(weight), events)
        .run(log, progress);
  }

  /** Creates an environment in this process, unless the program runs on a cluster. */
  static StreamExecutionEnvironment environment(Configuration given) {
    Configuration flink = new Configuration();
    flink.set(CoreOptions.DEFAULT_PARALLELISM, THREADS);
    flink.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    flink.set(HeartbeatManagerOptions.HEARTBEAT_INTERVAL, Duration.ofSeconds(1)); // for progress
    flink.addAll(given);
    return LoopbackFlink.environment(flink);
  }

  private LogFile log(Configuration given) {
    return topic == null
        ? new LogFile.Files(inputs)
        : new LogFile.Topic(kafka(given), topic, new TreeMap<>(from), new TreeMap<>(to));
  }

  private static Properties kafka(Configuration given) {
    Properties kafka = new Properties();
    given
        .toMap()
        .forEach(
            (key, value) -> {
              if (key.startsWith(KAFKA)) {
                kafka.setProperty(key.substring(KAFKA.length()), value);
              }
            });
    return kafka;
  }
}
