package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.Aggregate;
import io.equipoise.segmentspec.DefaultReward;
import io.equipoise.segmentspec.JoinSpec;
import io.equipoise.segmentspec.RewardRule;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Logs of a job that does something else than its spec says, is at one with itself about it, and
 * writes the digests of what it did.
 */
class MisreadSpecTest {
  private static final long SEED = 7;

  private static PlayedDeployment played(UnaryOperator<SegmentSpec> misread) {
    Map<CompiledSpec, CompiledSpec> read = new HashMap<>();
    return new PlayedDeployment(
            SEED,
            500,
            spec -> read.computeIfAbsent(spec, it -> CompiledSpec.of(misread.apply(it.spec()))))
        .ended();
  }

  private static SegmentSpec aggregating(SegmentSpec spec, Aggregate how) {
    JoinSpec join = spec.join();
    return join.aggregate() == Aggregate.FIRST
        ? spec
        : Tamper.with(spec, "join", Tamper.with(join, "aggregate", how));
  }

  private static SegmentSpec silentlyEarning(SegmentSpec spec, double value) {
    RewardRule rule = spec.reward();
    DefaultReward given = rule.byDefault();
    return given == null
        ? spec
        : Tamper.with(
            spec,
            "reward",
            Tamper.with(rule, "byDefault", new DefaultReward(value, given.mediators())));
  }

  private static void assertNames(PlayedDeployment played, String segment, String... why) {
    List<Finding> findings = new Auditor(played.log, played.texts(), AuditorTest.PLAIN).check();
    TamperedLog.assertNames(findings, Invariant.I3, "segment " + segment + ", seq ", why);
    TamperedLog.assertClean(
        findings, Invariant.I1, Invariant.I2, Invariant.I4, Invariant.I6, Invariant.I7);
  }

  @Test
  void aJobThatReadsItsSpecsRightIsClean() {
    PlayedDeployment played = played(spec -> spec);
    Auditor auditor = new Auditor(played.log, played.texts(), AuditorTest.PLAIN);
    for (Finding finding : auditor.check().subList(0, 7)) {
      assertEquals(Verdict.OK, finding.verdict(), finding.toString());
      assertTrue(finding.checked() > 0, finding.toString());
    }
  }

  @Test
  void anotherAggregateThanTheSpecsIsNamed() {
    assertNames(played(spec -> aggregating(spec, Aggregate.MAX)), "s3", "modelFingerprint at seq ");
  }

  @Test
  void anotherDefaultThanTheSpecsIsNamed() {
    assertNames(played(spec -> silentlyEarning(spec, 0.125)), "s4", "modelFingerprint at seq ");
  }
}
