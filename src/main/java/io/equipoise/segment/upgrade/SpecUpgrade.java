package io.equipoise.segment.upgrade;

import io.equipoise.event.AbortReason;
import io.equipoise.event.Account;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SpecAdoption;
import io.equipoise.fairness.AuditSums;
import io.equipoise.policy.LevelMap;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.PhasedPolicy.Progress;
import io.equipoise.policy.Policy;
import io.equipoise.policy.ScratchModelState;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.refutation.Assumptions;
import io.equipoise.segment.log.EventLogWriter;
import io.equipoise.segment.log.ExperimentRecords.Abort;
import io.equipoise.segment.log.SegmentEventBuilder;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.RetiredDefinitions;
import io.equipoise.segment.state.SegmentContext;
import io.equipoise.segment.state.SegmentHeader;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Moves a segment to a new spec, carries its model over as far as it is compatible, and logs the
 * change.
 */
public final class SpecUpgrade {
  /** The name of the causal bounds in the list of reset parts. */
  public static final String CAUSAL_BOUNDS = "causal-bounds";

  /** The name of what the live split of a gap has counted in the list of reset parts. */
  public static final String SPLIT = "split";

  private final SegmentContext segmentContext;
  private final SegmentHeader head;
  private final EventLogWriter eventLog;

  public SpecUpgrade(SegmentContext segmentContext, EventLogWriter eventLog) {
    this.segmentContext = segmentContext;
    this.head = segmentContext.head;
    this.eventLog = eventLog;
  }

  /**
   * Runs the policy's part of an upgrade on copies of the model, so that a policy that throws
   * changes nothing.
   */
  public void rehearse(CompiledSpec spec, SpecCompatibility how) {
    CompiledSpec before = segmentContext.spec;
    if (before == null || how instanceof SpecCompatibility.Incompatible) {
      List<String> unused = spec.policy().succeed(null, new MemoryModelState());
      return;
    }
    ModelState copies = ScratchModelState.forReward(segmentContext.state.blocks());
    if (how instanceof SpecCompatibility.AfterMigration extended) {
      spec.policy().extend(before.policy(), extended.levels(), copies);
    }
    RetiredDefinitions retired =
        copies.get(RetiredDefinitions.KEY) instanceof RetiredDefinitions kept
            ? kept
            : new RetiredDefinitions();
    retire(before, retired);
    for (String arm : gone(spec, retired)) {
      spec.policy().forgetArm(copies, head.find(arm));
    }
    List<String> unused = spec.policy().succeed(before.policy(), copies);
  }

  /** Adopts a spec, logs it, and aborts the running experiment if the new spec requires it. */
  public void adopt(CompiledSpec spec, SpecCompatibility how, long eventTime) {
    @Nullable String hashBefore = head.specHash;
    @Nullable CompiledSpec before = segmentContext.spec;
    @Nullable Abort abort = abort(spec, how);
    List<String> reset = takeOver(spec, how, before == null ? null : before.policy());
    SegmentEventBuilder record =
        eventLog
            .segmentEvent(SegmentEventType.SPEC_ADOPTED, eventTime)
            .adoption(
                new SpecAdoption(
                    spec.armIds(),
                    hashBefore,
                    hashBefore != null && before == null,
                    before == null ? List.of() : extended(before, spec, how),
                    reset));
    if (abort == null) {
      eventLog.write(record);
    } else {
      eventLog.aborted(record, abort);
    }
  }

  /** Returns the abort of the running experiment if the new spec causes it, or null. */
  private @Nullable Abort abort(CompiledSpec next, SpecCompatibility how) {
    Progress running = segmentContext.running();
    if (running == null) {
      return null;
    }
    if (how instanceof SpecCompatibility.Incompatible) {
      return Abort.of(segmentContext, running, AbortReason.SPEC_REPLACED);
    }
    boolean isRequested = next.experiment() != null && next.experiment().isAborted();
    return isRequested ? Abort.of(segmentContext, running, AbortReason.REQUESTED) : null;
  }

  /** Lists the variables to which the new spec adds levels. */
  private static List<String> extended(
      CompiledSpec before, CompiledSpec spec, SpecCompatibility how) {
    return how instanceof SpecCompatibility.AfterMigration
        ? LevelMap.changed(before.spec().variables(), spec.spec().variables())
        : List.of();
  }

  /**
   * Changes the state.
   *
   * @param before the policy whose own state may continue; null drops that state
   * @return the parts of the state that were reset
   */
  private List<String> takeOver(CompiledSpec spec, SpecCompatibility how, @Nullable Policy before) {
    List<String> reset = new ArrayList<>();
    boolean wasRunning = segmentContext.running() != null;
    boolean isFirst = head.fingerprint == null;
    boolean isSplitLost =
        segmentContext.spec != null
            && (how instanceof SpecCompatibility.Incompatible
                ? segmentContext.spec.splits().isAny()
                : !spec.splits().continues(segmentContext.spec.splits()));
    if (how instanceof SpecCompatibility.Incompatible) {
      @Nullable StateBlock refuted =
          segmentContext.spec == null ? null : lastingRefutations(segmentContext.spec);
      segmentContext.state.clearBlocks();
      if (refuted != null) {
        segmentContext.state.blocks().put(Assumptions.REFUTED, refuted);
      }
      spec.policy().succeed(null, segmentContext.state.blocks());
      head.levelVersion++;
      head.rounds = 0;
      reset.add("model");
      reset.add("audit");
    } else {
      inherit(spec, how);
      reset.addAll(spec.policy().succeed(before, segmentContext.state.blocks()));
      if (isSplitLost) {
        spec.splits().succeed(segmentContext.state.blocks());
      }
    }
    if (isFirst || how instanceof SpecCompatibility.Incompatible) {
      head.audit = new AuditSums(sensitiveLevels(spec));
    }
    if (wasRunning && reset.isEmpty() && segmentContext.running() == null) {
      head.levelVersion++;
    }
    if (isSplitLost) {
      reset.add(SPLIT);
    }
    head.fingerprint = spec.fingerprint();
    head.specHash = spec.spec().hash();
    head.refusedHash = null;
    segmentContext.spec = spec;
    segmentContext.forgetRefutation();
    keepBounds(spec, reset);
    return reset;
  }

  /** Returns the refutations that outlast the model: a reset does not make an assumption true. */
  private @Nullable StateBlock lastingRefutations(CompiledSpec before) {
    return before.assumptions().lasting(segmentContext.state.blocks());
  }

  private void inherit(CompiledSpec spec, SpecCompatibility how) {
    CompiledSpec before = segmentContext.spec;
    if (before == null) {
      return;
    }
    RetiredDefinitions stored =
        (RetiredDefinitions) segmentContext.state.blocks().get(RetiredDefinitions.KEY);
    RetiredDefinitions retiredDefinitions = stored == null ? new RetiredDefinitions() : stored;
    if (head.ledgers.get(Account.DECISION_AWAITING) == 0) {
      retiredDefinitions.forgetTranslations();
    }
    if (how instanceof SpecCompatibility.AfterMigration extended) {
      extend(before, spec, extended.levels(), retiredDefinitions);
    }
    retire(before, retiredDefinitions);
    for (String arm : spec.armIds()) {
      retiredDefinitions.forget(arm);
    }
    leave(spec, retiredDefinitions);
    if (!retiredDefinitions.isEmpty()) {
      segmentContext.state.blocks().put(RetiredDefinitions.KEY, retiredDefinitions);
    } else if (stored != null) {
      segmentContext.state.blocks().remove(RetiredDefinitions.KEY);
    }
  }

  /** Migrates everything indexed by levels; pending decisions are translated when they are read. */
  private void extend(
      CompiledSpec before,
      CompiledSpec spec,
      LevelMap levels,
      RetiredDefinitions retiredDefinitions) {
    spec.policy().extend(before.policy(), levels, segmentContext.state.blocks());
    int[] sizes = sensitiveLevels(spec);
    int[][] groups = new int[sizes.length][];
    List<Integer> places = spec.spec().variables().sensitive();
    for (int attribute = 0; attribute < groups.length; attribute++) {
      groups[attribute] = levels.feature(places.get(attribute));
    }
    head.audit = head.audit.regrouped(sizes, groups);
    retiredDefinitions.translate(head.levelVersion, levels);
    head.levelVersion++;
  }

  /** Keeps the definitions of the previous spec's arms that this segment has decided or learned. */
  private void retire(CompiledSpec before, RetiredDefinitions retiredDefinitions) {
    List<SpecVariable> actions = before.spec().variables().actions();
    for (Arm arm : before.spec().arms().list()) {
      if (head.find(arm.id()) >= 0) {
        retiredDefinitions.retire(arm.id(), arm.names(actions));
      }
    }
  }

  /** Lists retired arms that set a level which the spec no longer has. */
  private static List<String> gone(CompiledSpec spec, RetiredDefinitions retired) {
    List<SpecVariable> actions = spec.spec().variables().actions();
    return retired.arms().stream()
        .filter(
            arm ->
                SpecTranslation.profile(Objects.requireNonNull(retired.retired(arm)), actions)
                    == null)
        .toList();
  }

  /** Removes the statistics of arms whose levels are gone, once no decision for them is pending. */
  private void leave(CompiledSpec spec, RetiredDefinitions retiredDefinitions) {
    for (String arm : gone(spec, retiredDefinitions)) {
      int position = head.find(arm);
      if (!head.awaiting.containsKey(position)) {
        spec.policy().forgetArm(segmentContext.state.blocks(), position);
        retiredDefinitions.forget(arm);
        head.leave(position);
      }
    }
  }

  /** Keeps the causal bounds if the new spec can use them, else drops them. */
  private void keepBounds(CompiledSpec spec, List<String> reset) {
    head.rejectedBounds = null;
    if (head.boundsHash == null) {
      return;
    }
    segmentContext.causalBounds = segmentContext.check.usable(head.boundsHash, spec);
    if (segmentContext.causalBounds == null) {
      segmentContext.dropBounds();
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

  /**
   * Returns the number of groups: the disclosable levels, and one group of those who did not
   * disclose.
   */
  private static int groups(SpecVariable variable) {
    return Math.max(variable.levels().size(), variable.undisclosed() + 1);
  }
}
