package io.equipoise.join.disclosure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Outcome;
import io.equipoise.event.SegmentMetrics;
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
        decisionId segment shard attempt seq arm candidates propensities
        propensityKind index mean width policy specHash specNumber priorHash
        priorNumber modelFingerprint eventTime contextTopic contextPartition
        contextOffset features candidateFeatures why certified fairSetSize
        errorCode phase sampleType keyGroup recovered hidden
        propensityDraws
        """);
  }

  @Test
  void whatBecomesOfEveryFieldOfOutcomesWasThoughtOf() {
    assertKnown(
        Outcome.class,
        """
        kind segment shard attempt seq decisionId decisionHash decisionSeq
        rewardId eventTime arm shownArm propensity features mediators reward
        learned learnedReward modelFingerprint specHash specNumber priorHash
        priorNumber stateReset detail rewardTopic rewardPartition rewardOffset
        hidden propensities propensityKind propensityDraws assumption
        """);
  }

  @Test
  void whatBecomesOfEveryFieldOfFairnessAuditsWasThoughtOf() {
    assertKnown(
        FairnessAudit.class,
        """
        kind decisionId segment shard attempt seq arm attribute factual
        counterfactual effect identified estimate lower upper threshold verdict
        guarantee priorShare certified fairSetSize dual foregone policy specHash
        specNumber eventTime priorHash priorNumber priorContext priorLower
        priorUpper phase terminal explored foregoneVerdict cumulativeViolation
        cumulativeUpperViolation cumulativeSignedViolation
        leverage foregoneEstimate foregoneLower foregoneUpper hidden
        foregoneReward refutedAssumption
        """);
  }

  @Test
  void whatBecomesOfEveryFieldOfSegmentMetricsWasThoughtOf() {
    assertKnown(
        SegmentMetrics.class,
        """
        segment shard attempt seq policy specHash specNumber modelFingerprint
        eventTime trigger rounds contexts decisions rewards verdicts fallbacks
        violations cumulativeViolation groups groupDifference arms digest
        pendingDigest judged cumulativeUpperViolation cumulativeSignedViolation
        uncoveredShare coverageAlarm suppressedGroups hidden armsLeftOut
        decisionsLeftOut groupDifferenceOf previousSeq assumptionsTested
        assumptionsRefuted assumptionsUntested
        """);
  }

  @Test
  void whatBecomesOfEveryFieldOfDeadLettersWasThoughtOf() {
    assertKnown(
        DeadLetter.class,
        """
        code message topic partition offset appendTime segment decisionId key
        value hidden attempt seq
        """);
  }

  private static void assertKnown(Class<? extends Record> type, String known) {
    List<String> names =
        Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).toList();
    assertEquals(
        List.of(known.strip().split("\\s+")),
        names,
        "decide in the veil of "
            + type.getSimpleName()
            + " what a new field tells of a person's sensitive attributes, then list it here and"
            + " in the README's table of what is hidden");
  }
}
