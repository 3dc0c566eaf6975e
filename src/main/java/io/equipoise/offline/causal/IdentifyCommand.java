package io.equipoise.offline.causal;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.effect.Effect;
import io.equipoise.causal.effect.Identification;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The verb {@code causal identify}. */
@Command(
    name = "identify",
    mixinStandardHelpOptions = true,
    description = "Finds the formula of P(y | do(x), given) from unselected data, or says why not.")
final class IdentifyCommand extends Question {
  @Mixin private GraphArgument graphArgument = new GraphArgument();
  @Mixin private EffectOptions options = new EffectOptions();
  @Mixin private DataOptions data = new DataOptions();

  @Override
  Answer answer() throws IOException {
    CausalGraph graph = graphArgument.read();
    Identification identification = Identification.of(graph);
    Effect effect = identification.effect(options.y, options.x, options.given);
    EffectAnswer answer = new EffectAnswer(graph);
    answer.effect(options.title(), "identified", effect);
    if (options.given.isEmpty()) {
      answer.factors(identification.factorized(options.y, options.x), "identified");
    }
    if (data.isGiven() && effect.isIdentified()) {
      List<String> names = new ArrayList<>(options.x);
      names.addAll(options.given);
      names.addAll(options.y);
      CausalGraph unselected = graph.withSelectionLatent();
      answer.values(
          effect.estimand().orElseThrow(), names, data.evidence(unselected), data.bootstrap());
    }
    return answer.answer();
  }
}
