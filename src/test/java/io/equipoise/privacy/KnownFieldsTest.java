package io.equipoise.privacy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.event.ArmEstimate;
import io.equipoise.event.ArmShares;
import io.equipoise.event.AssumptionSummary;
import io.equipoise.event.AuditConclusion;
import io.equipoise.event.AuditedEffect;
import io.equipoise.event.ChallengerEvidence;
import io.equipoise.event.CumulativeViolation;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.Digests;
import io.equipoise.event.ExcludedCandidate;
import io.equipoise.event.ExperimentDesign;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.ExperimentSample;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.FairnessSummary;
import io.equipoise.event.GapInterval;
import io.equipoise.event.GapPart;
import io.equipoise.event.GapSplit;
import io.equipoise.event.GroupSummary;
import io.equipoise.event.GroupTest;
import io.equipoise.event.GroupsEvidence;
import io.equipoise.event.JoinedDecision;
import io.equipoise.event.JoinedReward;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.PhaseCounts;
import io.equipoise.event.Place;
import io.equipoise.event.Propensities;
import io.equipoise.event.RefutedBounds;
import io.equipoise.event.RejectedInput;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Source;
import io.equipoise.event.SpecAdoption;
import io.equipoise.event.TerminalAudit;
import io.equipoise.event.Versions;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchRecord;
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
        decisionId place source eventTime versions policy arm reason errorCode certified
        fairSetSize candidates propensities estimate features candidateFeatures sample keyGroup
        recovered redaction
        """);
    assertKnown(ArmEstimate.class, "index mean width");
    assertKnown(ExperimentSample.class, "phase type");
  }

  @Test
  void whatBecomesOfEveryFieldThatRecordsShareWasThoughtOf() {
    assertKnown(Place.class, "segment writerEpoch seq");
    assertKnown(Source.class, "topic partition offset");
    assertKnown(Versions.class, "specHash specVersion boundsHash boundsVersion modelFingerprint");
    assertKnown(Propensities.class, "kind values runs draws");
  }

  @Test
  void whatBecomesOfEveryFieldOfSegmentEventsWasThoughtOf() {
    assertKnown(
        SegmentEvent.class,
        """
        type place eventTime versions decision reward adoption previousBoundsHash modelRetained
        abortReason assumption refutedBounds redaction
        """);
    assertKnown(
        JoinedDecision.class,
        """
        id hash seq arm propensity propensities features mediators learnedReward reason
        """);
    assertKnown(JoinedReward.class, "id value shownArm source");
    assertKnown(
        SpecAdoption.class, "arms previousSpecHash specTextLost extendedVariables stateReset");
    assertKnown(
        RefutedBounds.class, "arm context lower upper estimate estimateLower estimateUpper");
  }

  @Test
  void whatBecomesOfEveryFieldOfFairnessAuditsWasThoughtOf() {
    assertKnown(
        FairnessAudit.class,
        """
        decisionId place eventTime versions policy arm certified explored fairSetSize
        effect conclusion dual excluded cumulativeViolation redaction
        """);
    assertKnown(AuditConclusion.class, "threshold unit verdict guarantee refutedAssumption");
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
        ExperimentRecord.class, "place eventTime versions policy design phase terminal redaction");
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
        place eventTime versions policy trigger rounds previousSeq contexts decisions
        dedupEntries rewards fairness groups splits arms assumptions digests redaction
        """);
    assertKnown(
        GapSplit.class,
        "attribute reference other referenceRewards otherRewards leftOut since gap rest parts");
    assertKnown(GapPart.class, "name kind estimate lower upper unmatched");
    assertKnown(
        FairnessSummary.class,
        """
        verdicts fallbacks violations cumulativeViolation noOverlapShare overlapAlarm
        certificates
        """);
    assertKnown(GroupSummary.class, "means difference differenceOf suppressed");
    assertKnown(ArmShares.class, "listed leftOut decisionsLeftOut");
    assertKnown(AssumptionSummary.class, "tested refuted untested");
    assertKnown(Digests.class, "model pending");
  }

  @Test
  void whatBecomesOfEveryFieldOfDeadLettersWasThoughtOf() {
    assertKnown(
        DeadLetter.class, "code message variables limitBytes recovered input change redaction");
    assertKnown(RejectedInput.class, "source appendTime segment decisionId key value truncated");
  }

  @Test
  void whatBecomesOfEveryFieldOfWatchRecordsWasThoughtOf() {
    assertKnown(WatchRecord.class, "type segment id challenger groups evidence ended promoted");
    assertKnown(WatchEvidence.class, "rows seq pending missing leftOut ofChallenger ofGroups");
    assertKnown(
        ChallengerEvidence.class,
        """
        value valueLow valueHigh championMean difference differenceLow differenceHigh gateLow ips
        snips meanWeight maxWeight effectiveRows unsupported certifiedShare championCertifiedShare
        upperViolation gaps rowsToPass failing passes
        """);
    assertKnown(GapInterval.class, "attribute level low high");
    assertKnown(GroupsEvidence.class, "tests logChange changeAlarms changeSince");
    assertKnown(
        GroupTest.class,
        """
        level rows sum missing otherRows otherSum otherMissing low high logEvalue alarm flagged
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
            + " is redacted what a new field tells of a person's sensitive attributes, then list it"
            + " here and in docs/privacy-fields.md's table of what is hidden");
  }
}
