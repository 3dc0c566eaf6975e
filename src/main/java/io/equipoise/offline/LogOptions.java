package io.equipoise.offline;

import io.equipoise.offline.count.LogFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the rows are: files, or a topic between offsets. */
final class LogOptions {
  private static final String KAFKA = "kafka.";

  @Option(
      names = "--input",
      paramLabel = "FILE",
      description =
          "CSV with a heading of variables, or .avro with segment events of the job, as an Avro"
              + " container or as frames in a row, as a console consumer writes them. May be"
              + " repeated.")
  private List<Path> inputs = new ArrayList<>();

  @Option(
      names = "--topic",
      paramLabel = "NAME",
      description =
          "a segment-events topic; its brokers are kafka.bootstrap.servers of --config or -D.")
  private @Nullable String topic;

  @Option(
      names = "--from",
      split = ",",
      paramLabel = "PARTITION=OFFSET",
      description =
          "First offset of a partition of the topic; other partitions start at "
              + "their beginning.")
  private Map<Integer, Long> from = new LinkedHashMap<>();

  @Option(
      names = "--to",
      split = ",",
      paramLabel = "PARTITION=OFFSET",
      description = "Where to stop, exclusive; other partitions where they end now.")
  private Map<Integer, Long> to = new LinkedHashMap<>();

  @Option(
      names = "--weight",
      paramLabel = "COLUMN",
      description =
          "The column of CSV files with the number of rows, 0 or more, that a row " + "represents.")
  private @Nullable String weight;

  /** Returns what is wrong with the options, or null. */
  @Nullable String fault(Configuration given) {
    if (inputs.isEmpty() == (topic == null)) {
      return "give --input or --topic, one of them";
    }
    boolean isAvro = inputs.stream().anyMatch(LogFile::isAvro);
    if (weight != null && (topic != null || isAvro)) {
      return "--weight is of CSV files: a segment event is one row";
    }
    if (topic == null && !(from.isEmpty() && to.isEmpty())) {
      return "--from and --to are of a --topic";
    }
    if (topic != null && !given.containsKey(KAFKA + "bootstrap.servers")) {
      return "--topic needs kafka.bootstrap.servers, by --config or -D";
    }
    return null;
  }

  @Nullable String weight() {
    return weight;
  }

  LogFile log(Configuration given) {
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
