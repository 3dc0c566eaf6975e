package io.equipoise.lab.bench;

import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Option;

/**
 * Runs JMH benchmarks in turns. Each turn runs every benchmark once, in a new JVM, so that other
 * load on the machine affects all benchmarks alike.
 */
final class BenchmarkTurns {
  @Option(
      names = "--turns",
      defaultValue = "5",
      description =
          "Measured turns, each in new JVMs; 0 measures once in this JVM (default:"
              + " ${DEFAULT-VALUE}).")
  private int turns;

  @Option(
      names = "--turn-millis",
      defaultValue = "500",
      description = "Measured time of a turn (default: ${DEFAULT-VALUE}).")
  private int turnMillis;

  @Option(
      names = "--warm-millis",
      defaultValue = "2000",
      description = "Warm-up time of a turn (default: ${DEFAULT-VALUE}).")
  private int warmMillis;

  boolean isValid() {
    return turns >= 0 && turnMillis > 0 && warmMillis > 0;
  }

  /** Returns the results of timed benchmarks, one series for each set of parameters. */
  List<Series> measured(ChainedOptionsBuilder options, PrintWriter progress) {
    options.warmupIterations(1).warmupTime(TimeValue.milliseconds(warmMillis));
    options.measurementIterations(1).measurementTime(TimeValue.milliseconds(turnMillis));
    return run(options, turns, progress);
  }

  /**
   * Returns the results of benchmarks, one series for each method and set of parameters.
   *
   * @param turns number of turns, in new JVMs; 0 runs each benchmark once in this JVM
   * @throws IllegalStateException if a benchmark fails
   */
  static List<Series> run(ChainedOptionsBuilder options, int turns, PrintWriter progress) {
    options.forks(Math.min(1, turns)).shouldFailOnError(true);
    // JMH's lock would exclude other users of the machine.
    System.setProperty("jmh.ignoreLock", "true");
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    Map<String, Series> found = new LinkedHashMap<>();
    for (int turn = 0; turn < Math.max(1, turns); turn++) {
      try {
        for (RunResult result :
            new Runner(
                    options.build(),
                    OutputFormatFactory.createFormatInstance(nowhere, VerboseMode.SILENT))
                .run()) {
          Series one = new Series(result.getParams(), new ArrayList<>());
          found.computeIfAbsent(one.toString(), name -> one).turns().add(result);
          progress.printf(
              Locale.ROOT,
              "turn %d: %s %.4g %s%n",
              turn + 1,
              one,
              result.getPrimaryResult().getScore(),
              result.getPrimaryResult().getScoreUnit());
          progress.flush();
        }
      } catch (RunnerException e) {
        throw new IllegalStateException("a benchmark failed", e);
      }
    }
    return List.copyOf(found.values());
  }
}
