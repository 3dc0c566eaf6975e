package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.event.Decision;
import io.equipoise.event.WireException;
import io.equipoise.segment.log.SegmentWithoutSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Judges what at-least-once delivery promises besides: an answer that was written and withdrawn is
 * given again with the same arm (I1), and what the learner believes to have been shown was shown
 * (I3).
 *
 * <p>Holds the answers that were withdrawn: for each failure what was decided since the checkpoint
 * before it.
 */
final class StableAnswers {
  private static final long BYTES = 1_024;

  private final FindingsCollector findingsCollector;
  private final WriterEpochHistory history;
  private final long memoryMillis;
  private final MemoryBudget memoryBudget;
  private final Map<Id, Given> given = new HashMap<>();
  private long repeated;

  private record Id(String segment, String decisionId) {}

  private record Given(Decision decision, String place) {}

  /**
   * Prepares to judge.
   *
   * @param memoryMillis for how long an id names the same decision
   * @param memoryBytes what may be held
   */
  StableAnswers(
      FindingsCollector findingsCollector,
      WriterEpochHistory history,
      long memoryMillis,
      long memoryBytes) {
    this.findingsCollector = findingsCollector;
    this.history = history;
    this.memoryMillis = memoryMillis;
    this.memoryBudget = new MemoryBudget(memoryBytes);
  }

  /**
   * Judges all decisions, those that were withdrawn too.
   *
   * @throws MemoryBudget.ExceededException if too many were withdrawn
   */
  void check(CommittedLog whole) {
    VoidRecords voids = new VoidRecords();
    try (LogReader reader = whole.read(whole.slices(LogTopic.DECISIONS))) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        try {
          Decision decision = voids.decision(at);
          if (decision != null && !decision.isRepeated()) {
            take(decision, at);
          }
        } catch (WireException e) {
          // I4 tells
        }
      }
    }
    findingsCollector.note(
        Invariant.I1,
        "%d answers were given again, %d records of attempts that were over are void"
            .formatted(repeated, voids.count()));
  }

  private void take(Decision decision, LogRecord at) {
    Id id = new Id(decision.segment(), decision.decisionId());
    Given first = given.get(id);
    boolean isAgain = first != null && isSame(first.decision, decision);
    if (first != null && isAgain) {
      repeated++;
      compare(first, decision, at);
    } else if (decision.recovered() && at.isChecked()) {
      unproved(decision, at);
    }
    boolean mayComeAgain =
        decision.seq() == SegmentWithoutSpec.UNNUMBERED
            || history.isWithdrawn(decision.segment(), decision.writerEpoch(), decision.seq());
    if (mayComeAgain && !isAgain && given.put(id, new Given(decision, at.place())) == null) {
      memoryBudget.reserve(BYTES);
    }
  }

  /** All records of a segment are in one partition: what its beginning held may have shown it. */
  private void unproved(Decision decision, LogRecord at) {
    long begin = at.slice().begin();
    if (begin > 0) {
      findingsCollector.unchecked(
          Invariant.I3,
          name(decision, at),
          "it says that its arm was shown before, and the records before offset %d are gone"
              .formatted(begin));
    } else {
      findingsCollector.violated(
          Invariant.I3,
          name(decision, at),
          "it says that its arm was shown before, and no record before it shows that");
    }
  }

  /**
   * Past its memory an id may name another decision. A refusal without state is not remembered: a
   * later answer is for the same context only where it says so.
   */
  private boolean isSame(Decision first, Decision later) {
    boolean isRemembered = first.seq() != SegmentWithoutSpec.UNNUMBERED || later.recovered();
    return isRemembered && Math.abs(later.eventTime() - first.eventTime()) < memoryMillis;
  }

  private void compare(Given first, Decision again, LogRecord at) {
    Decision shown = first.decision;
    if (!Objects.equals(shown.arm(), again.arm())) {
      findingsCollector.violated(
          Invariant.I1,
          name(again, at),
          "it carries arm %s, and the answer at %s was arm %s"
              .formatted(again.arm(), first.place, shown.arm()));
    } else if (again.isChosen()
        && again.recovered()
        && !(shown.candidates().equals(again.candidates())
            && shown.propensities().equals(again.propensities())
            && shown.propensityRuns().equals(again.propensityRuns())
            && areFeaturesAlike(shown, again))) {
      findingsCollector.violated(
          Invariant.I3,
          name(again, at),
          "it repeats the answer at " + first.place + " with other propensities or features");
    } else if (again.isChosen()
        && again.recovered()
        && shown.lacksFeatures()
        && !isOfSameContext(shown, again)) {
      findingsCollector.violated(
          Invariant.I3,
          name(again, at),
          "it repeats the answer at %s, which leaves its features off, for %s instead of %s"
              .formatted(first.place, origin(again), origin(shown)));
    }
  }

  /** A restart may change whether features are told; where one leaves them off, nothing differs. */
  private static boolean areFeaturesAlike(Decision shown, Decision again) {
    return shown.lacksFeatures()
        || again.lacksFeatures()
        || (Objects.equals(shown.features(), again.features())
            && Objects.equals(shown.candidateFeatures(), again.candidateFeatures()));
  }

  /**
   * Says whether two answers are for one record. An answer without features may be given again for
   * that one only; an answer with features also for a repetition, which may stand in another
   * partition and be read first after a restart.
   */
  private static boolean isOfSameContext(Decision shown, Decision again) {
    return Objects.equals(shown.contextTopic(), again.contextTopic())
        && shown.contextPartition() == again.contextPartition()
        && shown.contextOffset() == again.contextOffset();
  }

  private static String origin(Decision decision) {
    return decision.contextTopic()
        + "/"
        + decision.contextPartition()
        + "/"
        + decision.contextOffset();
  }

  private static String name(Decision decision, LogRecord at) {
    return "decision_id %s of segment %s (%s)"
        .formatted(decision.decisionId(), decision.segment(), at.place());
  }
}
