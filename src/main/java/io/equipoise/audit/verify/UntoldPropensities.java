package io.equipoise.audit.verify;

import io.equipoise.event.Decision;
import io.equipoise.event.Outcome;
import io.equipoise.event.Wire;
import io.equipoise.join.Entry;
import io.equipoise.join.SavedSegment;

/**
 * Judges that no outcome of a segment leaves out the propensities of its decision, which a replay
 * lets pass (I3): only decisions of versions that kept none may lack them, and from the first one
 * on that a later version made, all are of later versions.
 */
final class UntoldPropensities {
  /** Decisions have this field since outcomes tell their propensities. */
  private static final String FIELD = "propensityDraws";

  private final Docket docket;
  private long since = Long.MAX_VALUE;

  UntoldPropensities(Docket docket) {
    this.docket = docket;
  }

  /** Begins with the decisions that await rewards in a savepoint. */
  void begin(SavedSegment saved) {
    for (Entry.Awaiting decision : saved.awaiting().values()) {
      if (decision.propensities().kind() != null) {
        since = Math.min(since, decision.decisionSeq());
      }
    }
  }

  /** Judges the next change, in the order of seq. */
  void on(Change change) {
    if (change.record() instanceof Outcome outcome) {
      Long decided = outcome.decisionSeq();
      if (outcome.propensityKind() == null && decided != null && decided >= since) {
        docket.violated(
            Invariant.I3,
            change.key(),
            "propensityKind: the log says null, and the decision at seq %d is of a version that"
                    .formatted(decided)
                + " keeps its propensities");
      }
    } else if (since == Long.MAX_VALUE
        && change.record() instanceof Decision decision
        && Wire.DECISION.fieldsOf(Payloads.value(change.at())).contains(FIELD)) {
      since = decision.seq();
    }
  }
}
