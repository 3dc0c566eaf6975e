package io.equipoise.policy.refutation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.AssumptionKind;
import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.Experience;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.linear.LinearPolicy;
import io.equipoise.policy.tabular.TabularPolicy;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests of assumptions on rewards that are drawn without a policy. */
class AssumptionsTest {
  private static final double DELTA = 0.2;

  /** S has no arrow to R; X, which may be undisclosed, and M have one. */
  private static String text(String reward, String fairness) {
    return """
           name: w
           version: 1
           segments: default
           variables:
             S: {role: sensitive, levels: [s0, s1, s2], missing: reject}
             X: {role: context, levels: [x0, x1], missing: level}
             A: {role: action, levels: [a0, a1]}
             M: {role: mediator, levels: [m0, m1, m2]}
             R: {role: reward}
           graph: "dag { S -> M; A -> M; M -> R; X -> R }"
           arms: all
           distributions:
             cpts:
               M: {given: [S, A], rows: [[s0, a0, 0.2, 0.3, 0.5], [s0, a1, 0.6, 0.1, 0.3],
                                         [s1, a0, 0.1, 0.1, 0.8], [s1, a1, 0.4, 0.4, 0.2],
                                         [s2, a0, 0.3, 0.3, 0.4], [s2, a1, 0.05, 0.9, 0.05]]}
           reward: %s
           policy: {name: d-ucb, separating-set: [M, X]}
           fairness: {tau: 0.1, refutation-delta: %s%s}
           join: {reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}
           metrics: {every: 1000}
           on-incompatible-change: reject
           """
        .formatted(reward, DELTA, fairness);
  }

  private static Assumptions of(String reward, String fairness) {
    SegmentSpec spec = SpecParser.parse(text(reward, fairness));
    return AssumptionPlan.of(spec, TabularPolicy.compile(spec));
  }

  private static final double[][] M = {
    {0.2, 0.3, 0.5},
    {0.6, 0.1, 0.3},
    {0.1, 0.1, 0.8},
    {0.4, 0.4, 0.2},
    {0.3, 0.3, 0.4},
    {0.05, 0.9, 0.05}
  };

  /** Draws rewards whose arm, and so whose row and cell, follows what was paid before. */
  private static final class Stream {
    private final Random random;
    private final double noise;
    private int arm;

    Stream(long seed, double noise) {
      this.random = new Random(seed);
      this.noise = noise;
    }

    Experience next(double effectOfS) {
      int s = random.nextInt(3);
      int x = random.nextInt(3);
      double u = random.nextDouble();
      double[] row = M[2 * s + arm];
      int m = u < row[0] ? 0 : u < row[0] + row[1] ? 1 : 2;
      double mean = 0.1 + 0.2 * m + 0.2 * (x == 1 ? 1 : 0) + effectOfS * (s == 2 ? 1 : 0);
      double reward =
          noise > 0 ? mean + noise * random.nextGaussian() : random.nextDouble() < mean ? 1 : 0;
      Experience experience =
          new Experience(
              new int[] {s, x}, new double[0], arm, new int[] {arm}, arm, new int[] {m}, reward);
      arm = reward > 0.5 ? arm : 1 - arm;
      return experience;
    }
  }

  /** Returns after how many rewards something was refuted, or 0. */
  private static int refutedAfter(
      Assumptions assumptions, MemoryModelState blocks, Stream stream, int most, double effectOfS) {
    for (int i = 1; i <= most; i++) {
      if (assumptions.observe(blocks, stream.next(effectOfS), 0)) {
        return i;
      }
    }
    return 0;
  }

  @Test
  void whatFollowsFromAGraphIsPlannedAndWhatDoesNotIsNot() {
    Assumptions binary = of("{range: [0, 1]}", "");
    assertEquals(
        List.of(
            "P(M | S, A)",
            "R independent of S given M, X",
            "R independent of A given M, X",
            "mean of R given M, X constant over time"),
        binary.tested());
    assertEquals(List.of(), binary.untested());
    Assumptions unbounded = of("{range: [0, 1], bounded: false, scale: 0.3}", "");
    assertEquals(
        List.of(
            "mean of R given M, X from 0.0 to 1.0", "R is sub-Gaussian with scale 0.3 given M, X"),
        unbounded.tested().subList(3, 5));
  }

  @Test
  void aLinearModelIsComparedWhereAllFeaturesAreAlike() {
    String text =
        text("{range: [0, 1]}", "")
            .replace("d-ucb, separating-set: [M, X]", "linucb, features: [intercept, one-hot: X]")
            .replace("S -> M; ", "S -> X; ")
            .replaceAll("(?s)distributions.*reward:", "reward:");
    SegmentSpec spec = SpecParser.parse(text);
    Assumptions linear = AssumptionPlan.of(spec, LinearPolicy.compile(spec));
    assertEquals(
        List.of(
            "coefficients of norm 1.00 at most",
            "intervals of each effect that do not exclude each other",
            "R independent of S given X, arm",
            "mean of R given X, arm constant over time"),
        linear.tested());
    assertEquals("a linear function of the features", linear.untested().get(0).name());
    MemoryModelState blocks = new MemoryModelState();
    assertTrue(refutedAfter(linear, blocks, new Stream(7, 0), 2_000, -0.5) > 0);
    SegmentSpec forgetful =
        SpecParser.parse(text.replace("linucb,", "linucb, forget: {rounds: 100},"));
    assertEquals(1, AssumptionPlan.of(forgetful, LinearPolicy.compile(forgetful)).tested().size());
  }

  @Test
  void aRangeThatIsTooNarrowIsRefuted() {
    Assumptions assumptions = of("{range: [0, 0.4], bounded: false, scale: 0.3}", "");
    MemoryModelState blocks = new MemoryModelState();
    assertTrue(refutedAfter(assumptions, blocks, new Stream(8, 0.3), 2_000, 0) > 0);
    RefutedAssumption refuted = Objects.requireNonNull(assumptions.next(blocks));
    assertEquals(AssumptionKind.RANGE, refuted.kind());
  }

  /** Ville's inequality is sharp for no test here; 0.2 must not be exceeded but by chance. */
  @Test
  void trueAssumptionsAreRefutedAtMostAsOftenAsTheDeltaSays() {
    int runs = Tier.count(60, 2_000);
    int refuted = 0;
    Assumptions binary = of("{range: [0, 1]}", "");
    Assumptions unbounded = of("{range: [0, 1], bounded: false, scale: 0.3}", "");
    for (int seed = 0; seed < runs; seed++) {
      boolean isBinary = seed % 2 == 0;
      refuted +=
          refutedAfter(
                      isBinary ? binary : unbounded,
                      new MemoryModelState(),
                      new Stream(seed, isBinary ? 0 : 0.3),
                      1_500,
                      0)
                  > 0
              ? 1
              : 0;
    }
    Tier.found(AssumptionsTest.class, "true assumptions refuted at 0.2", refuted + "/" + runs);
    double tolerance = 3 * Math.sqrt(DELTA * (1 - DELTA) * runs);
    assertTrue(refuted <= DELTA * runs + tolerance, refuted + " of " + runs);
  }

  /** The e-value of a single row, exactly: an average over all outcomes is 1. */
  @Test
  void theEvidenceAgainstARowHasTheMeanOneOverAllOutcomes() {
    SegmentSpec spec = SpecParser.parse(text("{range: [0, 1]}", ""));
    AssumptionTest table =
        new TableTest(
            spec.distributions().cpt("M").orElseThrow(),
            Objects.requireNonNull(Observed.named("M", spec.variables())),
            new TestStrata(
                List.of(
                    Objects.requireNonNull(Observed.named("S", spec.variables())),
                    Objects.requireNonNull(Observed.named("A", spec.variables())))));
    double mean = 0;
    for (int first = 0; first < 27; first++) {
      int[] ms = {first / 9, first / 3 % 3, first % 3};
      double probability = 1;
      EProcess eProcess = new EProcess(1, (int) table.numbers());
      for (int m : ms) {
        probability *= M[3][m];
        int[] person = {1, 0};
        int[] arm = {1};
        Experience experience = new Experience(person, new double[0], 1, arm, 1, new int[] {m}, 0);
        table.observe(eProcess, new MemoryModelState(), experience, 100);
      }
      assertEquals(3, eProcess.observations);
      mean += probability * StrictMath.exp(eProcess.logTotal);
    }
    assertEquals(1, mean, 1e-12);
  }

  @Test
  void aReadingOfTheBytesGoesOnWithTheSameBits() {
    Assumptions assumptions = of("{range: [0, 1]}", "");
    MemoryModelState blocks = new MemoryModelState();
    MemoryModelState read = new MemoryModelState();
    Stream stream = new Stream(3, 0);
    for (int i = 0; i < 200; i++) {
      Experience experience = stream.next(0);
      assumptions.observe(blocks, experience, 0);
      assumptions.observe(read, experience, 0);
      StateBlock stateBlock = Objects.requireNonNull(read.get(Assumptions.EVIDENCE));
      ByteBuffer bytes = StoredBytes.of(stateBlock);
      read.put(Assumptions.EVIDENCE, StoredBytes.read(new EvidenceBlock(), bytes.flip()));
    }
    assertEquals(blocks, read);
    double most = assumptions.bytes();
    assertTrue(Objects.requireNonNull(blocks.get(Assumptions.EVIDENCE)).byteLength() < most);
  }

  @Test
  void aDependenceIsRefutedOnceAndTheOtherTestsGoOn() {
    Assumptions assumptions = of("{range: [0, 1]}", "");
    MemoryModelState blocks = new MemoryModelState();
    Stream stream = new Stream(4, 0);
    int after = refutedAfter(assumptions, blocks, stream, 2_000, -0.3);
    assertTrue(after > 0, "not within 2,000 rewards");
    RefutedAssumption refuted = Objects.requireNonNull(assumptions.next(blocks));
    assertEquals("R independent of S given M, X", refuted.name());
    assertEquals(AssumptionKind.INDEPENDENCE, refuted.kind());
    assertNull(assumptions.next(blocks));
    assertTrue(assumptions.isAnyRefuted(blocks));
    assertEquals(List.of(refuted.name()), assumptions.refuted(blocks));
    assertEquals(0, refutedAfter(assumptions, blocks, stream, 300, -0.3));
    assertNotNull(assumptions.lasting(blocks));
  }

  @Test
  void aScaleThatIsTooSmallIsRefuted() {
    Assumptions assumptions = of("{range: [0, 1], bounded: false, scale: 0.2}", "");
    MemoryModelState blocks = new MemoryModelState();
    int after = refutedAfter(assumptions, blocks, new Stream(5, 0.3), 2_000, 0);
    assertTrue(after > 0, "not within 2,000 rewards");
    RefutedAssumption refuted = Objects.requireNonNull(assumptions.next(blocks));
    assertEquals(AssumptionKind.SCALE, refuted.kind());
    assertEquals(Map.of(), refuted.cell());
  }

  @Test
  void evidenceGoesOnUnderASpecThatAssumesTheSameAndStartsAtNothingWhereItDoesNot() {
    Assumptions before = of("{range: [0, 1]}", "");
    MemoryModelState blocks = new MemoryModelState();
    Stream stream = new Stream(6, 0);
    assertEquals(0, refutedAfter(before, blocks, stream, 50, 0));
    SegmentSpec changed =
        SpecParser.parse(text("{range: [0, 1]}", "").replace("0.2, 0.3, 0.5", "0.3, 0.2, 0.5"));
    Assumptions after = AssumptionPlan.of(changed, TabularPolicy.compile(changed));
    after.observe(blocks, stream.next(0), 0);
    EvidenceBlock evidence = (EvidenceBlock) Objects.requireNonNull(blocks.get(-3));
    assertEquals(1, evidence.tests.get(0).observations, "the table is another");
    assertTrue(evidence.tests.get(3).observations > 20, "the cells are the same");
    assertFalse(after.isAnyRefuted(blocks));
  }
}
