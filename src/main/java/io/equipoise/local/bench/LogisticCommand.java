package io.equipoise.local.bench;

import io.equipoise.bandit.logistic.LogisticPolicyName;
import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.TextTable;
import io.equipoise.local.bench.LogisticBench.Window;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code bench logistic}. */
@Command(
    name = "logistic",
    description = {
      "Measures bytes of state and time a round of the streaming logistic "
          + "model and of LinUCB with one theta. Both should stay constant as "
          + "rounds add up.",
      "Ends with 1 if a state grew or is not finite."
    },
    mixinStandardHelpOptions = true)
final class LogisticCommand implements Callable<Integer> {
  private static final int MAX_DIMENSION = 512;

  @Spec private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--rounds",
      defaultValue = "1000000",
      description = "Rounds to play (default: ${DEFAULT-VALUE}).")
  private long rounds;

  @Option(
      names = "--windows",
      defaultValue = "10",
      description = "Windows to measure them in (default: ${DEFAULT-VALUE}).")
  private int windows;

  @Option(
      names = "--dimension",
      defaultValue = "4",
      description = "Length of the feature vectors (default: ${DEFAULT-VALUE}).")
  private int dimension;

  @Option(
      names = "--policy",
      defaultValue = "screen",
      description = "The policy, by its name in specs (default: ${DEFAULT-VALUE}).")
  private String policy = "";

  @Mixin private JsonOutput json = new JsonOutput();

  @Override
  public Integer call() {
    if (windows < 1 || rounds < windows || dimension < 3 || dimension > MAX_DIMENSION) {
      throw new ParameterException(
          command.commandLine(),
          "--windows must be at least 1, --rounds at least that, --dimension from 3 to "
              + MAX_DIMENSION);
    }
    LogisticBench logistic =
        new LogisticBench(new LogisticPlay(named(), new LogisticWorld(dimension)));
    LogisticBench ridge = new LogisticBench(new RidgePlay(new LogisticWorld(dimension)));
    List<Window> ofLogistic = logistic.run(rounds, windows);
    List<Window> ofRidge = ridge.run(rounds, windows);
    if (!json.takesStandardOutput()) {
      print(ofLogistic, ofRidge);
    }
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("policy", policy);
    report.put("estimator", "STREAMING");
    report.put("dimension", dimension);
    report.put("candidates", LogisticWorld.CANDIDATES);
    report.putAll(LogisticBench.report(ofLogistic));
    report.put("ridge", LogisticBench.report(ofRidge));
    json.write(report, command.commandLine().getOut());
    return logistic.isFlat(ofLogistic) && ridge.isFlat(ofRidge) ? 0 : 1;
  }

  private LogisticPolicyName named() {
    for (LogisticPolicyName name : LogisticPolicyName.values()) {
      if (name.wire().equals(policy)) {
        return name;
      }
    }
    throw new ParameterException(command.commandLine(), "no logistic policy is called " + policy);
  }

  private void print(List<Window> ofLogistic, List<Window> ofRidge) {
    TextTable table =
        new TextTable("rounds", "us a round", "state bytes", "heap bytes", "ridge: us", "bytes");
    for (int place = 0; place < ofLogistic.size(); place++) {
      Window window = ofLogistic.get(place);
      Window beside = ofRidge.get(place);
      table.row(
          String.valueOf(window.rounds()),
          String.format(Locale.ROOT, "%.1f", window.medianMicrosPerRound()),
          String.valueOf(window.stateBytes()),
          String.valueOf(window.heapBytesAfterCollection()),
          String.format(Locale.ROOT, "%.2f", beside.medianMicrosPerRound()),
          String.valueOf(beside.stateBytes()));
    }
    table.lines().forEach(command.commandLine().getOut()::println);
    command.commandLine().getOut().flush();
  }
}
