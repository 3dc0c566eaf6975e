package io.equipoise.simulation;

import io.equipoise.event.AssumptionAudit;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.SegmentOutput;
import io.equipoise.segment.SegmentMachine;
import io.equipoise.segment.log.OutputLog;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.MemorySegmentState;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.segmentspec.SpecParser;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs one segment on the machine of the job, in event time: a context at regular intervals,
 * rewards when they are due, timers between them.
 */
public final class SegmentDriver implements OutputLog {
  private static final long START = 1_700_000_000_000L;
  private static final double SECOND = 1_000;

  private final String segment;
  private final double stepMillis;
  private final boolean isConfirming;
  private final SegmentMachine machine;
  private final MemorySegmentState state = new MemorySegmentState();
  private final DueRewards due;
  private final List<FairnessAudit> audits = new ArrayList<>();
  private @Nullable Decision decision;
  private final List<ExperimentRecord> phases = new ArrayList<>();
  private @Nullable ExperimentRecord terminal;
  private @Nullable AssumptionAudit refuted;
  private long contexts;
  private int learned;
  private long now = START;
  private long offset;
  private boolean keepsMetrics;
  private @Nullable SegmentMetrics metrics;

  /**
   * Compiles the spec; a context comes each second.
   *
   * @throws io.equipoise.segmentspec.SpecException if it is refused
   */
  public SegmentDriver(String text) {
    this(CompiledSpec.of(SpecParser.parse(text)), BoundsRegistry.NONE, "campaign", SECOND);
  }

  /**
   * Starts a segment.
   *
   * @param spec for this segment, whatever segments it selects
   * @param bounds causal bounds that the segment adopts if its spec asks for them
   * @param segment its name, which the random draws of the policy depend on
   * @param stepMillis event time from one context to the next, ms
   */
  public SegmentDriver(
      CompiledSpec spec, BoundsRegistry bounds, String segment, double stepMillis) {
    this.segment = segment;
    this.stepMillis = stepMillis;
    isConfirming = spec.isSilenceConfirmed();
    machine = new SegmentMachine(SpecRegistry.of(spec), bounds, () -> START, 0);
    due = new DueRewards(machine, segment, state, this);
  }

  /**
   * Moves on to the time of the next context, delivers what is due, and asks for an arm.
   *
   * @throws IllegalStateException if the context is rejected
   */
  public Decision ask(String id, Map<String, Object> attributes) {
    now = START + Math.round(++contexts * stepMillis);
    due.deliver(now);
    audits.clear();
    decision = null;
    machine.onContext(
        new ContextEvent(
            id, segment, now, attributes, null, null, origin("contexts", now), bytes(id)),
        state,
        this);
    if (decision == null || !decision.isChosen()) {
      throw new IllegalStateException("context " + id + " got no decision: " + decision);
    }
    Decision made = decision;
    if (isConfirming) {
      machine.onReward(
          RewardEvent.shown(id, segment, now, made.arm(), origin("rewards", now), bytes(id + "s")),
          state,
          this);
    }
    return made;
  }

  /** Returns the audits of the last decision. */
  public List<FairnessAudit> audits() {
    return audits;
  }

  /** Has snapshots made, which cost much more than the decisions between them. */
  public SegmentDriver keepingMetrics() {
    keepsMetrics = true;
    return this;
  }

  /** Returns the latest snapshot that was kept, or null before the first. */
  public @Nullable SegmentMetrics metrics() {
    return metrics;
  }

  /** Returns how many decisions the model has learned a reward of. */
  public int learned() {
    return learned;
  }

  /** Returns the phases of the experiment so far. */
  public List<ExperimentRecord> phases() {
    return phases;
  }

  /** Returns how the experiment ended, or null while it goes on. */
  public @Nullable ExperimentRecord terminal() {
    return terminal;
  }

  /** Returns the first assumption that the rewards refuted, or null while there is none. */
  public @Nullable AssumptionAudit refuted() {
    return refuted;
  }

  /** Sends a reward that comes after a delay in milliseconds. */
  public void reward(String id, long delay, double value, Map<String, Object> mediators) {
    long at = now + delay;
    due.add(
        new RewardEvent(
            id,
            id + "r",
            segment,
            at,
            value,
            mediators,
            null,
            origin("rewards", at),
            bytes(id + "r")));
  }

  private Origin origin(String topic, long time) {
    return new Origin(topic, 0, offset++, time);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public boolean takesMetrics() {
    return keepsMetrics;
  }

  @Override
  public void write(SegmentOutput output) {
    if (output instanceof Decision made) {
      decision = made;
    } else if (output instanceof FairnessAudit audit) {
      audits.add(audit);
    } else if (output instanceof ExperimentRecord experiment && experiment.terminal() == null) {
      phases.add(experiment);
    } else if (output instanceof SegmentMetrics snapshot) {
      metrics = snapshot;
    } else if (output instanceof ExperimentRecord experiment) {
      terminal = experiment;
    } else if (output instanceof SegmentEvent segmentEvent) {
      learned += segmentEvent.learned() ? 1 : 0;
      refuted = refuted == null ? segmentEvent.assumption() : refuted;
    }
  }
}
