package io.equipoise.join;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Origin;
import io.equipoise.event.OutcomeKind;
import io.equipoise.event.PriorKey;
import io.equipoise.event.PriorSet;
import io.equipoise.event.Wire;
import io.equipoise.spec.PriorsSpec;
import org.jspecify.annotations.Nullable;

/**
 * Takes up the newest set of prior bounds that a segment's spec asks for and can use. A set that it
 * cannot use is a dead letter, once, and what runs stays; an older number never comes back.
 */
final class PriorAdoption {
  private final Turn turn;
  private final Changes changes;

  PriorAdoption(Turn turn, Changes changes) {
    this.turn = turn;
    this.changes = changes;
  }

  /** Looks what there is. Costs O(1) where nothing is newer than what runs. */
  void look(long eventTime, OutputLog log) {
    CompiledSpec spec = turn.spec;
    PriorsSpec wanted = spec == null ? null : spec.spec().policy().priors();
    if (spec == null || wanted == null) {
      return;
    }
    if (turn.head.priorHash != null && turn.priors == null) {
      lose(eventTime);
    }
    boolean isNewest = true;
    for (PriorSet set : turn.judge.offered(wanted.name())) {
      if (turn.head.priorHash != null && set.number() <= turn.head.priorNumber) {
        return;
      }
      JudgedPriors judged = turn.judge.judge(set, spec);
      if (judged instanceof JudgedPriors.Usable usable) {
        take(usable, eventTime);
        return;
      }
      if (isNewest && !set.hash().equals(turn.head.refusedPriors)) {
        turn.head.refusedPriors = set.hash();
        refuse((JudgedPriors.Refused) judged, log);
      }
      isNewest = false;
    }
  }

  /** Clips no more into bounds whose rows are lost, and writes so. */
  void lose(long eventTime) {
    String lost = turn.head.priorHash;
    changes.dropPriors();
    adopted(eventTime, "the rows of " + lost + " are lost");
  }

  /** Clips into these bounds from now on, and writes so. */
  void take(JudgedPriors.Usable usable, long eventTime) {
    String before = turn.head.priorHash;
    changes.adopt(usable);
    adopted(eventTime, before == null ? null : "after " + before);
  }

  private void adopted(long eventTime, @Nullable String detail) {
    OutcomeDraft record = turn.journal.outcome(OutcomeKind.PRIOR_ADOPTED, eventTime);
    turn.journal.write(detail == null ? record : record.detail(detail));
  }

  private void refuse(JudgedPriors.Refused refused, OutputLog log) {
    log.deadLetter(
        DeadLetter.undecodable(
            refused.code(),
            "segment %s does not take up %s: %s"
                .formatted(turn.segment, refused.set(), refused.why()),
            new Origin("priors", 0, -1, Origin.NO_APPEND_TIME),
            PriorKey.of(refused.row()).bytes(),
            Wire.PRIOR.encode(refused.row())));
  }
}
