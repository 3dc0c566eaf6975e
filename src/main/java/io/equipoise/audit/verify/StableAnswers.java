package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.Counted;
import io.equipoise.event.Decision;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.LogTopic;
import io.equipoise.segment.log.SegmentWithoutSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Checks the additional guarantees of at-least-once delivery: a decision that was published and
 * withdrawn is repeated with the same arm, and learned where that is possible (I1), and a decision
 * marked as recovered was published before (I3).
 *
 * <p>State: the withdrawn decisions by id, which are for each failure those since the checkpoint
 * before it; the last relearned decision of each segment; and two counts for the report. One call
 * of {@link #check} fills and uses them.
 */
final class StableAnswers {
  private static final long BYTES = 1_024;

  private final FindingsCollector findings;
  private final WriterEpochHistory history;
  private final long memoryMillis;
  private final MemoryBudget memoryBudget;
  private final Predicate<String> isTextKnown;
  private final Map<Id, Known> known = new HashMap<>();

  /** The last decision of each segment that was repeated as it was chosen. */
  private final Map<String, Decision> relearned = new HashMap<>();

  private long repeated;
  private long unlearned;

  private record Id(String segment, String decisionId) {}

  /** Keeps a published decision. */
  private static final class Given {
    private final Decision decision;
    private final String place;
    private boolean isRepeated;

    Given(Decision decision, String place) {
      this.decision = decision;
      this.place = place;
    }
  }

  /** Keeps the published decisions of an id. A segment that forgets an id decides again. */
  private static final class Known {
    private final List<Given> given = new ArrayList<>(1);
    private Decision last;

    Known(Decision first) {
      last = first;
    }
  }

  /**
   * Prepares the check.
   *
   * @param memoryMillis how long an id names the same decision, ms
   * @param memoryBytes memory limit, bytes
   * @param isTextKnown whether the text of the spec with a hash is available
   */
  StableAnswers(
      FindingsCollector findings,
      WriterEpochHistory history,
      long memoryMillis,
      long memoryBytes,
      Predicate<String> isTextKnown) {
    this.isTextKnown = isTextKnown;
    this.findings = findings;
    this.history = history;
    this.memoryMillis = memoryMillis;
    this.memoryBudget = new MemoryBudget(memoryBytes);
  }

  /**
   * Checks all decisions, including withdrawn ones.
   *
   * @throws MemoryBudget.ExceededException if too many were withdrawn
   */
  void check(CommittedLog whole) {
    VoidRecords voids = VoidRecords.read(whole, this::take);
    lost(whole);
    findings.note(
        Invariant.I1,
        "%s%s, %s"
            .formatted(
                Counted.of(repeated, "decisions were repeated after a restart"),
                unlearned == 0 ? "" : " (%d of them without learning)".formatted(unlearned),
                Counted.of(voids.count(), "records of fenced writer epochs are void")));
  }

  /**
   * Finds the published decisions that were withdrawn and cannot be repeated: retention has removed
   * their contexts. {@link Invariant#I1} of the surviving history starts from the contexts that are
   * left, and misses them.
   */
  private void lost(CommittedLog whole) {
    Map<Integer, Long> begins = new HashMap<>();
    whole.slices(LogTopic.CONTEXTS).forEach(slice -> begins.put(slice.partition(), slice.begin()));
    for (Known id : known.values()) {
      for (Given one : id.given) {
        Decision decision = one.decision;
        if (!one.isRepeated
            && decision.seq() != SegmentWithoutSpec.UNNUMBERED
            && decision.source().offset()
                < begins.getOrDefault(decision.source().partition(), 0L)) {
          findings.violated(
              Invariant.I1,
              Change.decision(decision.decisionId(), decision.segment(), one.place),
              "it was published and no state has it: a later writer epoch began before it, and retention has removed its context");
        }
      }
    }
  }

  private void take(Decision decision, LogRecord at) {
    if (decision.isRepeated()) {
      return;
    }
    Id id = new Id(decision.segment(), decision.decisionId());
    Known before = known.get(id);
    Given first = before == null ? null : first(before.given, decision);
    boolean isAgain =
        before != null
            && first != null
            && (areOnOneContext(first.decision, decision) || !isForgotten(before.last, decision));
    if (before != null) {
      before.last = decision;
    }
    if (first != null && isAgain) {
      repeated++;
      first.isRepeated = true;
      compare(first, decision, at);
      learning(first, decision, at);
    } else if (decision.recovered() && at.isChecked()) {
      unproved(decision, at);
    }
    boolean mayComeAgain =
        decision.seq() == SegmentWithoutSpec.UNNUMBERED || history.isWithdrawn(decision.place());
    if (mayComeAgain && !isAgain) {
      memoryBudget.reserve(BYTES);
      known
          .computeIfAbsent(id, any -> new Known(decision))
          .given
          .add(new Given(decision, at.place()));
    }
  }

  /**
   * Returns whether a decision is no repetition, because the history that it continues contains an
   * answer to its id. {@link AnsweredIds} checks that the segment had forgotten the id.
   */
  private boolean isForgotten(Decision last, Decision later) {
    return !later.recovered()
        && last.seq() < later.seq()
        && last.seq() != SegmentWithoutSpec.UNNUMBERED
        && history.isContinued(last.place(), later.writerEpoch());
  }

  /**
   * All records of a segment are in one partition, so removed records there may contain the
   * original.
   */
  private void unproved(Decision decision, LogRecord at) {
    long begin = at.slice().begin();
    if (begin > 0) {
      findings.unchecked(
          Invariant.I3,
          name(decision, at),
          "it is marked as recovered, but the records before offset %d are removed"
              .formatted(begin));
    } else {
      findings.violated(
          Invariant.I3,
          name(decision, at),
          "it is marked as recovered, but no earlier record contains it");
    }
  }

  /**
   * Returns the published decision that a decision may repeat: on the same context, or else on one
   * with the same id, preferably with the same arm; null if there is none.
   */
  private @Nullable Given first(List<Given> given, Decision decision) {
    Given found = null;
    for (Given one : given) {
      if (areOnOneContext(one.decision, decision)) {
        return one;
      }
      boolean isBetter =
          found == null
              || (!Objects.equals(found.decision.arm(), decision.arm())
                  && Objects.equals(one.decision.arm(), decision.arm()));
      if (isBetter && isSame(one.decision, decision)) {
        found = one;
      }
    }
    return found;
  }

  private static boolean areOnOneContext(Decision one, Decision other) {
    return one.source().equals(other.source());
  }

  /**
   * Returns whether two decisions may be of the same id. After its retention an id may be reused. A
   * rejection without state is not remembered, so a later decision counts as the same only if it is
   * marked as recovered.
   */
  private boolean isSame(Decision first, Decision later) {
    boolean isRemembered = first.seq() != SegmentWithoutSpec.UNNUMBERED || later.recovered();
    return isRemembered && Math.abs(later.eventTime() - first.eventTime()) < memoryMillis;
  }

  private void compare(Given first, Decision again, LogRecord at) {
    Decision shown = first.decision;
    if (!Objects.equals(shown.arm(), again.arm())) {
      findings.violated(
          Invariant.I1,
          name(again, at),
          "it carries arm %s, but the decision at %s has arm %s"
              .formatted(again.arm(), first.place, shown.arm()));
    } else if (again.isChosen()
        && again.recovered()
        && !(shown.candidates().equals(again.candidates())
            && shown.propensities().equals(again.propensities())
            && areFeaturesAlike(shown, again))) {
      findings.violated(
          Invariant.I3,
          name(again, at),
          "it repeats the decision at " + first.place + " with other propensities or features");
    } else if (again.isChosen()
        && again.recovered()
        && shown.lacksFeatures() // one with features may be repeated for a repeated context too
        && !shown.source().equals(again.source())) {
      findings.violated(
          Invariant.I3,
          name(again, at),
          "it repeats the decision at %s, which omits its features, for %s instead of %s"
              .formatted(first.place, again.source(), shown.source()));
    }
  }

  /**
   * Checks that a chosen decision is repeated as chosen, so that its reward is learned. That is
   * impossible if the text of its spec is gone, or if its features were redacted or omitted. It is
   * also impossible if the segment has recovered a decision under a later spec before, because
   * contexts of several partitions came in another order. A segment that had state has it again,
   * even beyond the limit of segments.
   */
  private void learning(Given first, Decision again, LogRecord at) {
    Decision shown = first.decision;
    if (!again.recovered() || !shown.isChosen()) {
      return;
    }
    if (again.isChosen()) {
      if (relearned.put(again.segment(), again) == null) {
        memoryBudget.reserve(BYTES);
      }
      return;
    }
    unlearned++;
    if (ErrorCode.TOO_MANY_SEGMENTS.name().equals(again.errorCode())) {
      findings.violated(
          Invariant.I1,
          name(again, at),
          "it repeats the decision at %s without learning, because its segment was refused the state that it had"
              .formatted(first.place));
      return;
    }
    Decision before = relearned.get(again.segment());
    boolean isLate =
        before != null
            && before.writerEpoch() == again.writerEpoch()
            && !Objects.equals(before.specHash(), shown.specHash());
    String spec = shown.specHash();
    if (!isLate
        && spec != null
        && shown.redaction() == null
        && !shown.lacksFeatures()
        && ErrorCode.MODEL_CHANGED.name().equals(again.errorCode())
        && isTextKnown.test(spec)) {
      findings.violated(
          Invariant.I1,
          name(again, at),
          "it repeats the decision at %s without learning, although the text of its spec %s is on the specs topic"
              .formatted(first.place, spec));
    }
  }

  /**
   * A restart may change whether features are published; if one decision omits them, they are
   * equal.
   */
  private static boolean areFeaturesAlike(Decision shown, Decision again) {
    return shown.lacksFeatures()
        || again.lacksFeatures()
        || (Objects.equals(shown.features(), again.features())
            && Objects.equals(shown.candidateFeatures(), again.candidateFeatures()));
  }

  private static String name(Decision decision, LogRecord at) {
    return Change.decision(decision.decisionId(), decision.segment(), at.place());
  }
}
