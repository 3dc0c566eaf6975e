package io.equipoise.local.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.bandit.kernel.Kernels;
import io.equipoise.cli.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code bench linear}. */
@Command(
    name = "linear",
    description = {
      "Measures rounds of LinUCB with a model for each arm, a decision and an update each, over a"
          + " plain double loop that makes the same choices, in two forms: theta moved along, or"
          + " A^-1 b for every arm (textbook); one thread, in turns."
    },
    mixinStandardHelpOptions = true)
final class LinearCommand implements Callable<Integer> {
  @Spec private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--turns",
      defaultValue = "9",
      description = "Measured turns of each (default: ${DEFAULT-VALUE}).")
  private int turns;

  @Option(
      names = "--turn-millis",
      defaultValue = "300",
      description = "About how long a turn of the plain loop takes (default: ${DEFAULT-VALUE}).")
  private int turnMillis;

  @Option(
      names = "--warm-rounds",
      defaultValue = "1",
      description =
          "Rounds before measuring, as a multiple of 200,000 (small) or 4,000 (100 arms)"
              + " (default: ${DEFAULT-VALUE}).")
  private double warm;

  @Option(
      names = "--only",
      defaultValue = "",
      description = "Measures only workloads with this prefix: i:, ii, iii (default: all).")
  private String only;

  @Option(
      names = "--json",
      paramLabel = "FILE|-",
      converter = OutputFile.class,
      description = "File of the report; - for standard output and nothing else there.")
  private Path json = OutputFile.STANDARD_OUTPUT;

  @Override
  public Integer call() throws IOException {
    if (turns < 1 || turnMillis < 1 || !(warm > 0 && warm <= 100)) {
      throw new ParameterException(
          command.commandLine(), "--turns, --turn-millis and --warm-rounds must be positive");
    }
    List<Map<String, Object>> found = new ArrayList<>();
    for (LinearWorkload workload : LinearWorkload.all(1)) {
      if (!workload.name.startsWith(only)) {
        continue;
      }
      // Products of a round of the plain loop, at about one a nanosecond.
      double products = (double) workload.arms * workload.dimension * workload.dimension;
      int rounds = (int) Math.max(100, turnMillis * 1e6 / Math.max(products, 200));
      int warmRounds = (int) (warm * (workload.arms > 10 ? 4_000 : 200_000));
      int warmTurns = Math.max(3, (warmRounds + rounds - 1) / rounds);
      Map<String, Object> one = new LinearBench(workload).run(rounds, warmTurns, turns);
      command.commandLine().getErr().println(one);
      found.add(one);
    }
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("workloads", found);
    report.put("peakOfOneCore", MachinePeak.measure());
    report.put("kernels", Kernels.best().name());
    report.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    write(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(report));
    return 0;
  }

  private void write(String report) throws IOException {
    if (json.equals(OutputFile.STANDARD_OUTPUT)) {
      command.commandLine().getOut().println(report);
    } else {
      Files.writeString(json, report + System.lineSeparator());
    }
  }
}
