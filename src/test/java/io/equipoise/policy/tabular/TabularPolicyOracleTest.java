package io.equipoise.policy.tabular;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.policy.CellLayout;
import io.equipoise.policy.Choice;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.NaiveModel;
import io.equipoise.policy.NaiveRegion;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.TestSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares index, effects and choice with {@link NaiveModel} on random models: two sensitive
 * attributes, one with three values, both of which a person may keep to themselves; features that
 * follow an attribute; W with and without sensitive members.
 */
@Tag("slow")
class TabularPolicyOracleTest {
  private static final double TOLERANCE = 1e-11;
  private static final double SCALE = .3;

  private static SegmentSpec randomSpec(SplittableRandom random, String reward, String fairness) {
    List<String> edges =
        new ArrayList<>(
            List.of("S -> M", "A -> M", "T -> N", "M -> N", "B -> N", "M -> R", "N -> R"));
    for (String optional :
        List.of("S -> R", "C -> M", "S -> C", "D -> T", "B -> R", "C -> R", "T -> C", "D -> S")) {
      if (random.nextDouble() < .4) {
        edges.add(optional);
      }
    }
    TestSpec spec =
        TestSpec.spec()
            .variable("S", "sensitive", 2)
            .variable("T", "sensitive", 3)
            .variable("C", "context", 2)
            .variable("D", "context", 2)
            .variable("A", "action", 2)
            .variable("B", "action", 3)
            .variable("M", "mediator", 2)
            .variable("N", "mediator", 3)
            .graph("C; D; " + String.join(" ", edges))
            .policy("name: f-ucb, index-scale: 0.5")
            .reward(reward)
            .fairness("tau: 0.2, delta: 0.05" + fairness);
    for (String child : List.of("S", "T", "C", "D", "M", "N")) {
      List<String> parents = new ArrayList<>();
      for (String edge : edges) {
        if (edge.endsWith("-> " + child)) {
          parents.add(edge.substring(0, 1));
        }
      }
      List<String> rows = new ArrayList<>(List.of(""));
      for (String parent : parents) {
        List<String> wider = new ArrayList<>();
        for (String row : rows) {
          for (int level = 0; level < size(parent); level++) {
            wider.add(row + "\"" + level + "\", ");
          }
        }
        rows = wider;
      }
      String table =
          String.join(
              ", ", rows.stream().map(r -> "[" + r + row(random, size(child)) + "]").toList());
      spec.cpt(child, String.join(", ", parents), table);
    }
    return spec.build();
  }

  private static int size(String name) {
    return List.of("T", "B", "N").contains(name) ? 3 : 2;
  }

  private static String row(SplittableRandom random, int size) {
    double first = random.nextInt(1, 9) / 10.0;
    return size == 2
        ? first + ", " + (10 - Math.round(10 * first)) / 10.0
        : first / 2 + ", " + (1 - first) + ", " + first / 2;
  }

  static LongStream models() {
    return LongStream.rangeClosed(1, Tier.count(2, 12));
  }

  static LongStream modelsOfTheRegion() {
    return LongStream.rangeClosed(1, Tier.count(1, 6));
  }

  @ParameterizedTest
  @MethodSource("models")
  void theModelEqualsTheOracle(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SegmentSpec spec =
        randomSpec(
            random,
            "range: [0, 1], bounded: false, scale: 0.3",
            ", confidence: sub-gaussian, scale: " + SCALE);
    TabularPolicy bandit = TabularPolicy.compile(spec);
    ConfidenceSequence confidence = new SubGaussian(0, 1, SCALE, .8 * .05 / bandit.cells());
    NaiveModel naive = new NaiveModel(spec, bandit.separatingSet().variables(), confidence);
    ModelState modelState = new MemoryModelState();
    int arms = spec.arms().size();
    for (int t = 1; t <= 400; t++) {
      int[] context = randomContext(spec, random);
      if (t % 10 == 0) {
        compare(spec, bandit, naive, modelState, context, t);
      }
      int arm = random.nextInt(arms);
      int[] mediators = {random.nextInt(2), random.nextInt(3)};
      double reward = random.nextDouble(-.5, 1.5);
      bandit.learn(modelState, context, arm, mediators, reward);
      naive.learn(context, arm, mediators, reward);
    }
  }

  /** The oracle of the region searches so slowly that few persons and arms are compared. */
  @ParameterizedTest
  @MethodSource("modelsOfTheRegion")
  void theJointRegionEqualsTheOracle(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SegmentSpec spec = randomSpec(random, "range: [0, 1]", "");
    TabularPolicy bandit = TabularPolicy.compile(spec);
    List<String> w = bandit.separatingSet().variables();
    NaiveModel naive = new NaiveModel(spec, w, new NaiveRegion(.8 * .05 / bandit.sets()));
    int compared = naive.comparedCells(contexts(spec)).size();
    assertTrue(compared <= bandit.sets(), compared + " of at most " + bandit.sets());
    assertTrue(3 * compared >= bandit.sets(), compared + " of at most " + bandit.sets());
    ModelState modelState = new MemoryModelState();
    int arms = spec.arms().size();
    for (int t = 1; t <= 1200; t++) {
      int[] context = randomContext(spec, random);
      int arm = random.nextInt(arms);
      if (t % 150 == 0) {
        List<AuditFinding> findings = bandit.audit(modelState, context, arm, t);
        List<EffectFinding> wanted = wanted(spec, naive, context, arm, t);
        assertEquals(wanted.size(), findings.size());
        for (int i = 0; i < wanted.size(); i++) {
          EffectFinding effect = findings.get(i).effect();
          String both = wanted.get(i) + " / " + effect;
          assertEquals(wanted.get(i).lower(), effect.lower(), 1e-7, both);
          assertEquals(wanted.get(i).upper(), effect.upper(), 1e-7, both);
          assertEquals(wanted.get(i).estimate(), effect.estimate(), TOLERANCE, both);
          if (wanted.get(i).isIdentified()) {
            assertEquals(wanted.get(i).unsupportedShare(), effect.unsupportedShare(), 1e-6, both);
          }
        }
      }
      int[] mediators = {random.nextInt(2), random.nextInt(3)};
      double reward = random.nextInt(4) == 0 ? random.nextDouble() : random.nextInt(2);
      bandit.learn(modelState, context, arm, mediators, reward);
      naive.learn(context, arm, mediators, reward);
    }
  }

  private static List<int[]> contexts(SegmentSpec spec) {
    List<int[]> contexts = List.of(new int[spec.variables().features().size()]);
    for (int place = 0; place < spec.variables().features().size(); place++) {
      List<int[]> wider = new ArrayList<>();
      for (int[] context : contexts) {
        for (int i = 0; i < CellLayout.size(spec.variables().features().get(place)); i++) {
          int[] one = context.clone();
          one[place] = i;
          wider.add(one);
        }
      }
      contexts = wider;
    }
    return contexts;
  }

  private static void compare(
      SegmentSpec spec,
      TabularPolicy bandit,
      NaiveModel naive,
      ModelState modelState,
      int[] context,
      long t) {
    Choice choice = bandit.choose(modelState, context, t, new SeededRandom(1, "s", "d"));
    assertEquals(naive.index(context, choice.arm(), .5, t), choice.index(), TOLERANCE);
    double greatest = Double.NEGATIVE_INFINITY;
    int fair = 0;
    for (int arm = 0; arm < spec.arms().size(); arm++) {
      List<AuditFinding> findings = bandit.audit(modelState, context, arm, t);
      List<EffectFinding> wanted = wanted(spec, naive, context, arm, t);
      assertEquals(wanted.size(), findings.size());
      double worst = 0;
      for (int i = 0; i < wanted.size(); i++) {
        assertSame(wanted.get(i), findings.get(i).effect());
        worst = Math.max(worst, findings.get(i).effect().worst());
      }
      if (worst <= spec.fairness().tau()) {
        fair++;
        greatest = Math.max(greatest, naive.index(context, arm, .5, t));
      }
      if (arm == choice.arm()) {
        assertEquals(choice.certified(), worst <= spec.fairness().tau());
      }
    }
    assertEquals(fair, choice.fairSetSize());
    assertEquals(fair == 0, choice.reason().isWithoutCertificate());
    if (fair > 0) {
      assertEquals(greatest, choice.index(), 2e-9);
    }
  }

  private static List<EffectFinding> wanted(
      SegmentSpec spec, NaiveModel naive, int[] context, int arm, long t) {
    List<EffectFinding> wanted = new ArrayList<>();
    for (int place : spec.variables().sensitive()) {
      SpecVariable variable = spec.variables().features().get(place);
      for (int s = 0; s < variable.disclosedLevels(); s++) {
        for (int other = 0; other < variable.disclosedLevels(); other++) {
          boolean isFactual = context[place] == s || context[place] == variable.undisclosed();
          if (isFactual && s != other) {
            wanted.add(naive.effect(context, arm, place, s, other, t));
          }
        }
      }
    }
    return wanted;
  }

  private static void assertSame(EffectFinding wanted, EffectFinding auditEffect) {
    String both = wanted + " / " + auditEffect;
    assertEquals(wanted.attribute(), auditEffect.attribute(), both);
    assertEquals(wanted.factual(), auditEffect.factual(), both);
    assertEquals(wanted.counterfactual(), auditEffect.counterfactual(), both);
    assertEquals(wanted.lower(), auditEffect.lower(), TOLERANCE, both);
    assertEquals(wanted.upper(), auditEffect.upper(), TOLERANCE, both);
    assertEquals(wanted.estimate(), auditEffect.estimate(), TOLERANCE, both);
    assertEquals(wanted.unsupportedShare(), auditEffect.unsupportedShare(), 1e-9, both);
    assertTrue(auditEffect.isIdentified() || !wanted.isIdentified(), both);
    assertEquals(wanted.leverage() == null, auditEffect.leverage() == null, both);
    if (wanted.leverage() != null && auditEffect.leverage() != null) {
      assertEquals(wanted.leverage(), auditEffect.leverage(), 1e-9, both);
    }
  }

  private static int[] randomContext(SegmentSpec spec, SplittableRandom random) {
    return spec.variables().features().stream()
        .mapToInt(feature -> random.nextInt(CellLayout.size(feature)))
        .toArray();
  }
}
