package io.equipoise.policy.bestarm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.EliminationReason;
import io.equipoise.policy.bestarm.Conclusion.BestFairArm;
import io.equipoise.policy.bestarm.Conclusion.By;
import io.equipoise.policy.bestarm.Conclusion.NoFairArm;
import io.equipoise.policy.bestarm.Design.PhasePlan;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class DesignTest {
  private static final CsrModel MODEL = RandomModels.model(new SplittableRandom(5), 3, 2, 2);

  private static void assertRefused(String why, Executable made) {
    String message = assertThrows(IllegalArgumentException.class, made).getMessage();
    assertTrue(message.contains(why), message);
  }

  @Test
  void aDesignThatCouldCertifyNothingIsRefusedWithTheRemedy() {
    assertRefused(
        "3/2^n = 0.046875 is not below E = 0.03; take E above it, or T of at least 41",
        () -> Fixtures.design(MODEL, Algorithm.CSR_V2, Mode.NATURAL, 40, .03));
    assertEquals(7, Fixtures.design(MODEL, Algorithm.CSR_V2, Mode.NATURAL, 41, .03).plan().size());
    Fixtures.design(MODEL, Algorithm.TS_V2, Mode.NATURAL, 40, .03);
  }

  @Test
  void whatCannotBeIsRefused() {
    assertRefused("E must be above 0", () -> design(1000, 0));
    assertRefused("E must be above 0", () -> design(1000, Double.NaN));
    assertRefused("T must be at least 1", () -> design(0, .5));
    assertRefused("buys no arm", () -> new Costs(new double[] {.5, 1}, .1));
    assertRefused("arm 1 costs -1.0", () -> new Costs(new double[] {0, -1}, .1));
    assertRefused(
        "2 arms have costs, 3 have tables",
        () ->
            new Design(
                MODEL,
                new Design.Settings(
                    Algorithm.CSR_V2, Mode.NATURAL, FairnessEstimate.DIRECT, 1000, .5, .05),
                new Costs(new double[] {0, 1}, .1)));
  }

  private static Design design(int samples, double bound) {
    return new Design(
        MODEL,
        new Design.Settings(
            Algorithm.CSR_V2, Mode.NATURAL, FairnessEstimate.DIRECT, samples, bound, .05),
        Costs.paper(3, 0, 1000));
  }

  @Test
  void nothingIsDroppedBeforeAnArmIsCertifiedFair() {
    SearchVerdict searchVerdict = joint(4, estimates(new double[] {0, 1, .2}, .45, -.6, .9), .2);
    assertTrue(searchVerdict.isGateClosed(), "0.45 and 0.9 are certainly unfair, but none is fair");
    assertEquals(3, searchVerdict.after().cardinality());
    searchVerdict = joint(4, estimates(new double[] {.5, 1, .2}, .01, -.6, .1), .2);
    assertEquals(set(0), searchVerdict.fair());
    assertEquals(0, searchVerdict.leader());
    assertEquals(set(0, 2), searchVerdict.after(), "0.1 is in the band");
    assertEquals(
        List.of(EliminationReason.UNFAIR_SS1_LOW, EliminationReason.UNFAIR_S1S_HIGH),
        searchVerdict.eliminated().stream().map(Elimination::reason).toList());
  }

  @Test
  void anArmWithoutAnEstimateIsNeitherCertifiedNorDropped() {
    SearchVerdict searchVerdict =
        joint(6, estimates(new double[] {.5, Double.NaN, 0}, .01, .01, Double.NaN), .2);
    assertEquals(set(0), searchVerdict.fair());
    assertTrue(searchVerdict.after().get(1));
    assertEquals(
        set(0, 1), searchVerdict.after(), "0 + 5/64 is below 0.5: sub-optimal whatever its effect");
  }

  @Test
  void aSingleArmMustStillBeCertified() {
    CsrModel one = RandomModels.model(new SplittableRandom(5), 1, 2, 2);
    Design design = Fixtures.design(one, Algorithm.CSR_V2, Mode.NATURAL, 2000, .2);
    BatchSearch.Result fair =
        new BatchSearch(design)
            .run(
                (phase, quota, into) -> {
                  for (int i = 0; i < quota[0][0]; i++) {
                    into.add(0, i % 2, 0, 0, 0, 0);
                  }
                });
    assertEquals(new BestFairArm(0, By.LAST_STANDING), fair.conclusion());
    assertEquals(4, fair.verdicts().size(), "3/2^4 is the first error below 0.2");
    BatchSearch.Result nothing = new BatchSearch(design).run((phase, quota, into) -> {});
    assertEquals(new NoFairArm(false), nothing.conclusion(), "no sample certifies nothing");
  }

  @Test
  void theLastArmStandingEndsTheSearchAndTheLastPhaseAlwaysDoes() {
    SearchVerdict last = joint(6, estimates(new double[] {.9, .1, .1}, 0, 0, 0), .5);
    assertEquals(new BestFairArm(0, By.LAST_STANDING), last.end().orElseThrow());
    last = joint(9, estimates(new double[] {.5, .5, .1}, 0, 0, 0), .5);
    assertEquals(
        new BestFairArm(0, By.ARGMAX_OF_FAIR), last.end().orElseThrow(), "the first of equals");
    last = joint(9, estimates(new double[] {.5, .5, .1}, .9, .9, .9), .5);
    assertEquals(new NoFairArm(true), last.end().orElseThrow());
    last = joint(9, estimates(new double[] {.5, .5, .1}, .9, .5, .9), .5);
    assertEquals(new NoFairArm(false), last.end().orElseThrow(), "0.5 is in the band");
  }

  private static SearchVerdict joint(int l, Estimates estimates, double bound) {
    List<Phase> plan = PhasePlan.of(Algorithm.CSR_V2, 2000);
    return new Search(plan, bound).close(plan.get(l - 1), set(0, 1, 2), estimates);
  }

  private static Estimates estimates(double[] reward, double... effect) {
    double[] opposite = new double[effect.length];
    for (int k = 0; k < effect.length; k++) {
      opposite[k] = -effect[k];
    }
    double[] ones = {1, 1, 1};
    return new Estimates(
        new Ipw(reward, ones, ones), new Ipw(effect, ones, ones), new Ipw(opposite, ones, ones));
  }

  private static BitSet set(int... arms) {
    BitSet set = new BitSet();
    for (int arm : arms) {
      set.set(arm);
    }
    return set;
  }
}
