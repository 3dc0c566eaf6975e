package io.equipoise.segment;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Origin;
import io.equipoise.event.Thrown;
import io.equipoise.policy.PolicyCall;
import io.equipoise.policy.StateAccessException;
import io.equipoise.segment.log.EventLogWriter;
import io.equipoise.segment.log.OutputLog;
import io.equipoise.segment.log.WriterEpoch;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SegmentContext;
import io.equipoise.segment.upgrade.SpecCompatibility;
import io.equipoise.segment.upgrade.SpecUpgrade;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Connects the handlers of one event or timer of one segment with the segment's state and the log.
 * The handlers reach each other through it. It is created for the event and dropped after it.
 */
public final class SegmentSession {
  final SegmentContext segmentContext;
  final EventLogWriter eventLog;
  private final OutputLog log;

  public final StateTransitions transitions;
  public final Phases phases;
  public final Refutations refutations;
  public final ExpiryHandler expiry;
  public final RewardHandler rewards;
  public final ContextHandler contexts;
  public final Passivation passivation;
  public final BoundsAdoption bounds;
  public final SpecUpgrade upgrade;

  /**
   * Begins the event.
   *
   * @param log receives the records, in their order
   * @param writerEpoch the epoch that the records carry
   */
  public SegmentSession(SegmentContext segmentContext, OutputLog log, WriterEpoch writerEpoch) {
    this.segmentContext = segmentContext;
    this.log = log;
    this.eventLog = new EventLogWriter(segmentContext, log, writerEpoch);
    this.transitions = new StateTransitions(segmentContext);
    this.phases = new Phases(this);
    this.refutations = new Refutations(segmentContext, eventLog);
    this.expiry = new ExpiryHandler(this);
    this.rewards = new RewardHandler(this);
    this.contexts = new ContextHandler(this);
    this.passivation = new Passivation(segmentContext, eventLog);
    this.bounds = new BoundsAdoption(this);
    this.upgrade = new SpecUpgrade(segmentContext, eventLog);
  }

  /** Adopts the given spec and the newest causal bounds; call it before any other change. */
  void open(@Nullable CompiledSpec selected, long eventTime) {
    passivation.ended(eventTime);
    if (selected != null
        && !selected.spec().hash().equals(segmentContext.head.specHash)
        && !selected.spec().hash().equals(segmentContext.head.refusedHash)
        && !isOlder(selected, segmentContext.spec)) {
      adopt(selected, eventTime);
    }
    if (selected == null || segmentContext.spec == null || isOlder(selected, segmentContext.spec)) {
      phases.retire(eventTime);
    }
    bounds.look(eventTime, log);
  }

  /** Writes the state back and reports the policy failures of this event. */
  void close() {
    segmentContext.close();
    segmentContext.policyFailures.forEach(log::policyFailed);
  }

  /** Returns whether a spec is an older version of the running one and so is not adopted. */
  static boolean isOlder(CompiledSpec selected, @Nullable CompiledSpec running) {
    return running != null
        && running.spec().name().equals(selected.spec().name())
        && running.spec().version() > selected.spec().version();
  }

  private void adopt(CompiledSpec spec, long eventTime) {
    SpecCompatibility how;
    try {
      how =
          PolicyCall.of(
              () -> {
                SpecCompatibility found = SpecCompatibility.of(segmentContext, spec);
                upgrade.rehearse(spec, found);
                return found;
              });
    } catch (StateAccessException e) {
      throw e;
    } catch (Throwable e) { // of any class: a spec must not end the job again and again
      reject(spec, "its policy failed: " + Thrown.text(e));
      return;
    }
    if (how instanceof SpecCompatibility.Incompatible incompatible && !how.isAllowed(spec)) {
      reject(
          spec,
          incompatible.reason()
              + ". To start model and audit empty, set on-incompatible-change: reset");
      return;
    }
    PolicyCall.run(() -> upgrade.adopt(spec, how, eventTime));
  }

  private void reject(CompiledSpec spec, String reason) {
    segmentContext.head.refusedHash = spec.spec().hash();
    log.write(
        DeadLetter.undecodable(
            ErrorCode.SPEC_REJECTED,
            "segment %s keeps spec %s and what it learned; spec %s does not take over: %s"
                .formatted(
                    segmentContext.segment,
                    segmentContext.head.specHash,
                    spec.spec().hash(),
                    reason),
            new Origin("specs", 0, -1, Origin.NO_APPEND_TIME),
            spec.spec().key().getBytes(StandardCharsets.UTF_8),
            null)); // the specs topic has its text; no copy for each segment
  }
}
