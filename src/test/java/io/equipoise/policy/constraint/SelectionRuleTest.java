package io.equipoise.policy.constraint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.policy.constraint.DualPenalty.Cost;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SelectionRuleTest {
  private static final List<EffectLimit> LIMITS = List.of(new EffectLimit(.2, 0));
  private static final DualPenalty PENALTY =
      new DualPenalty(LIMITS, 10, DualSchedule.fixed(100), Cost.ESTIMATE);
  private static final ShrinkingScreen SCREEN = new ShrinkingScreen(PENALTY, .5);

  /** Better paid and undecided, known to be fair, best paid and known to be unfair. */
  private static final TestProspects THREE =
      TestProspects.of(
          new double[] {.8, .6, .9},
          new EffectSize(.1, 0, .75),
          new EffectSize(.05, 0, .15),
          new EffectSize(.5, .4, .6));

  private static DualBlock after(long decisions) {
    DualBlock duals = new DualBlock(1);
    for (long i = 0; i < decisions; i++) {
      duals.advance(new double[] {0});
    }
    return duals;
  }

  @Test
  void theLagrangianWithoutAPhiTakesTheBestPaidAndWithOneTheFairest() {
    Lagrangian rule = new Lagrangian(PENALTY);
    assertEquals(2, rule.select(THREE, after(0), 0).candidate());
    DualBlock duals = new DualBlock(1);
    duals.advance(new double[] {10});
    Selection fair = rule.select(THREE, duals, 0);
    assertEquals(1, fair.candidate());
    assertEquals(-1, fair.allowed());
    assertEquals(.6 - 10 * (.05 - .2), fair.score(), 1e-12);
  }

  @Test
  void theHardConstraintTakesOnlyWhatIsCertifiedAndElseTheLeastExcess() {
    HardConstraint rule = new HardConstraint(LIMITS);
    Selection certified = rule.select(THREE, after(0), 0);
    assertEquals(1, certified.candidate());
    assertEquals(1, certified.allowed());
    TestProspects none =
        TestProspects.of(
            new double[] {.9, .1}, new EffectSize(.3, 0, .9), new EffectSize(.1, 0, .3));
    Selection fallback = rule.select(none, after(0), 0);
    assertEquals(1, fallback.candidate());
    assertTrue(fallback.isFallback());
  }

  /**
   * Else one that is known to be unfair would be played for ever where the others' ends are wide.
   */
  @Test
  void whatIsKnownToBeUnfairIsAFallbackOnlyWhereAllIs() {
    ShrinkingScreen tight = new ShrinkingScreen(PENALTY, 0);
    EffectSize unfair = new EffectSize(.5, .4, .6);
    EffectSize unknown = new EffectSize(0, 0, 1);
    for (SelectionRule rule : List.of(new HardConstraint(LIMITS), tight)) {
      TestProspects some =
          TestProspects.of(new double[] {.9, .1, .1}, unfair, unknown, new EffectSize(.2, .2, .9));
      assertEquals(2, rule.select(some, after(0), 0).candidate());
      TestProspects all =
          TestProspects.of(new double[] {.1, .9}, unfair, new EffectSize(.6, .3, .9));
      assertEquals(0, rule.select(all, after(0), 0).candidate());
    }
    HardConstraint tighter = new HardConstraint(List.of(new EffectLimit(.2, .15)));
    TestProspects certified =
        TestProspects.of(new double[] {.9, .1}, unknown, new EffectSize(.15, .1, .2));
    Selection fallback = tighter.select(certified, after(0), 0);
    assertEquals(1, fallback.candidate(), "beyond tau - eps, and yet not unfair");
    assertTrue(fallback.isFallback());
  }

  @Test
  void theScreenAllowsTheSlackAtFirstAndLessLaterAndNeverWhatIsUnfair() {
    assertEquals(.5, SCREEN.slack(1));
    assertEquals(.25, SCREEN.slack(8), 1e-15);
    TestProspects undecided =
        TestProspects.of(
            new double[] {.8, .6, .9},
            new EffectSize(.1, 0, .6),
            new EffectSize(.05, 0, .15),
            new EffectSize(.5, .4, .6));
    assertEquals(0, SCREEN.select(undecided, after(0), 0).candidate());
    Selection later = SCREEN.select(undecided, after(7), 0);
    assertEquals(1, later.candidate());
    assertEquals(1, later.allowed());
    assertFalse(later.isFallback());
  }

  @Test
  void theScreenWithoutSlackIsTheHardConstraint() {
    ShrinkingScreen tight = new ShrinkingScreen(PENALTY, 0);
    HardConstraint hard = new HardConstraint(LIMITS);
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 500; i++) {
      double[] paid = {random.nextDouble(), random.nextDouble(), random.nextDouble()};
      EffectSize[] effects = new EffectSize[3];
      for (int arm = 0; arm < 3; arm++) {
        double low = random.nextDouble() / 4;
        double high = low + random.nextDouble() / 4;
        effects[arm] = new EffectSize((low + high) / 2, low, high);
      }
      TestProspects prospects = TestProspects.of(paid, effects);
      Selection expected = hard.select(prospects, after(i % 9), 0);
      Selection found = tight.select(prospects, after(i % 9), 0);
      assertEquals(expected, found, "case " + i);
      boolean[] allowed = tight.allowed(prospects, after(i % 9));
      assertEquals(!expected.isFallback(), allowed[expected.candidate()]);
    }
  }

  @Test
  void wantedIsTheBetterPaidUndecidedWithTheGreatestExcess() {
    assertEquals(0, SCREEN.wanted(THREE, after(0), 1));
    assertEquals(-1, SCREEN.wanted(THREE, after(0), 0));
    assertTrue(SCREEN.mayBeFair(THREE, 0));
    assertFalse(SCREEN.mayBeFair(THREE, 2));
  }

  @Test
  void tiesGoToTheFirstVisitedFromTheStart() {
    EffectSize fair = new EffectSize(0, 0, 0);
    TestProspects equal = TestProspects.of(new double[] {.5, .5, .5}, fair, fair, fair);
    for (SelectionRule rule :
        List.of(new Lagrangian(PENALTY), new HardConstraint(LIMITS), SCREEN)) {
      for (int start = 0; start < 3; start++) {
        assertEquals(start, rule.select(equal, after(0), start).candidate());
      }
    }
  }

  @Test
  void aConstantAddedToEveryValueChangesNoChoiceAndRelabelingRelabels() {
    for (long seed = 1; seed <= 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int k = 2 + random.nextInt(6);
      double[] value = random.doubles(k).toArray();
      double[] shifted = new double[k];
      double[] turned = new double[k];
      EffectSize[] effects = new EffectSize[k];
      EffectSize[] turnedEffects = new EffectSize[k];
      for (int i = 0; i < k; i++) {
        double low = random.nextDouble(.3);
        double high = low + random.nextDouble(.5);
        effects[i] = new EffectSize((low + high) / 2, low, high);
        shifted[i] = value[i] + .25;
        turned[k - 1 - i] = value[i];
        turnedEffects[k - 1 - i] = effects[i];
      }
      DualBlock duals = new DualBlock(1);
      duals.advance(new double[] {random.nextDouble(3)});
      for (SelectionRule rule :
          List.of(new Lagrangian(PENALTY), new HardConstraint(LIMITS), SCREEN)) {
        int chosen = rule.select(TestProspects.of(value, effects), duals, 0).candidate();
        String where = rule.getClass().getSimpleName() + ", seed " + seed;
        assertEquals(
            chosen, rule.select(TestProspects.of(shifted, effects), duals, 0).candidate(), where);
        int relabeled = rule.select(TestProspects.of(turned, turnedEffects), duals, 0).candidate();
        assertEquals(k - 1 - chosen, relabeled, where);
      }
    }
  }

  @Test
  void twoConstraintsMustBothHold() {
    List<EffectLimit> two = List.of(new EffectLimit(.2, 0), new EffectLimit(.1, 0));
    TestProspects prospects =
        new TestProspects(
            new double[] {.9, .5},
            new double[] {.9, .5},
            new EffectSize[][] {
              {new EffectSize(0, 0, .1), new EffectSize(.05, 0, .3)},
              {new EffectSize(0, 0, .1), new EffectSize(.05, 0, .1)}
            });
    assertEquals(1, new HardConstraint(two).select(prospects, new DualBlock(2), 0).candidate());
  }

  /** Sizes that are known by bounds first; counts how often that was not enough. */
  private static final class Bounded implements CandidateScores {
    private final TestProspects exact;
    private final SplittableRandom random;
    private final double room;
    private int asked;

    Bounded(TestProspects exact, double room, long seed) {
      this.exact = exact;
      this.room = room;
      random = new SplittableRandom(seed);
    }

    @Override
    public int candidates() {
      return exact.candidates();
    }

    @Override
    public int constraints() {
      return 1;
    }

    @Override
    public double mean(int candidate) {
      return exact.mean(candidate);
    }

    @Override
    public double optimistic(int candidate) {
      return exact.optimistic(candidate);
    }

    @Override
    public EffectSize effect(int candidate, int constraint) {
      asked++;
      return exact.effect(candidate, constraint);
    }

    @Override
    public double estimate(int candidate, int constraint) {
      return exact.effect(candidate, constraint).estimate();
    }

    @Override
    public EffectBounds bounds(int candidate, int constraint) {
      EffectSize size = exact.effect(candidate, constraint);
      return new EffectBounds(
          new EffectSize(size.estimate(), size.low() - some(), size.high() - some()),
          new EffectSize(size.estimate(), size.low() + some(), size.high() + some()));
    }

    private double some() {
      return random.nextInt(3) == 0 ? 0 : room * random.nextDouble();
    }
  }

  @Test
  void boundsChangeNoSelectionAndSpareMostSizes() {
    int asked = 0;
    int candidates = 0;
    for (long seed = 1; seed <= 3000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double[] optimistic = random.doubles(1 + random.nextInt(12)).toArray();
      EffectSize[] effects = new EffectSize[optimistic.length];
      double floor = random.nextInt(3) == 0 ? .25 : 0;
      for (int i = 0; i < effects.length; i++) {
        double low = floor + random.nextInt(8) / 20.0;
        double high = low + random.nextInt(8) / 20.0 + (random.nextInt(4) == 0 ? 1e-13 : 0);
        effects[i] = new EffectSize((low + high) / 2, low, high);
      }
      TestProspects exact = TestProspects.of(optimistic, effects);
      DualBlock duals = after(random.nextInt(500));
      int start = random.nextInt(optimistic.length);
      for (SelectionRule rule : List.of(SCREEN, new HardConstraint(LIMITS))) {
        Bounded bounded = new Bounded(exact, .1, seed);
        assertEquals(
            rule.select(exact, duals, start), rule.select(bounded, duals, start), "seed " + seed);
        asked += bounded.asked;
        candidates += optimistic.length;
      }
    }
    assertTrue(asked < candidates / 2, asked + " sizes of " + candidates + " candidates");
  }
}
