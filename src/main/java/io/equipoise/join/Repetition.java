package io.equipoise.join;

import io.equipoise.event.IdHash;
import io.equipoise.event.Outcome;
import io.equipoise.event.RewardEvent;
import io.equipoise.spec.IdleSpec;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a change other than a decision once more, by the code that made it and from what the log
 * tells of it. The turn writes the record that should be there.
 */
final class Repetition {
  private static final Entry.Seen UNSEEN = new Entry.Seen(0, 0);

  private final Turn turn;
  private final Changes changes;
  private final Closing closing;
  private final Settling settling;
  private final Map<IdHash, Entry.Awaiting> awaiting;
  private final SpecBook book;

  Repetition(Turn turn, Map<IdHash, Entry.Awaiting> awaiting, SpecBook book) {
    this.turn = turn;
    this.changes = new Changes(turn);
    this.closing = new Closing(turn, changes);
    this.settling = new Settling(turn, changes, closing);
    this.awaiting = awaiting;
    this.book = book;
  }

  /**
   * Makes the change.
   *
   * @throws OracleMismatchException if it cannot have happened
   */
  void of(Outcome outcome) {
    switch (outcome.kind()) {
      case SPEC_ADOPTED -> adopt(outcome);
      case PRIOR_ADOPTED -> adoptPriors(outcome);
      case APPLIED, COLLECTED -> settle(outcome);
      case EXPIRED, WINDOW_CLOSED -> {
        IdHash id = id(outcome);
        closing.closed(id, ended(id, outcome));
      }
      case EVICTED -> evict(outcome);
      case PHASE_CLOSED -> closePhase(outcome);
      case ASSUMPTION_REFUTED -> new Refutations(turn).writeNext(outcome.eventTime());
      case REVIVED -> Rest.ended(turn, outcome.eventTime());
    }
  }

  private void adopt(Outcome outcome) {
    @Nullable CompiledSpec spec = book.byHash(String.valueOf(outcome.specHash()));
    if (spec == null) {
      throw new OracleMismatchException(
          "seq %d of segment %s adopts spec %s, whose text is not at hand"
              .formatted(outcome.seq(), outcome.segment(), outcome.specHash()));
    }
    new Adoption(turn, changes).adopt(spec, Succession.of(turn, spec), outcome.eventTime());
  }

  private void adoptPriors(Outcome outcome) {
    PriorAdoption adoption = new PriorAdoption(turn, changes);
    String hash = outcome.priorHash();
    if (hash == null) {
      adoption.lose(outcome.eventTime());
      return;
    }
    JudgedPriors.Usable priors = turn.judge.usable(hash, turn.requireSpec());
    if (priors == null) {
      throw new OracleMismatchException(
          "seq %d of segment %s adopts prior bounds %s, which are not at hand or not for its spec"
              .formatted(outcome.seq(), outcome.segment(), hash));
    }
    adoption.take(priors, outcome.eventTime());
  }

  private void settle(Outcome outcome) {
    String decisionId = outcome.decisionId();
    Double value = outcome.reward();
    if (decisionId == null || value == null) {
      throw new OracleMismatchException(
          "seq %d of segment %s (%s) names no decision, or no reward"
              .formatted(outcome.seq(), outcome.segment(), outcome.kind()));
    }
    IdHash id = id(outcome);
    Entry.Awaiting decision = ended(id, outcome);
    CompiledSpec spec = turn.requireSpec();
    RewardEvent reward = Told.reward(outcome, decisionId, value);
    int[] mediators = spec.encoder().encodeMediators(reward.mediators()).levels();
    String arm = settling.armOf(reward, decision);
    if (!changes.knows(decision, arm)) {
      settling.untaught(reward, IdHash.of(decisionId), decision, mediators);
    } else if (Settling.isLearntAtOnce(spec)) {
      settling.applied(reward, IdHash.of(decisionId), decision, arm, mediators);
    } else {
      awaiting.put(
          id, settling.collected(reward, UNSEEN, IdHash.of(decisionId), decision, arm, mediators));
    }
  }

  private void evict(Outcome outcome) {
    if (outcome.decisionHash() == null) {
      rest(outcome);
      return;
    }
    IdHash id = id(outcome);
    if (outcome.decisionSeq() == null) {
      closing.forgotten(id, outcome.eventTime());
    } else {
      closing.evicted(id, ended(id, outcome));
    }
  }

  /** What a segment gives up must be what its rule says, and no decision may wait. */
  private void rest(Outcome outcome) {
    Rest rest = new Rest(turn, changes);
    IdleSpec rule = rest.rule();
    if (rule == null || !awaiting.isEmpty() || changes.running() != null) {
      throw new OracleMismatchException(
          "seq %d of segment %s gives up its state without a rule, or while %d decisions or an"
                  .formatted(outcome.seq(), outcome.segment(), awaiting.size())
              + " experiment wait");
    }
    rest.begin(rule.keep(), outcome.eventTime());
  }

  private void closePhase(Outcome outcome) {
    Phases phases = new Phases(turn, changes);
    if (String.valueOf(outcome.detail()).startsWith(Phases.ABORTED)) {
      phases.retire(outcome.eventTime());
    } else {
      phases.closeNext(outcome.eventTime());
    }
  }

  private static IdHash id(Outcome outcome) {
    return IdHash.ofHex(String.valueOf(outcome.decisionHash()));
  }

  /** Returns what is known of a decision, which awaits nothing more. */
  private Entry.Awaiting ended(IdHash id, Outcome outcome) {
    Entry.Awaiting decision = awaiting.remove(id);
    if (decision == null) {
      throw new OracleMismatchException(
          "seq %d of segment %s (%s) names decision %s, which awaits nothing"
              .formatted(outcome.seq(), outcome.segment(), outcome.kind(), outcome.decisionHash()));
    }
    return decision;
  }
}
