package io.equipoise.segment;

/** Makes what handles one event of one segment, each part once. */
final class SegmentHandlers {
  final StateTransitions transitions;
  final Phases phases;
  final Refutations refutations;
  final ExpiryHandler expiry;
  final RewardHandler rewards;
  final Passivation passivation;
  final BoundsAdoption bounds;
  final SpecUpgrade upgrade;

  SegmentHandlers(SegmentContext segmentContext, EventLogWriter eventLog) {
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
