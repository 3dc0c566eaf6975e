package io.equipoise.cli.causal;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Parses the options with the variables of P(y | do(x), given). */
final class EffectOptions {
  @Option(
      names = {"-y", "--outcome"},
      required = true,
      split = ",",
      paramLabel = "Y",
      description = "The outcome variables.")
  List<String> y = new ArrayList<>();

  @Option(names = "--do", split = ",", paramLabel = "X", description = "The treatment variables.")
  List<String> x = new ArrayList<>();

  @Option(
      names = "--given",
      split = ",",
      paramLabel = "C",
      description = "The variables to condition on.")
  List<String> given = new ArrayList<>();

  String title() {
    String condition = given.isEmpty() ? "" : ", " + String.join(", ", given);
    return "P("
        + String.join(", ", y)
        + (x.isEmpty() && given.isEmpty() ? "" : " | do(" + String.join(", ", x) + ")" + condition)
        + ")";
  }
}
