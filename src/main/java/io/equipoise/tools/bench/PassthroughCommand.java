package io.equipoise.tools.bench;

import io.equipoise.cli.InputFile;
import io.equipoise.cli.OutputFile;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.tools.EmbeddedBroker;
import io.equipoise.tools.LocalCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code bench passthrough}. */
@Command(
    name = "passthrough",
    description = {
      "Measures the throughput of the F-UCB job relative to an identity job. The identity job has"
          + " the same sources, sinks, keying and checkpoints. For every input it writes as many"
          + " records of the same schemas and sizes, without state and decisions."
    },
    mixinStandardHelpOptions = true)
final class PassthroughCommand implements Callable<Integer> {
  private static final String SPEC = "email-f-ucb.yaml";

  @Spec private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--records",
      defaultValue = "200000",
      description = "Inputs of a run, half of them contexts (default: ${DEFAULT-VALUE}).")
  private int records;

  @Option(
      names = "--runs",
      defaultValue = "3",
      description = "Measured runs of each job (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = "--warm-ups",
      defaultValue = "4",
      description = "Warm-up runs of each job, which are discarded (default: ${DEFAULT-VALUE}).")
  private int warmUps;

  @Option(
      names = "--parallelism",
      defaultValue = "2",
      description =
          "Parallelism of the jobs and partitions of each topic (default: ${DEFAULT-VALUE}).")
  private int parallelism;

  @Option(
      names = "--segments",
      defaultValue = "64",
      description = "Number of segments in the inputs (default: ${DEFAULT-VALUE}).")
  private int segments;

  @Option(
      names = "--spec",
      paramLabel = "FILE",
      converter = InputFile.class,
      description = "F-UCB Email Campaign spec (default: the shipped one).")
  private @Nullable Path spec;

  @Option(
      names = "--json",
      paramLabel = "FILE|-",
      converter = OutputFile.class,
      description = "Report file; - writes it as the only text to standard output.")
  private Path json = OutputFile.STANDARD_OUTPUT;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (records < 2 || runs < 1 || warmUps < 0 || parallelism < 1 || segments < 1) {
      throw new ParameterException(
          command.commandLine(),
          "records must be at least 2, --warm-ups 0, all other numbers at least 1");
    }
    PrintWriter progress = command.commandLine().getErr();
    Workload workload = workload(spec == null ? shipped() : spec);
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        LocalCluster cluster = LocalCluster.start(new Configuration(), parallelism);
        BenchDeployment deployment = new BenchDeployment(broker, cluster, workload, parallelism)) {
      write(new TimeComparison(deployment, workload, warmUps, runs, progress::println).report());
    }
    return 0;
  }

  private Workload workload(Path file) {
    try {
      return Workload.of(file, records / 2, segments);
    } catch (SpecException e) {
      throw new ParameterException(command.commandLine(), "--spec " + file + ": " + e.getMessage());
    }
  }

  private static Path shipped() {
    Path home = Path.of(System.getProperty("equipoise.home", ""));
    Path installed = home.resolve("conf").resolve("specs").resolve(SPEC);
    return Files.exists(installed)
        ? installed
        : home.resolve("flink-conf").resolve("specs").resolve(SPEC);
  }

  private void write(String report) throws IOException {
    if (json.equals(OutputFile.STANDARD_OUTPUT)) {
      command.commandLine().getOut().println(report);
    } else {
      Files.writeString(json, report + System.lineSeparator());
    }
  }
}
