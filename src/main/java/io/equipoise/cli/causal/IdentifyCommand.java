package io.equipoise.cli.causal;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.effect.Identification;
import io.equipoise.causal.effect.IdentifiedEffect;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Identifies P(y | do(x), given) from unselected data: {@code causal identify}. */
@Command(
    name = "identify",
    mixinStandardHelpOptions = true,
    description =
        "Finds the formula of P(y | do(x), given) from unselected data, or the reason why there is"
            + " none.")
final class IdentifyCommand extends CausalQuestion {
  @Mixin private GraphArgument graphArgument = new GraphArgument();
  @Mixin private EffectOptions options = new EffectOptions();
  @Mixin private DataOptions data = new DataOptions();
  @Mixin private BootstrapOptions bootstrap = new BootstrapOptions();

  @Override
  Reply answer() throws IOException {
    refuseUnusedData();
    CausalGraph graph = graphArgument.read();
    Identification identification = Identification.of(graph);
    IdentifiedEffect identifiedEffect = identification.effect(options.y, options.x, options.given);
    EffectAnswer answer = new EffectAnswer(graph);
    answer.effect(options.title(), "identified", identifiedEffect);
    if (options.given.isEmpty()) {
      answer.factors(identification.factorized(options.y, options.x), "identified");
    }
    if (data.isGiven() && identifiedEffect.isIdentified()) {
      List<String> names = new ArrayList<>(options.x);
      names.addAll(options.given);
      names.addAll(options.y);
      CausalGraph unselected = graph.withSelectionLatent();
      answer.values(
          identifiedEffect.estimand().orElseThrow(),
          names,
          data.evidence(unselected),
          bootstrap.get());
    }
    return answer.answer();
  }
}
