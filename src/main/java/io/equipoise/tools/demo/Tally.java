package io.equipoise.tools.demo;

import io.equipoise.event.Decision;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.segmentspec.SegmentMatch;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.tools.CampaignTraffic;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Counts the externally visible results of one segment, and compares them with the true means. */
final class Tally {
  final SegmentSpec spec;
  final String segment;

  /** Rounds whose context was sent. */
  int sent;

  /** Rounds whose decision has arrived. */
  int decided;

  /** REPEATED decisions, which are no rounds. */
  int repeated;

  /** Decisions that must be joined with their reward. */
  int expectedJoins;

  int applied;
  int expired;
  int unfair;
  int certified;
  int fallbacks;
  double regret;
  @Nullable SegmentMetrics metrics;

  Tally(SegmentSpec spec) {
    this.spec = spec;
    this.segment = ((SegmentMatch.Exact) spec.match()).segments().get(0);
  }

  void decide(CampaignTraffic campaignTraffic, long round, Decision decision, String arm) {
    decided++;
    regret += campaignTraffic.regret(round, arm);
    unfair += campaignTraffic.effect(round, arm) > spec.fairness().tau() ? 1 : 0;
    certified += decision.certified() ? 1 : 0;
    fallbacks += decision.reason().isWithoutCertificate() ? 1 : 0;
  }

  void on(SegmentEvent segmentEvent) {
    applied += segmentEvent.type() == SegmentEventType.REWARD_APPLIED ? 1 : 0;
    expired += segmentEvent.type() == SegmentEventType.REWARD_TIMEOUT ? 1 : 0;
  }

  void on(SegmentMetrics snapshot) {
    if (metrics == null || snapshot.seq() > metrics.seq()) {
      metrics = snapshot;
    }
  }

  int waiting() {
    return sent - decided;
  }

  double certifiedShare() {
    return decided == 0 ? 0 : (double) certified / decided;
  }

  /** Formats regret and unfair decisions for the progress line. */
  String standing() {
    return String.format(Locale.ROOT, "%s %.0f/%d", spec.policy().name().wire(), regret, unfair);
  }
}
