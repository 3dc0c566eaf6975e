package io.equipoise.cli.causal;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.effect.IdentifiedEffect;
import io.equipoise.causal.effect.SelectionRecovery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Recovers P(y | do(x), given) from selected rows: {@code causal recover}. */
@Command(
    name = "recover",
    mixinStandardHelpOptions = true,
    description =
        "Finds the formula of P(y | do(x), given) in the population from selected rows alone.")
final class RecoverCommand extends CausalQuestion {
  @Mixin private GraphArgument graphArgument = new GraphArgument();
  @Mixin private EffectOptions options = new EffectOptions();
  @Mixin private DataOptions data = new DataOptions();
  @Mixin private BootstrapOptions bootstrap = new BootstrapOptions();

  @Override
  Reply answer() throws IOException {
    refuseUnusedData();
    CausalGraph graph = graphArgument.read();
    SelectionRecovery selectionRecovery = SelectionRecovery.of(graph);
    IdentifiedEffect identifiedEffect =
        options.given.isEmpty()
            ? selectionRecovery.effect(options.y, options.x)
            : selectionRecovery.effect(options.y, options.x, options.given);
    EffectAnswer answer = new EffectAnswer(graph);
    answer.effect(options.title(), "recoverable", identifiedEffect);
    if (options.given.isEmpty()) {
      answer.factors(selectionRecovery.factorized(options.y, options.x), "recoverable");
    }
    if (data.isGiven() && identifiedEffect.isIdentified()) {
      List<String> names = new ArrayList<>(options.x);
      names.addAll(options.given);
      names.addAll(options.y);
      answer.values(
          identifiedEffect.estimand().orElseThrow(), names, data.evidence(graph), bootstrap.get());
    }
    return answer.answer();
  }
}
