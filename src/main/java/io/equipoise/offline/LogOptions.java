package io.equipoise.offline;

import io.equipoise.cli.InputFile;
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

/** The source of the rows: files, or a topic between offsets. */
final class LogOptions {
  private static final String KAFKA = "kafka.";

  @Option(
      names = "--input",
      paramLabel = "FILE",
      converter = InputFile.class,
      description =
          "CSV with a header of variables, or .avro with segment events of the job: an Avro"
              + " container, or consecutive frames as a console consumer writes them. Can be"
              + " repeated.")
  private List<Path> inputs = new ArrayList<>();

  @Option(
      names = "--topic",
      paramLabel = "NAME",
      description = "a segment-events topic; --config or -D must set kafka.bootstrap.servers.")
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
      description =
          "End offset of a partition, exclusive; other partitions end at their current end.")
  private Map<Integer, Long> to = new LinkedHashMap<>();

  @Option(
      names = "--weight",
      paramLabel = "COLUMN",
      description =
          "Column of CSV files with the number of rows, 0 or more, that a row " + "represents.")
  private @Nullable String weight;

  /** Returns the error in the options, or null. */
  @Nullable String fault(Configuration given) {
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
    if (topic == null && !(from.isEmpty() && to.isEmpty())) {
      return "--from and --to require --topic";
    }
    if (topic != null && !given.containsKey(KAFKA + "bootstrap.servers")) {
      return "--topic requires kafka.bootstrap.servers, by --config or -D";
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
