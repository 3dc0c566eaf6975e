package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.segment.log.MediatorsOfReward;
import io.equipoise.segment.state.CompiledSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Judges whether applied and collected rewards are those at their origins (I2) where digests do not
 * say so: mediators may be sent as numbers, of which a segment event has the levels. Such rewards
 * are read once more, {@value #BATCH} of them at a time, and encoded by the spec that the segment
 * event names.
 */
final class AppliedRewards {
  private static final int BATCH = 10_000;

  private final CommittedLog log;
  private final InputRecords inputs;
  private final SpecCatalog specCatalog;
  private final FindingsCollector findingsCollector;
  private final Map<RecordPlace, TreeMap<Long, List<Claim>>> claims = new HashMap<>();
  private int held;

  private record Claim(String key, SegmentEvent segmentEvent) {}

  AppliedRewards(
      CommittedLog log,
      InputRecords inputs,
      SpecCatalog specCatalog,
      FindingsCollector findingsCollector) {
    this.log = log;
    this.inputs = inputs;
    this.specCatalog = specCatalog;
    this.findingsCollector = findingsCollector;
  }

  /**
   * Takes in a segment event.
   *
   * @param key names it
   * @param origin the partition of its reward
   */
  void add(String key, SegmentEvent segmentEvent, RecordPlace origin, long offset) {
    claims
        .computeIfAbsent(origin, any -> new TreeMap<>())
        .computeIfAbsent(offset, any -> new ArrayList<>(1))
        .add(new Claim(key, segmentEvent));
    if (++held == BATCH) {
      check();
    }
  }

  /** Judges what was taken in; costs nothing where that is nothing. */
  void check() {
    if (held == 0) {
      return;
    }
    List<OffsetRange> wanted = new ArrayList<>();
    for (OffsetRange offsetRange : log.slices(LogTopic.REWARDS)) {
      TreeMap<Long, List<Claim>> here = claims.get(RecordPlace.of(offsetRange));
      if (here != null) {
        wanted.add(offsetRange.between(here.firstKey(), here.lastKey() + 1));
      }
    }
    try (LogReader reader = log.read(wanted)) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        for (Claim claim :
            claims.get(RecordPlace.of(at.slice())).getOrDefault(at.offset(), List.of())) {
          check(claim, at);
        }
      }
    }
    claims.clear();
    held = 0;
  }

  private void check(Claim claim, LogRecord at) {
    if (!(inputs.decode(at) instanceof RewardEvent reward) || !isOf(reward, claim.segmentEvent)) {
      findingsCollector.violated(
          Invariant.I2,
          claim.key,
          "it applies another reward than the one at its origin " + at.offset());
      return;
    }
    CompiledSpec spec = specCatalog.specs().byHash(String.valueOf(claim.segmentEvent.specHash()));
    if (spec != null // else I3 tells
        && !claim.segmentEvent.mediators().equals(MediatorsOfReward.in(reward, spec))) {
      findingsCollector.violated(
          Invariant.I2,
          claim.key,
          "its mediators are not those of the reward at its origin " + at.offset());
    }
  }

  private static boolean isOf(RewardEvent reward, SegmentEvent segmentEvent) {
    return reward.segment().equals(segmentEvent.segment())
        && reward.decisionId().equals(segmentEvent.decisionId())
        && Objects.equals(reward.rewardId(), segmentEvent.rewardId())
        && Objects.equals(reward.shownArm(), segmentEvent.shownArm())
        && reward.eventTime() == segmentEvent.eventTime()
        && Double.valueOf(reward.reward()).equals(segmentEvent.reward());
  }
}
