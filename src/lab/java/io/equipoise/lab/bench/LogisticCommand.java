package io.equipoise.lab.bench;

import io.equipoise.cli.TextTable;
import io.equipoise.policy.logistic.LogisticPolicyName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures models that keep learning for long: {@code bench logistic}. */
@Command(
    name = "logistic",
    description = {
      "Measures state size and time per round of the streaming logistic "
          + "model and of LinUCB with one theta. Both should stay constant over "
          + "the rounds.",
      "Exit code 1 if a state grew or is not finite."
    },
    mixinStandardHelpOptions = true)
final class LogisticCommand extends BenchCommand {
  private static final int MAX_DIMENSION = 512;
  private static final int MAX_CANDIDATES = 1_000;

  @Option(
      names = "--rounds",
      defaultValue = "1000000",
      description = "Number of rounds (default: ${DEFAULT-VALUE}).")
  private long rounds;

  @Option(
      names = "--windows",
      defaultValue = "10",
      description = "Number of measured windows (default: ${DEFAULT-VALUE}).")
  private int windows;

  @Option(
      names = "--dimension",
      defaultValue = "4",
      description = "Length of the feature vectors (default: ${DEFAULT-VALUE}).")
  private int dimension;

  @Option(
      names = "--candidates",
      defaultValue = "20",
      description = "Candidates of each request (default: ${DEFAULT-VALUE}).")
  private int candidates;

  @Option(
      names = "--policy",
      defaultValue = "screen",
      description = "Policy, by its name in specs (default: ${DEFAULT-VALUE}).")
  private String policy = "";

  @Option(
      names = "--forked",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Whether each policy runs in a new JVM (default: ${DEFAULT-VALUE}).")
  private boolean isForked = true;

  @Override
  public Integer call() {
    refuse(
        windows < 1
            || rounds < windows
            || rounds / windows > Integer.MAX_VALUE
            || dimension < 3
            || dimension > MAX_DIMENSION
            || candidates < 2
            || candidates > MAX_CANDIDATES,
        "--windows must be at least 1, --rounds at least that, --dimension from 3 to %d, --candidates from 2 to %d"
            .formatted(MAX_DIMENSION, MAX_CANDIDATES));
    String name = named().name();
    List<Series> measured =
        BenchmarkTurns.run(
            new OptionsBuilder()
                .include(LongRounds.class.getName())
                .param("policy", name, LongRounds.RIDGE)
                .param("dimension", String.valueOf(dimension))
                .param("candidates", String.valueOf(candidates))
                .warmupIterations(0)
                .measurementIterations(windows)
                .measurementBatchSize(Math.toIntExact(rounds / windows)),
            isForked ? 1 : 0,
            err());
    List<Window> ofLogistic = windows(Series.of(measured, name));
    List<Window> ofRidge = windows(Series.of(measured, LongRounds.RIDGE));
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("policy", policy);
    report.put("estimator", "STREAMING");
    report.put("dimension", dimension);
    report.put("candidates", candidates);
    report.putAll(report(ofLogistic));
    report.put("ridge", report(ofRidge));
    write(report, out -> table(ofLogistic, ofRidge).lines().forEach(out::println));
    return isFlat(ofLogistic) && isFlat(ofRidge) ? 0 : 1;
  }

  /**
   * The measurements of one window.
   *
   * @param rounds rounds until its end
   */
  record Window(long rounds, double microsPerRound, int stateBytes) {}

  private List<Window> windows(Series series) {
    List<Window> found = new ArrayList<>();
    for (IterationResult iteration : series.iterations()) {
      double size =
          Objects.requireNonNull(iteration.getSecondaryResults().get("stateBytes")).getScore();
      long each = rounds / windows;
      found.add(
          new Window(
              each * (found.size() + 1),
              iteration.getPrimaryResult().getScore() / each,
              (int) size));
    }
    return found;
  }

  /** Returns whether the state was as large at the end of every window. */
  static boolean isFlat(List<Window> windows) {
    return windows.stream().mapToInt(Window::stateBytes).distinct().count() == 1;
  }

  /** Returns the report, with the last window's time relative to that of the second. */
  private static Map<String, Object> report(List<Window> windows) {
    Window last = windows.get(windows.size() - 1);
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("rounds", last.rounds());
    report.put(
        "lastOverSecondWindow",
        last.microsPerRound() / windows.get(Math.min(1, windows.size() - 1)).microsPerRound());
    report.put("windows", windows);
    return report;
  }

  private LogisticPolicyName named() {
    for (LogisticPolicyName name : LogisticPolicyName.values()) {
      if (name.wire().equals(policy)) {
        return name;
      }
    }
    throw refused("unknown logistic policy " + policy);
  }

  private static TextTable table(List<Window> ofLogistic, List<Window> ofRidge) {
    TextTable table = new TextTable("rounds", "us/round", "state bytes", "ridge: us", "bytes");
    for (int place = 0; place < ofLogistic.size(); place++) {
      Window window = ofLogistic.get(place);
      Window ridge = ofRidge.get(place);
      table.row(
          String.valueOf(window.rounds()),
          String.format(Locale.ROOT, "%.1f", window.microsPerRound()),
          String.valueOf(window.stateBytes()),
          String.format(Locale.ROOT, "%.2f", ridge.microsPerRound()),
          String.valueOf(ridge.stateBytes()));
    }
    return table;
  }
}
