package io.equipoise.policy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.policy.tabular.CellBlock;
import io.equipoise.policy.tabular.TabularPolicy;
import io.equipoise.segmentspec.Missing;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Random causal graphs with hidden causes, undisclosed features and mediators: where a tabular spec
 * is accepted, the interval of every effect of every person holds the truth, computed by
 * enumeration of a random model that has the graph. The cells hold their exact means, as after
 * endless data, so an interval without the truth is an effect that is not identified.
 */
class CertificatePropertyTest {
  private static final long SEED = 20_261_123;
  private static final int DOUBLINGS = 24;
  private static final double TOLERANCE = 1e-9;
  private static final List<String> POLICIES = List.of("ucb", "c-ucb", "d-ucb", "f-ucb");

  private final Map<String, Integer> tally = new HashMap<>();

  @Test
  void everyIntervalOfAnAcceptedGraphHoldsTheTruth() {
    int worlds = Tier.count(30, 20_000);
    for (int world = 0; world < worlds; world++) {
      SplittableRandom random = new SplittableRandom(SEED + world);
      RandomScm scm = new RandomScm(random);
      SegmentSpec spec = SpecParser.parse(text(scm, random));
      try {
        check("world " + world, scm, TabularPolicy.compile(spec));
        count("accepted");
      } catch (SpecException refused) {
        count("refused");
      }
    }
    Tier.found(CertificatePropertyTest.class, "worlds and effects", tally.toString());
    assertTrue(tally.get("accepted") > worlds / 10, tally.toString());
    assertTrue(tally.get("refused") > worlds / 10, tally.toString());
    assertTrue(tally.get("narrow") > worlds, tally.toString());
  }

  private void count(String what) {
    tally.merge(what, 1, Integer::sum);
  }

  private static String text(RandomScm scm, SplittableRandom random) {
    StringBuilder variables = new StringBuilder();
    StringBuilder graph = new StringBuilder();
    StringBuilder tables = new StringBuilder();
    List<String> missing = List.of("reject", "level", "marginalize");
    for (int node = 0; node < scm.nodes(); node++) {
      String name = scm.name(node);
      String binary = ", levels: [\"0\", \"1\"]";
      variables.append("  ").append(name).append(": {role: ");
      if (node < scm.features) {
        String role = node == 0 || random.nextInt(3) == 0 ? "sensitive" : "context";
        variables.append(role).append(binary);
        variables.append(", missing: ").append(missing.get(random.nextInt(3)));
      } else {
        variables.append(
            node == scm.action()
                ? "action" + binary
                : node == scm.reward() ? "reward" : "mediator" + binary);
      }
      variables.append("}\n");
      graph.append(name).append("; ");
      List<Integer> causes = new ArrayList<>();
      for (int cause = 0; cause < node; cause++) {
        if (scm.edge[cause][node]) {
          graph.append(scm.name(cause)).append(" -> ").append(name).append("; ");
          causes.add(cause);
        }
      }
      if (node != scm.action() && node != scm.reward()) {
        tables.append("    ").append(name).append(table(scm, node, causes));
      }
    }
    for (int[] pair : scm.hidden) {
      graph.append(scm.name(pair[0])).append(" <-> ").append(scm.name(pair[1])).append("; ");
    }
    String policy = POLICIES.get(random.nextInt(POLICIES.size()));
    return "name: w\nversion: 1\nsegments: default\nvariables:\n%sgraph: \"dag { %s }\"\n"
            .formatted(variables, graph)
        + "arms: all\ndistributions:\n  cpts:\n%sreward: {range: [0, 1]}\n".formatted(tables)
        + "policy: {name: %s}\nfairness: {tau: 0.1, delta: 0.05}\njoin: {reward-window: 60s}\n"
            .formatted(policy);
  }

  private static String table(RandomScm scm, int node, List<Integer> causes) {
    List<String> rows = new ArrayList<>();
    int mask = causes.stream().mapToInt(cause -> 1 << cause).sum();
    for (int row = 0; row < 1 << causes.size(); row++) {
      StringBuilder levels = new StringBuilder();
      int given = 0;
      for (int i = 0; i < causes.size(); i++) {
        int level = (row >> i) & 1;
        given |= level << causes.get(i);
        levels.append('"').append(level).append("\", ");
      }
      double one = scm.conditional(node, mask, given);
      rows.add("[" + levels + (1 - one) + ", " + one + "]");
    }
    List<String> names = causes.stream().map(scm::name).toList();
    return ": {given: " + names + ", rows: " + rows + "}\n";
  }

  private void check(String place, RandomScm scm, TabularPolicy bandit) {
    ModelState modelState = learned(scm, bandit);
    List<SpecVariable> features = bandit.spec().variables().features();
    for (int[] context : contexts(features)) {
      for (int arm = 0; arm < 2; arm++) {
        for (AuditFinding finding : bandit.audit(modelState, context, arm, 100)) {
          check(place, scm, features, context, arm, finding.effect());
        }
      }
    }
  }

  private void check(
      String place,
      RandomScm scm,
      List<SpecVariable> features,
      int[] context,
      int arm,
      EffectFinding auditEffect) {
    int mask = 0;
    int levels = 0;
    for (int i = 0; i < context.length; i++) {
      boolean isAttribute = i == auditEffect.attribute();
      if (isAttribute || context[i] != features.get(i).undisclosed()) {
        mask |= 1 << i;
        levels |= (isAttribute ? auditEffect.factual() : context[i]) << i;
      }
    }
    count(auditEffect.upper() - auditEffect.lower() < .01 ? "narrow" : "wide");
    for (boolean isMonotone : new boolean[] {true, false}) {
      double truth = scm.effect(mask, levels, auditEffect.attribute(), arm, isMonotone);
      assertTrue(
          auditEffect.lower() - TOLERANCE <= truth && truth <= auditEffect.upper() + TOLERANCE,
          () ->
              place
                  + ": the truth "
                  + truth
                  + " of "
                  + auditEffect
                  + " for "
                  + List.of(context[0]));
    }
  }

  private static List<int[]> contexts(List<SpecVariable> features) {
    List<int[]> contexts = List.of(new int[features.size()]);
    for (int place = 0; place < features.size(); place++) {
      List<int[]> longer = new ArrayList<>();
      for (int[] context : contexts) {
        int levels = features.get(place).missing() == Missing.REJECT ? 2 : 3;
        for (int level = 0; level < levels; level++) {
          int[] one = context.clone();
          one[place] = level;
          longer.add(one);
        }
      }
      contexts = longer;
    }
    return contexts;
  }

  /** Fills every cell with the mean that it has among people who disclose by chance. */
  private static ModelState learned(RandomScm scm, TabularPolicy bandit) {
    List<SpecVariable> features = bandit.spec().variables().features();
    List<String> w = bandit.separatingSet().variables();
    Map<String, double[]> sums = new HashMap<>();
    Map<String, int[][]> cells = new HashMap<>();
    for (int[] context : contexts(features)) {
      for (int state = 0; state < 1 << scm.reward(); state++) {
        if (!isOf(context, state, features)) {
          continue;
        }
        int[] mediators = new int[scm.mediators];
        for (int i = 0; i < mediators.length; i++) {
          mediators[i] = (state >> (scm.action() + 1 + i)) & 1;
        }
        int arm = (state >> scm.action()) & 1;
        StringBuilder cell = new StringBuilder();
        for (int node = 0; node < scm.reward(); node++) {
          if (w.contains(scm.name(node))) {
            cell.append(node < scm.features ? context[node] : (state >> node) & 1);
          }
        }
        double[] sum = sums.computeIfAbsent(cell.toString(), none -> new double[2]);
        cells.putIfAbsent(cell.toString(), new int[][] {context, mediators, {arm}});
        for (int latents = 0; latents < scm.hiddenStates(); latents++) {
          double chance = scm.chance(state, latents);
          sum[0] += chance;
          sum[1] += chance * scm.p(scm.reward(), state, latents);
        }
      }
    }
    MemoryModelState blocks = new MemoryModelState();
    sums.forEach(
        (cell, sum) -> {
          int[][] one = cells.get(cell);
          bandit.learn(blocks, one[0], one[2][0], one[1], sum[1] / sum[0]);
        });
    for (Map.Entry<Long, StateBlock> entry : blocks.entries()) {
      for (int doubling = 0; doubling < DOUBLINGS; doubling++) {
        CellBlock block = (CellBlock) entry.getValue();
        block.merge(block.copy());
      }
    }
    return blocks;
  }

  private static boolean isOf(int[] context, int state, List<SpecVariable> features) {
    for (int i = 0; i < context.length; i++) {
      if (context[i] != features.get(i).undisclosed() && context[i] != ((state >> i) & 1)) {
        return false;
      }
    }
    return true;
  }
}
