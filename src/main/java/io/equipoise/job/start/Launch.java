package io.equipoise.job.start;

import io.equipoise.cli.InputFile;
import io.equipoise.cli.OptionValues;
import io.equipoise.job.options.ConfigFile;
import io.equipoise.job.options.KafkaErrors;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Parses the options that set the job's configuration. */
public final class Launch {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      converter = InputFile.class,
      description =
          "YAML file with Equipoise options, Flink options and, under kafka, Kafka settings.")
  private @Nullable Path file;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "Sets an option and overrides the file. Can be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  /** Returns the file's options, overridden by those on the command line. */
  public Configuration configuration() {
    Configuration configuration = file == null ? new Configuration() : ConfigFile.read(file);
    settings.forEach(configuration::setString);
    return configuration;
  }

  /** Returns the message of an exception; says which option to correct if Kafka caused it. */
  public @Nullable String message(RuntimeException failure) {
    return KafkaErrors.areIn(failure)
        ? KafkaErrors.of(configuration()).message(failure)
        : failure.getMessage();
  }

  /** Returns the configuration file; null if there is none. */
  public @Nullable Path file() {
    return file;
  }

  /** Reads the arguments of a main class without other options. */
  public static Configuration configuration(String[] arguments) {
    Launch launch = new Launch();
    OptionValues.refuseRepeatedKeys(new CommandLine(launch).parseArgs(arguments));
    return launch.configuration();
  }
}
