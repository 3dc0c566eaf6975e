package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.Slice;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.join.CompiledSpec;
import io.equipoise.join.MediatorsOfReward;
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
  private final Texts texts;
  private final Docket docket;
  private final Map<Place, TreeMap<Long, List<Claim>>> claims = new HashMap<>();
  private int held;

  private record Claim(String key, SegmentEvent segmentEvent) {}

  AppliedRewards(CommittedLog log, InputRecords inputs, Texts texts, Docket docket) {
    this.log = log;
    this.inputs = inputs;
    this.texts = texts;
    this.docket = docket;
  }

  /**
   * Takes in a segment event.
   *
   * @param key names it
   * @param origin the partition of its reward
   */
  void add(String key, SegmentEvent segmentEvent, Place origin, long offset) {
    claims
        .computeIfAbsent(origin, any -> new TreeMap<>())
        .computeIfAbsent(offset, any -> new ArrayList<>(1))
        .add(new Claim(key, segmentEvent));
    if (++held == BATCH) {
      judge();
    }
  }

  /** Judges what was taken in; costs nothing where that is nothing. */
  void judge() {
    if (held == 0) {
      return;
    }
    List<Slice> wanted = new ArrayList<>();
    for (Slice slice : log.slices(LogTopic.REWARDS)) {
      TreeMap<Long, List<Claim>> here = claims.get(Place.of(slice));
      if (here != null) {
        wanted.add(slice.between(here.firstKey(), here.lastKey() + 1));
      }
    }
    try (LogReader reader = log.read(wanted)) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        for (Claim claim : claims.get(Place.of(at.slice())).getOrDefault(at.offset(), List.of())) {
          judge(claim, at);
        }
      }
    }
    claims.clear();
    held = 0;
  }

  private void judge(Claim claim, LogRecord at) {
    if (!(inputs.decode(at) instanceof RewardEvent reward) || !isOf(reward, claim.segmentEvent)) {
      docket.violated(
          Invariant.I2,
          claim.key,
          "it applies another reward than the one at its origin " + at.offset());
      return;
    }
    CompiledSpec spec = texts.specs().byHash(String.valueOf(claim.segmentEvent.specHash()));
    if (spec != null // else I3 tells
        && !claim.segmentEvent.mediators().equals(MediatorsOfReward.in(reward, spec))) {
      docket.violated(
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
