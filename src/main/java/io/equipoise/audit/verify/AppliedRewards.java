package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.JoinedReward;
import io.equipoise.event.LogTopic;
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
 * Checks that applied and buffered rewards equal the rewards at their origins (I2) where the
 * digests differ. Digests may differ legitimately: a reward may carry mediators as numbers, while
 * its segment event has their levels. Such rewards are read again in batches of {@value #BATCH} and
 * encoded by the spec that the segment event names.
 */
final class AppliedRewards {
  private static final int BATCH = 10_000;

  private final CommittedLog log;
  private final InputRecords inputs;
  private final SpecCatalog specCatalog;
  private final FindingsCollector findings;
  private final Map<RecordPlace, TreeMap<Long, List<Claim>>> claims = new HashMap<>();
  private int held;

  private record Claim(String key, SegmentEvent segmentEvent) {}

  AppliedRewards(
      CommittedLog log, InputRecords inputs, SpecCatalog specCatalog, FindingsCollector findings) {
    this.log = log;
    this.inputs = inputs;
    this.specCatalog = specCatalog;
    this.findings = findings;
  }

  /**
   * Adds a segment event.
   *
   * @param key its name in findings
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

  /** Checks all added events; reads nothing if there are none. */
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
    log.forEach(
        wanted,
        at ->
            claims
                .get(RecordPlace.of(at.slice()))
                .getOrDefault(at.offset(), List.of())
                .forEach(claim -> check(claim, at)));
    claims.clear();
    held = 0;
  }

  private void check(Claim claim, LogRecord at) {
    if (!(inputs.decode(at) instanceof RewardEvent reward) || !isOf(reward, claim.segmentEvent)) {
      findings.violated(
          Invariant.I2, claim.key, "it does not match the reward at its origin " + at.offset());
      return;
    }
    CompiledSpec spec = specCatalog.specs().byHash(String.valueOf(claim.segmentEvent.specHash()));
    if (spec != null // otherwise I3 reports it
        && !claim.segmentEvent.mediators().equals(MediatorsOfReward.in(reward, spec))) {
      findings.violated(
          Invariant.I2,
          claim.key,
          "its mediators are not those of the reward at its origin " + at.offset());
    }
  }

  private static boolean isOf(RewardEvent reward, SegmentEvent segmentEvent) {
    JoinedReward joined = segmentEvent.reward();
    return joined != null
        && reward.segment().equals(segmentEvent.segment())
        && reward.decisionId().equals(segmentEvent.decisionId())
        && Objects.equals(reward.rewardId(), joined.id())
        && Objects.equals(reward.shownArm(), joined.shownArm())
        && reward.eventTime() == segmentEvent.eventTime()
        && Objects.equals(reward.reward(), joined.value());
  }
}
