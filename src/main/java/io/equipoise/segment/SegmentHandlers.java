package io.equipoise.segment;

import io.equipoise.segment.log.EventLogWriter;
import io.equipoise.segment.state.SegmentContext;
import io.equipoise.segment.upgrade.SpecUpgrade;

/** Makes what handles one event of one segment, each part once. */
public final class SegmentHandlers {
  public final StateTransitions transitions;
  public final Phases phases;
  public final Refutations refutations;
  public final ExpiryHandler expiry;
  public final RewardHandler rewards;
  public final Passivation passivation;
  public final BoundsAdoption bounds;
  public final SpecUpgrade upgrade;

  public SegmentHandlers(SegmentContext segmentContext, EventLogWriter eventLog) {
    transitions = new StateTransitions(segmentContext);
    phases = new Phases(segmentContext, transitions, eventLog);
    refutations = new Refutations(segmentContext, eventLog);
    expiry = new ExpiryHandler(segmentContext, transitions, phases, refutations, eventLog);
    rewards = new RewardHandler(segmentContext, transitions, expiry, phases, refutations, eventLog);
    passivation = new Passivation(segmentContext, eventLog);
    bounds = new BoundsAdoption(segmentContext, transitions, eventLog);
    upgrade = new SpecUpgrade(segmentContext, eventLog);
  }
}
