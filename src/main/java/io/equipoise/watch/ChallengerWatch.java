package io.equipoise.watch;

import io.equipoise.event.ChallengerEvidence;
import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.Decision;
import io.equipoise.event.GapInterval;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchRecord;
import io.equipoise.evidence.Ends;
import io.equipoise.evidence.OffPolicySums;
import io.equipoise.evidence.RowScores;
import io.equipoise.segment.replay.ShadowReplay;
import io.equipoise.segment.replay.ShadowReplay.Shadow;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SpecParser;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Replays a challenger, and keeps the evidence of its gate (docs/math/watch.md#gate). The replay of
 * a batch may run in a thread of its own; rows are counted by one thread.
 */
final class ChallengerWatch extends Watch {
  /** Probability that one end of an interval ever errs. */
  static final double LEVEL_OF_ENDS = 0.025;

  private final ChallengerRegistration registration;
  private final ShadowReplay replay;
  private final NumberRange range;

  /** The conditions that share the candidate's part of alpha. */
  private final int conditions;

  /** The margin as a share of the range. */
  private final double margin;

  /** For each arm of the challenger its place among the champion's; -1 if it is none of them. */
  private final int[] places;

  private final OffPolicySums sums = new OffPolicySums();
  private double certified;
  private double championCertified;
  private double violation;
  private final List<ValueGaps> gaps = new ArrayList<>();
  private boolean isPassing;

  /** The challenger's choices in the decisions of the batch, by their place in it. */
  private final List<@Nullable Shadow> shadows = new ArrayList<>();

  private @Nullable RuntimeException failure;

  ChallengerWatch(WatchRecord registered, ChallengerRegistration registration, SpecRegistry texts) {
    super(registered, registration.startOffset());
    this.registration = registration;
    CompiledSpec spec = CompiledSpec.of(SpecParser.parse(registration.specText()));
    this.replay = new ShadowReplay(spec, registered.segment(), texts);
    this.range = spec.spec().reward().range();
    this.conditions = 1 + registration.maxGaps().size();
    this.margin = registration.margin() / range.width();
    CompiledSpec champion = texts.byHash(registration.championHash());
    if (champion == null) {
      throw new IllegalArgumentException(
          "challenger %s of segment %s: the text of spec %s, which decided when it was registered,"
                  .formatted(registration.name(), registered.segment(), registration.championHash())
              + " is not on the specs topic");
    }
    places = spec.armIds().stream().mapToInt(champion.armIds()::indexOf).toArray();
    for (Map.Entry<String, Double> limit : registration.maxGaps().entrySet()) {
      PeopleGroups groups = new PeopleGroups(List.of(limit.getKey()), champion);
      double scaled = Math.min(1, limit.getValue() / range.width());
      gaps.add(new ValueGaps(limit.getKey(), groups, scaled, level()));
    }
  }

  /** Returns the probability that a condition ever holds wrongly. */
  private double level() {
    return registration.share() / conditions;
  }

  ChallengerRegistration registration() {
    return registration;
  }

  void replay(List<LoggedRecord> batch) {
    shadows.clear();
    for (LoggedRecord logged : batch) {
      if (failure != null) {
        return;
      }
      try {
        shadows.add(replay(logged));
      } catch (RuntimeException e) { // a challenger's fault ends the challenger, nothing else
        failure = e;
      }
    }
  }

  private @Nullable Shadow replay(LoggedRecord logged) {
    if (logged.output() instanceof SegmentEvent segmentEvent) {
      replay.onSegmentEvent(segmentEvent);
    }
    if (!(logged.output() instanceof Decision decision)) {
      return null;
    }
    Long from = registration.trainFrom();
    boolean isBefore = from != null && decision.eventTime() < from && !counts(logged.offset());
    return isBefore ? null : replay.onDecision(decision);
  }

  /** Returns why the replay failed at this place of the batch, or null. */
  @Nullable RuntimeException failureAt(int place) {
    return place < shadows.size() ? null : failure;
  }

  @Nullable Shadow shadow(int place) {
    return shadows.get(place);
  }

  @Override
  @Nullable WatchRecord count(WatchedRow row, double reward, double[] q, int pending) {
    Shadow shadow = row.shadows().get(this);
    if (shadow == null) {
      return null;
    }
    double[] pi = new double[row.propensities().length];
    double unseen = 0;
    for (int arm = 0; arm < places.length; arm++) {
      double probability = shadow.propensities()[arm];
      if (places[arm] >= 0) {
        pi[places[arm]] = probability;
      } else {
        unseen += probability;
      }
    }
    RowScores scores = new RowScores(row.propensities(), pi, q, row.arm(), reward);
    sums.add(scores, unseen);
    certified += shadow.isCertified() ? 1 : 0;
    championCertified += row.isCertified() ? 1 : 0;
    violation += Math.max(0, shadow.excess());
    gaps.forEach(gap -> gap.add(row, scores));
    long rows = sums.rows();
    List<String> failing = isLook(rows) ? failing() : List.of();
    boolean isTurned = isLook(rows) && failing.isEmpty() != isPassing;
    isPassing ^= isTurned;
    return isTurned || isReport(rows)
        ? registered()
            .with(
                new WatchEvidence(
                    rows, row.seq(), pending, sums.missing(), leftOut(), evidence(failing), null))
        : null;
  }

  private List<String> failing() {
    List<String> failing = new ArrayList<>();
    if (sums.evidence(-margin) < needed()) {
      failing.add("reward");
    }
    double champion = mean(championCertified);
    Double least = registration.certifiedShare();
    if (mean(certified) < (least == null ? champion : least)) {
      failing.add("certified-share");
    }
    Double most = registration.maxViolation();
    if (most != null && mean(violation) > most) {
      failing.add("max-violation");
    }
    for (ValueGaps gap : gaps) {
      if (!gap.isWithinLimit()) {
        failing.add("max-gap " + gap.attribute());
      }
    }
    return failing;
  }

  /** Returns the logarithm of the evidence that the reward condition needs. */
  private double needed() {
    return StrictMath.log(conditions / registration.share());
  }

  private double mean(double sum) {
    return sums.rows() == 0 ? 0 : sum / sums.rows();
  }

  private ChallengerEvidence evidence(List<String> failing) {
    Ends value = sums.value().ends(LEVEL_OF_ENDS);
    Ends difference = sums.difference(LEVEL_OF_ENDS);
    double unit = range.width();
    List<GapInterval> intervals = new ArrayList<>();
    gaps.forEach(gap -> intervals.addAll(gap.intervals(unit)));
    return new ChallengerEvidence(
        reward(sums.value().mean()),
        reward(value.low()),
        reward(value.high()),
        rewardOrNull(sums.loggedMean()),
        unit * sums.difference(),
        unit * difference.low(),
        unit * difference.high(),
        unit * sums.difference(level()).low(),
        rewardOrNull(sums.ips()),
        rewardOrNull(sums.snips()),
        sums.meanWeight(),
        sums.maxWeight(),
        sums.effectiveRows(),
        sums.unsupported(),
        mean(certified),
        mean(championCertified),
        mean(violation),
        intervals,
        twoDigits(sums.moreRows(-margin, needed())),
        failing,
        failing.isEmpty());
  }

  private double reward(double scaled) {
    return range.low() + range.width() * scaled;
  }

  private @Nullable Double rewardOrNull(@Nullable Double scaled) {
    return scaled == null ? null : (Double) reward(scaled);
  }

  private static @Nullable Long twoDigits(@Nullable Double rows) {
    return rows == null
        ? null
        : (Long) BigDecimal.valueOf(rows).round(new MathContext(2)).longValue();
  }
}
