package io.equipoise.join;

import io.equipoise.bandit.Bandit;
import io.equipoise.bandit.Block;
import io.equipoise.bandit.LevelMap;
import io.equipoise.bandit.refutation.Assumptions;
import io.equipoise.event.Account;
import io.equipoise.event.SegmentEventType;
import io.equipoise.fairness.AuditSums;
import io.equipoise.join.ExperimentRecords.Abort;
import io.equipoise.spec.Arm;
import io.equipoise.spec.SpecVariable;
import io.equipoise.spec.Variables;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts a segment under a spec, with all that its model needs to go on, and writes so. */
final class Adoption {
  /** Names the causal bounds among the parts that are started anew. */
  static final String CAUSAL_BOUNDS = "causal-bounds";

  private final Turn turn;
  private final SegmentHead head;
  private final Changes changes;

  Adoption(Turn turn, Changes changes) {
    this.turn = turn;
    this.head = turn.head;
    this.changes = changes;
  }

  /** Adopts a spec, and ends the experiment that runs if it must. */
  void adopt(CompiledSpec spec, Succession how, long eventTime) {
    @Nullable String hashBefore = head.specHash;
    @Nullable CompiledSpec before = turn.spec;
    @Nullable Abort abort = new Phases(turn, changes).before(spec, how);
    List<String> reset = takeOver(spec, how, before == null ? null : before.bandit());
    SegmentEventBuilder record =
        turn.journal.segmentEvent(SegmentEventType.SPEC_ADOPTED, eventTime).reset(reset);
    if (hashBefore != null) {
      record.afterSpec(
          hashBefore, before == null, before == null ? List.of() : extended(before, spec, how));
    }
    if (abort == null) {
      turn.journal.write(record);
    } else {
      turn.journal.aborted(record, abort);
    }
  }

  /** Lists the variables that have more levels. */
  private static List<String> extended(CompiledSpec before, CompiledSpec spec, Succession how) {
    return how instanceof Succession.Extended
        ? LevelMap.changed(before.spec().variables(), spec.spec().variables())
        : List.of();
  }

  /**
   * Changes the state.
   *
   * @param before whose policy's own state may go on; null drops it
   * @return the parts of the state that were started anew
   */
  private List<String> takeOver(CompiledSpec spec, Succession how, @Nullable Bandit before) {
    List<String> reset = new ArrayList<>();
    boolean wasRunning = changes.running() != null;
    boolean isFirst = head.fingerprint == null;
    if (how instanceof Succession.Anew) {
      @Nullable Block refuted = turn.spec == null ? null : lastingRefutations(turn.spec);
      turn.state.clearBlocks();
      if (refuted != null) {
        turn.state.blocks().put(Assumptions.REFUTED, refuted);
      }
      head.levelVersion++;
      head.rounds = 0;
      reset.add("model");
      reset.add("audit");
    } else {
      inherit(spec, how);
      reset.addAll(spec.bandit().succeed(before, turn.state.blocks()));
    }
    if (isFirst || how instanceof Succession.Anew) {
      head.audit = new AuditSums(sensitiveLevels(spec));
    }
    if (wasRunning && reset.isEmpty() && changes.running() == null) {
      head.levelVersion++;
    }
    head.fingerprint = spec.bandit().fingerprint();
    head.specHash = spec.spec().hash();
    head.refusedHash = null;
    turn.spec = spec;
    turn.forgetRefutation();
    keepBounds(spec, reset);
    return reset;
  }

  /** A new model does not make an assumption true. */
  private @Nullable Block lastingRefutations(CompiledSpec before) {
    return before.assumptions().lasting(turn.state.blocks());
  }

  private void inherit(CompiledSpec spec, Succession how) {
    CompiledSpec before = turn.spec;
    if (before == null) {
      return;
    }
    Heritage stored = (Heritage) turn.state.blocks().get(Heritage.KEY);
    Heritage heritage = stored == null ? new Heritage() : stored;
    if (head.ledgers.get(Account.DECISION_AWAITING) == 0) {
      heritage.forgetTranslations();
    }
    if (how instanceof Succession.Extended extended) {
      extend(before, spec, extended.levels(), heritage);
    }
    retire(before, heritage);
    for (String arm : spec.armIds()) {
      heritage.comesBack(arm);
    }
    if (!heritage.isEmpty()) {
      turn.state.blocks().put(Heritage.KEY, heritage);
    } else if (stored != null) {
      turn.state.blocks().remove(Heritage.KEY);
    }
  }

  /** Carries over all that counts levels; pending decisions are read by their epoch's map. */
  private void extend(CompiledSpec before, CompiledSpec spec, LevelMap levels, Heritage heritage) {
    spec.bandit().extend(before.bandit(), levels, turn.state.blocks());
    int[] sizes = sensitiveLevels(spec);
    int[][] groups = new int[sizes.length][];
    List<Integer> places = spec.spec().variables().sensitive();
    for (int attribute = 0; attribute < groups.length; attribute++) {
      groups[attribute] = levels.feature(places.get(attribute));
    }
    head.audit = head.audit.regrouped(sizes, groups);
    heritage.translate(head.levelVersion, levels);
    head.levelVersion++;
  }

  /** Remembers what an id meant that this segment has given or learned of. */
  private void retire(CompiledSpec before, Heritage heritage) {
    List<SpecVariable> actions = before.spec().variables().actions();
    for (Arm arm : before.spec().arms().list()) {
      if (head.find(arm.id()) >= 0) {
        heritage.retire(arm.id(), Meanings.names(arm, actions));
      }
    }
  }

  /** Goes on with the causal bounds where the spec can use them too. */
  private void keepBounds(CompiledSpec spec, List<String> reset) {
    head.rejectedBounds = null;
    if (head.boundsHash == null) {
      return;
    }
    turn.causalBounds = turn.judge.usable(head.boundsHash, spec);
    if (turn.causalBounds == null) {
      changes.dropBounds();
      reset.add(CAUSAL_BOUNDS);
    } else if (reset.contains("model")) {
      head.refutedBounds.clear();
    }
  }

  private static int[] sensitiveLevels(CompiledSpec spec) {
    Variables variables = spec.spec().variables();
    return variables.sensitive().stream()
        .mapToInt(position -> groups(variables.features().get(position)))
        .toArray();
  }

  /** The levels that can be disclosed, and one group of those who did not. */
  private static int groups(SpecVariable variable) {
    return Math.max(variable.levels().size(), variable.undisclosed() + 1);
  }
}
