package io.equipoise.privacy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.event.AuditedEffect;
import io.equipoise.event.CumulativeViolation;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ExcludedCandidate;
import io.equipoise.event.ExperimentDesign;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.PhaseCounts;
import io.equipoise.event.RefutedBounds;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.TerminalAudit;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nobody adds a field to an output without a thought of what it tells. */
class KnownFieldsTest {
  @Test
  void whatBecomesOfEveryFieldOfDecisionsWasThoughtOf() {
    assertKnown(
        Decision.class,
        """
        decisionId segment writerEpoch seq arm candidates propensities
        propensityRuns propensityKind index mean width policy specHash specVersion boundsHash
        boundsVersion modelFingerprint eventTime contextTopic contextPartition
        contextOffset features candidateFeatures reason certified fairSetSize
        errorCode phase sampleType keyGroup recovered redaction
        propensityDraws
        """);
  }

  @Test
  void whatBecomesOfEveryFieldOfSegmentEventsWasThoughtOf() {
    assertKnown(
        SegmentEvent.class,
        """
type segment writerEpoch seq decisionId decisionHash decisionSeq
rewardId eventTime arm shownArm propensity features mediators reward
learned learnedReward modelFingerprint specHash specVersion arms boundsHash
boundsVersion stateReset reason previousSpecHash specTextLost
extendedVariables previousBoundsHash abortReason modelRetained
rewardTopic rewardPartition rewardOffset redaction propensities propensityRuns propensityKind propensityDraws assumption bounds
""");
    assertKnown(RefutedBounds.class, "context lower upper estimate estimateLower estimateUpper");
  }

  @Test
  void whatBecomesOfEveryFieldOfFairnessAuditsWasThoughtOf() {
    assertKnown(
        FairnessAudit.class,
        """
        decisionId segment writerEpoch seq eventTime policy specHash specVersion arm
        certified explored fairSetSize effect threshold verdict guarantee
        refutedAssumption dual excluded cumulativeViolation redaction
        """);
    assertKnown(
        AuditedEffect.class,
        """
        attribute factual counterfactual kind identified estimate lower upper
        unsupportedShare leverage interval information imbalance
        """);
    assertKnown(ExcludedCandidate.class, "arm reward verdict estimate lower upper");
    assertKnown(CumulativeViolation.class, "estimated upper signed");
  }

  @Test
  void whatBecomesOfEveryFieldOfExperimentRecordsWasThoughtOf() {
    assertKnown(
        ExperimentRecord.class,
        """
        segment writerEpoch seq eventTime policy specHash specVersion design phase
        terminal redaction
        """);
    assertKnown(
        ExperimentDesign.class,
        """
        attribute groups threshold mode estimate specArms control samples phases
        budget
        """);
    assertKnown(
        PhaseAudit.class,
        """
        place stage number samples epsilon effectBand rewardBand level allocation
        counts costSpent arms fair leader gateClosed eliminated after statsHash
        """);
    assertKnown(PhaseCounts.class, "arrived missing late notSampled rewardsLate rewardsDuplicate");
    assertKnown(
        TerminalAudit.class,
        """
        kind arm by place margin delta guarantee runnerUp runnerUpReward proved
        abortReason samples costSpent arms
        """);
  }

  @Test
  void whatBecomesOfEveryFieldOfSegmentMetricsWasThoughtOf() {
    assertKnown(
        SegmentMetrics.class,
        """
        segment writerEpoch seq policy specHash specVersion modelFingerprint
        eventTime trigger rounds contexts decisions rewards verdicts fallbacks
        violations cumulativeViolation groups groupDifference arms digest
        pendingDigest auditedDecisions cumulativeUpperViolation cumulativeSignedViolation
        noOverlapShare overlapAlarm suppressedGroups redaction armsLeftOut
        decisionsLeftOut groupDifferenceOf previousSeq assumptionsTested
        assumptionsRefuted assumptionsUntested certificates
        """);
  }

  @Test
  void whatBecomesOfEveryFieldOfDeadLettersWasThoughtOf() {
    assertKnown(
        DeadLetter.class,
        """
        code message variables limitBytes recovered topic partition offset
        appendTime segment decisionId key value truncated redaction writerEpoch seq
        """);
  }

  private static void assertKnown(Class<? extends Record> type, String known) {
    List<String> names =
        Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).toList();
    assertEquals(
        List.of(known.strip().split("\\s+")),
        names,
        "decide where "
            + type.getSimpleName()
            + " is redacted what a new field tells of a person's sensitive attributes, then list it here and"
            + " in docs/privacy-fields.md's table of what is hidden");
  }
}
