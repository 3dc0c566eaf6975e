package io.equipoise.tools.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.equipoise.Tier;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.FairnessAudit;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.simulation.SegmentDriver;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whether earning while certifying finds the better of two fair offers: a standard loan pays .05
 * more than a small one, and a large one pays men .1 more, but women .25 less than men. One person
 * in ten does not disclose the gender.
 */
@Tag("slow")
class LenderWorldTest {
  private static final int DECISIONS = Tier.count(14_000, 20_000);
  private static final int STANDARD = 1;
  private static final double MOSTLY = 0.8;

  private static final String WORLD =
      """
      base-rate: 0.5
      levels: {gender: {f: 0.45, m: 0.45, undisclosed: 0.1}}
      effects:
        - {offer: standard, effect: 0.05}
        - {offer: large, effect: 0.1}
        - {offer: large, gender: f, effect: -0.25}
        - {age: young, effect: -0.04}
        - {age: old, effect: 0.04}
        - {income: low, effect: -0.03}
        - {income: high, effect: 0.03}
        - {region: south, effect: 0.02}
      """;

  private static final String FEATURES =
      "features: [intercept, one-hot: age, one-hot: income, one-hot: region, one-hot: gender,"
          + " one-hot: offer, product: [{one-hot: gender}, {one-hot: offer}]]";

  /** A policy that explores until arms are certified. For cells only gender and offer count. */
  private enum Lender {
    LINUCB(
        "name: linucb, model: shared, alpha: 0.45, constraint: hard, " + FEATURES,
        "-> repaid",
        6,
        2334),
    SCREEN("name: screen, theta-norm: 5, " + FEATURES, "-> repaid", 8, 2534),
    F_UCB("name: f-ucb", "", 6, 2333);

    private final String policy;
    private final String edges;
    private final int starvedSeed;
    private final int medianFirst;

    /**
     * @param edges from age, income and region
     * @param starvedSeed in which arms that were set aside did not come back
     * @param medianFirst certificate of 20 seeds where 95 % of the decisions are the target's
     */
    Lender(String policy, String edges, int starvedSeed, int medianFirst) {
      this.policy = policy;
      this.edges = edges;
      this.starvedSeed = starvedSeed;
      this.medianFirst = medianFirst;
    }

    CompiledSpec spec() {
      return CompiledSpec.of(
          SpecParser.parse(
              """
              name: loans
              version: 1
              segments: default
              variables:
                age: {role: context, levels: [young, middle, old]}
                income: {role: context, levels: [low, mid, high]}
                region: {role: context, levels: [north, south]}
                gender: {role: sensitive, levels: [f, m], missing: level}
                offer: {role: action, levels: [small, standard, large]}
                repaid: {role: reward}
              graph: "dag { {age income region} %s {gender offer} -> repaid }"
              reward: {range: [0, 1]}
              policy: {%s, explore: balanced}
              fairness: {tau: 0.1}
              join: {reward-window: 1d}
              """
                  .formatted(edges, policy)));
    }
  }

  /**
   * One run.
   *
   * @param first the first certified decision; never if there is none
   * @param wrong certified decisions whose true effect exceeds tau
   * @param share of the better fair arm in the second half
   */
  private record Run(int first, int wrong, double share) {}

  private static Run play(CompiledSpec spec, int seed) {
    World world = World.of(spec.spec(), WorldFile.parse("world", WORLD), null);
    World.People people = world.people(seed);
    SegmentDriver driver = new SegmentDriver(spec, BoundsRegistry.NONE, "lender-" + seed, 1000);
    List<String> arms = spec.spec().arms().list().stream().map(Arm::id).toList();
    int first = Integer.MAX_VALUE;
    int wrong = 0;
    int better = 0;
    for (int t = 1; t <= DECISIONS; t++) {
      Person person = people.next();
      int arm = arms.indexOf(driver.ask("d" + t, person.attributes()).arm());
      if (isCertified(driver.audits())) {
        first = Math.min(first, t);
        wrong += world.truth(person).isUnfair(arm, spec.spec().fairness().tau()) ? 1 : 0;
      }
      better += t > DECISIONS / 2 && arm == STANDARD ? 1 : 0;
      driver.reward("d" + t, 0, people.consequence(person, arm).reward(), Map.of());
    }
    return new Run(first, wrong, 2.0 * better / DECISIONS);
  }

  private static boolean isCertified(List<FairnessAudit> audits) {
    return !audits.isEmpty()
        && audits.stream().allMatch(audit -> audit.verdict() == AuditVerdict.CERTIFIED_FAIR);
  }

  /** The CI tier plays a seed in which another rule set the better fair arm aside for good. */
  @ParameterizedTest
  @EnumSource
  void theBetterFairArmIsPlayedMostlyInTheSecondHalf(Lender lender) {
    CompiledSpec spec = lender.spec();
    List<Run> runs =
        IntStream.rangeClosed(1, 20)
            .filter(seed -> Tier.isFull() || seed == lender.starvedSeed)
            .mapToObj(seed -> play(spec, seed))
            .toList();
    long mostly = runs.stream().filter(run -> run.share() > MOSTLY).count();
    int wrong = runs.stream().mapToInt(Run::wrong).sum();
    double[] firsts = runs.stream().mapToDouble(Run::first).sorted().toArray();
    double median = (firsts[(firsts.length - 1) / 2] + firsts[firsts.length / 2]) / 2;
    Tier.found(
        getClass(),
        lender + ": runs above 80 %, median first certificate, false certificates",
        String.format(Locale.ROOT, "%d of %d, %.0f, %d", mostly, runs.size(), median, wrong));
    assertThat(wrong).isZero();
    assertThat(mostly).isGreaterThanOrEqualTo(Tier.count(1, 19));
    if (Tier.isFull()) {
      assertThat(median).isLessThan(1.15 * lender.medianFirst);
    }
  }
}
