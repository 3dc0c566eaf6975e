package io.equipoise.bandit.constraint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.bandit.constraint.DualPenalty.Cost;
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
  void aConstantAddedToEveryValueChangesNoChoiceAndRelabellingRelabels() {
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
        int relabelled = rule.select(TestProspects.of(turned, turnedEffects), duals, 0).candidate();
        assertEquals(k - 1 - chosen, relabelled, where);
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
}
