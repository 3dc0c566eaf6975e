package io.equipoise.cli.causal;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The variables of P(y | do(x), given). */
final class EffectOptions {
  @Option(
      names = {"-y", "--outcome"},
      required = true,
      split = ",",
      paramLabel = "Y",
      description = "What the effect is on.")
  List<String> y = new ArrayList<>();

  @Option(names = "--do", split = ",", paramLabel = "X", description = "What is intervened upon.")
  List<String> x = new ArrayList<>();

  @Option(
      names = "--given",
      split = ",",
      paramLabel = "C",
      description = "What the effect is conditional on.")
  List<String> given = new ArrayList<>();

  String title() {
    String condition = given.isEmpty() ? "" : ", " + String.join(", ", given);
    return "P("
        + String.join(", ", y)
        + (x.isEmpty() && given.isEmpty() ? "" : " | do(" + String.join(", ", x) + ")" + condition)
        + ")";
  }
}
