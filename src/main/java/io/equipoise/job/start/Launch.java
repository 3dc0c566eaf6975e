package io.equipoise.job.start;

import io.equipoise.job.options.ConfigFile;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options that say with which configuration the job starts. */
public final class Launch {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "YAML file with the job's options, Flink's and, under kafka, Kafka's.")
  private @Nullable Path file;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "Sets an option and overrides the file. May be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  /** Returns the file's options, overridden by those on the command line. */
  public Configuration configuration() {
    Configuration configuration = file == null ? new Configuration() : ConfigFile.read(file);
    settings.forEach(configuration::setString);
    return configuration;
  }

  /** Reads the arguments of a main class that has no other options. */
  public static Configuration configuration(String[] arguments) {
    Launch launch = new Launch();
    new CommandLine(launch).parseArgs(arguments);
    return launch.configuration();
  }
}
