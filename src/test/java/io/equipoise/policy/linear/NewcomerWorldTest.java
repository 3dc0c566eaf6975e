package io.equipoise.policy.linear;

import static org.assertj.core.api.Assertions.assertThat;

import io.equipoise.Tier;
import io.equipoise.event.AuditVerdict;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.linear.NewcomerWorld.Person;
import io.equipoise.segment.TestSpecs;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When the policy of the {@linkplain NewcomerWorld new user's segment} gets its certificates. */
class NewcomerWorldTest {
  /** What a run comes to. */
  private static final class Run {
    private final Policy bandit;
    private final MemoryModelState blocks = new MemoryModelState();
    private final NewcomerWorld world;
    private final int seed;
    private final double[] effects;
    private int first;
    private int wronglyCertified;
    private int certified;
    private int unfairlyPlayed;
    private final int[] played = new int[NewcomerWorld.OFFERS];

    Run(String text, int seed, double... effects) {
      bandit = TestSpecs.compiled(text).policy();
      world = new NewcomerWorld(seed, effects);
      this.seed = seed;
      this.effects = effects;
    }

    Run play(int decisions) {
      List<Candidate> offers =
          List.of(
              new Candidate("offer=small", 0, Profile.of(0)),
              new Candidate("offer=large", 1, Profile.of(1)),
              new Candidate("offer=none", 2, Profile.of(2)));
      for (int t = 1; t <= decisions; t++) {
        Person person = world.next();
        Request request = new Request(person.profile(), offers, true, NewcomerWorld.OFFERS);
        SeededRandom draw = new SeededRandom(seed, "loans", "d" + t);
        AuditedChoice audited = bandit.decide(blocks, request, t, draw, ClippedIndex.NONE);
        int arm = audited.choice().arm();
        boolean isCertified =
            AuditFinding.gravest(audited.findings()) == AuditVerdict.CERTIFIED_FAIR;
        first = first == 0 && isCertified ? t : first;
        certified += isCertified ? 1 : 0;
        wronglyCertified += isCertified && effects[arm] > .1 ? 1 : 0;
        unfairlyPlayed += effects[arm] > .1 ? 1 : 0;
        played[arm]++;
        double reward = world.reward(person, arm);
        bandit.learn(
            blocks,
            new Experience(
                person.profile().levels(),
                bandit.inputs(request, arm),
                arm,
                arm,
                new int[0],
                reward),
            t);
      }
      return this;
    }
  }

  @Test
  void theFirstCertificateComesBeforeSixThousandDecisionsUnderUniformExploration() {
    Run run =
        new Run(NewcomerWorld.text("  explore: {share: 0.1, over: all}", ""), 1, 0, .25, 0)
            .play(6000);
    Tier.found(getClass(), "first certificate, uniform exploration", run.first);
    assertThat(run.first).isBetween(500, 6000);
    assertThat(run.wronglyCertified).isZero();
  }

  @Test
  void theEllipsoidAloneCertifiesNothingInThatTime() {
    String ellipsoid = ", certificates: {interval: ellipsoid}";
    Run run =
        new Run(NewcomerWorld.text("  explore: {share: 0.1, over: all}", ellipsoid), 1, 0, .25, 0)
            .play(6000);
    assertThat(run.first).isZero();
  }

  @Test
  void theFirstCertificateComesBeforeThreeAndAHalfThousandDecisionsWhileItEarns() {
    int seeds = 5;
    int[] first = new int[seeds];
    long certified = 0;
    for (int seed = 0; seed < seeds; seed++) {
      Run run =
          new Run(NewcomerWorld.text("  explore: balanced", ""), seed + 1, 0, .25, 0).play(20_000);
      first[seed] = run.first;
      certified += run.certified;
      assertThat(run.first).isGreaterThan(500);
      assertThat(run.wronglyCertified).isZero();
      assertThat(run.played[0]).as("the better of two fair offers").isGreaterThan(13_000);
      assertThat(run.unfairlyPlayed).isLessThan(2500);
    }
    Arrays.sort(first);
    Tier.found(getClass(), "first certificate, balanced, median", first[seeds / 2]);
    assertThat(first[seeds / 2]).isLessThan(3500);
    assertThat(certified).isGreaterThan(15_000L * seeds);
  }

  /** Every offer has an effect of just above tau, so any certificate is false. */
  @Test
  void certificatesAtTheBorderAreFalseInAtMostDeltaOfTheRuns() {
    int runs = Tier.count(4, 2000);
    double border = .1 + 1e-7;
    int wrong = 0;
    for (int seed = 0; seed < runs; seed++) {
      Run run =
          new Run(NewcomerWorld.text("  explore: balanced", ""), seed, border, border, border);
      wrong += run.play(4000).wronglyCertified > 0 ? 1 : 0;
    }
    Tier.foundShare(getClass(), "ridge: runs with a false certificate at the border", wrong, runs);
    assertThat(wrong).isLessThanOrEqualTo(runs / 20);
  }
}
