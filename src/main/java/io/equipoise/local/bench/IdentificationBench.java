package io.equipoise.local.bench;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.effect.Effect;
import io.equipoise.causal.effect.Identification;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Times the identification of P(y | do(x)), graph included, on graphs as large as real ones. */
final class IdentificationBench {
  private static final int NODES = 70;
  private static final int REACH = 6;

  private final SplittableRandom random;

  IdentificationBench(long seed) {
    random = new SplittableRandom(seed);
  }

  Map<String, Object> measured(int graphs) {
    run(graphs);
    return run(graphs);
  }

  private Map<String, Object> run(int graphs) {
    Stopwatch watch = new Stopwatch(graphs);
    SparseGraphs draws = new SparseGraphs(random, REACH);
    List<Effect> effects = new ArrayList<>();
    for (int i = 0; i < graphs; i++) {
      CausalGraph graph = draws.draw(NODES);
      List<String> x = List.of("V" + (NODES / 3 + random.nextInt(10)));
      List<String> y = List.of("V" + (NODES - 1 - random.nextInt(10)));
      watch.time(() -> effects.add(Identification.of(graph).effect(y, x)));
    }
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("nodes", NODES);
    told.put("graphs", graphs);
    told.put("identified", effects.stream().filter(Effect::isIdentified).count());
    told.put("median_ms", watch.quantile(.5));
    told.put("p99_ms", watch.quantile(.99));
    told.put("max_ms", watch.quantile(1));
    return told;
  }
}
