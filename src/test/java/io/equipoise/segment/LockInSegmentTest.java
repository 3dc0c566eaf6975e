package io.equipoise.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.equipoise.event.ArmCertificate;
import io.equipoise.event.CertificateStatus;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.segment.replay.ReplayOracle;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What snapshots say of arms that are not certified. */
@Tag("slow")
class LockInSegmentTest {
  private static final int ROUNDS = 3_000;

  /** The second arm pays more; the first is certified first. */
  private static Scenario played(String explore) {
    SpecVariant spec =
        SpecVariant.of(
            "linucb, constraint: hard, model: disjoint, alpha: 0.45, features: [intercept,"
                + " one-hot: S], explore: "
                + explore);
    Scenario scenario = Scenario.under(spec.text());
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < ROUNDS; i++) {
      String s = random.nextBoolean() ? "a" : "b";
      scenario.context("d" + i, i, Map.of("S", s, "X", "low"));
      String arm = scenario.log.decisions.get(scenario.log.decisions.size() - 1).arm();
      double p = "A=left".equals(arm) ? .4 : .6;
      double reward = random.nextDouble() < p ? 1 : 0;
      scenario.reward("d" + i, "r", i + 0.5, reward, Map.of("M", "0"));
    }
    return scenario;
  }

  private static List<ArmCertificate> last(Scenario scenario) {
    List<SegmentMetrics> metrics = scenario.log.metrics;
    return metrics.get(metrics.size() - 1).fairness().certificates();
  }

  @Test
  void aShareTooSmallToCertifyTheBetterArmRingsTheAlarmAndReplaysExactly() {
    Scenario scenario = played("{share: 0.004, over: all}");
    List<ArmCertificate> certificates = last(scenario);
    assertThat(certificates).hasSize(2);
    ArmCertificate better = certificates.get(0);
    assertThat(better.arm()).isEqualTo("A=right");
    assertThat(better.attribute()).isEqualTo("S");
    assertThat(better.status()).isEqualTo(CertificateStatus.OPEN);
    assertThat(better.lockedIn()).isTrue();
    assertThat(better.rewardsToCertificate()).isBetween(50L, 2_000L);
    assertThat(better.share()).isLessThan(0.01);
    assertThat(certificates.get(1).status()).isEqualTo(CertificateStatus.FAIR);
    assertThat(certificates.get(1).rewardsToCertificate()).isNull();
    scenario.log.replay(new ReplayOracle(scenario.book, new TestBounds()));
  }

  @Test
  void earningWhileCertifyingLocksNoArmIn() {
    Scenario scenario = played("balanced");
    assertThat(scenario.log.metrics)
        .allMatch(it -> it.fairness().certificates().stream().noneMatch(ArmCertificate::lockedIn));
    assertThat(last(scenario))
        .filteredOn(it -> it.arm().equals("A=right"))
        .extracting(ArmCertificate::status)
        .containsExactly(CertificateStatus.FAIR);
    scenario.log.replay(new ReplayOracle(scenario.book, new TestBounds()));
  }
}
