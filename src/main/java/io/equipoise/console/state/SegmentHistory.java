package io.equipoise.console.state;

import io.equipoise.event.AuditVerdict;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Source;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the records of one segment as sums by time bucket, the latest snapshot, and the latest
 * effects. Buckets are those of the times at which records were written. Not thread-safe: {@link
 * Aggregator} locks all access.
 *
 * <p>State: all sums and latest values follow from the records in their order. The {@code
 * SeqGuard}s ignore records that a later writer epoch repeats. {@code seqOfViolation}, {@code
 * seqOfUnfair} and {@code seqOfHidden} are the seqs counted last, since a decision has several
 * audits and counts once.
 */
public final class SegmentHistory {
  private static final int MOST_RECENT = 20;

  /** Names a count of records or decisions by time bucket. */
  public enum Count {
    /** Contexts that a policy decided: neither refused nor repeated. */
    DECISIONS,
    CERTIFIED,
    /** Decisions with an estimated effect beyond the limit. */
    VIOLATIONS,
    /** Decisions with an effect whose whole interval is beyond the limit. */
    UNFAIR,
    /** Decisions with an effect that is redacted, so that only its verdict is known. */
    HIDDEN,
    DEAD_LETTERS
  }

  /** Dates the latest snapshot by when its record was written, epoch ms. */
  public record Snapshot(SegmentMetrics metrics, long time) {}

  /** Names a decision by its id and its context. */
  public record RecentDecision(String id, Source source) {}

  private final String name;
  private final Limits limits;
  private final SharedLimit series;
  private final SharedLimit effects;
  private final Map<Count, Ring> counts = new EnumMap<>(Count.class);
  private final Map<DecisionReason, Ring> reasons = new EnumMap<>(DecisionReason.class);
  private final MomentRing rewards = new MomentRing();
  private final MomentRing duals = new MomentRing();
  private final Map<String, ArmHistory> arms = new LinkedHashMap<>();
  private final ArmHistory otherArms = new ArmHistory();
  private final Map<PairHistory.PairKey, PairHistory> pairs = new LinkedHashMap<>();
  private final ChangeLog changeLog = new ChangeLog();
  private final ArrayDeque<RecentDecision> recent = new ArrayDeque<>();
  private final SeqGuard auditSeqs = new SeqGuard();
  private final SeqGuard eventSeqs = new SeqGuard();
  private final SeqGuard stepSeqs = new SeqGuard();
  private long seqOfViolation = -1;
  private long seqOfUnfair = -1;
  private long seqOfHidden = -1;
  private long auditsLeftOut;
  private long lastDecision;
  private long lastTime;
  private @Nullable String running;
  private @Nullable Decision newest;
  private @Nullable FairnessAudit newestAudit;
  private @Nullable Snapshot snapshot;
  private List<LedgerEntry> watched = List.of();

  SegmentHistory(String name, Limits limits, SharedLimit series, SharedLimit effects) {
    this.name = name;
    this.limits = limits;
    this.series = series;
    this.effects = effects;
  }

  /** Returns the challengers and group monitors of the segment. */
  public List<LedgerEntry> watched() {
    return watched;
  }

  void watched(List<LedgerEntry> entries) {
    watched = List.copyOf(entries);
  }

  /** Returns the hash of the spec that the segment runs; null before its first event. */
  public @Nullable String running() {
    return running;
  }

  void on(Decision decision, long bucket, long time) {
    lastTime = Math.max(lastTime, time);
    if (decision.isRepeated()) {
      return;
    }
    recent.add(new RecentDecision(decision.decisionId(), decision.source()));
    if (recent.size() > MOST_RECENT) {
      recent.remove();
    }
    reasons.computeIfAbsent(decision.reason(), any -> new Ring()).add(bucket, 1);
    if (!decision.isChosen()) {
      return;
    }
    lastDecision = Math.max(lastDecision, time);
    count(Count.DECISIONS, bucket);
    if (decision.certified()) {
      count(Count.CERTIFIED, bucket);
    }
    if (decision.arm() != null) {
      arm(decision.arm()).decisions.add(bucket, 1);
    }
    newest = decision.withFeatures(null, null);
  }

  void on(FairnessAudit audit, long bucket, long time) {
    lastTime = Math.max(lastTime, time);
    if (!auditSeqs.isNew(audit.writerEpoch(), audit.seq())) {
      return;
    }
    newestAudit = audit;
    if (audit.isBeyondThreshold() && seqOfViolation != audit.seq()) {
      seqOfViolation = audit.seq();
      count(Count.VIOLATIONS, bucket);
    }
    if (audit.verdict() == AuditVerdict.UNFAIR && seqOfUnfair != audit.seq()) {
      seqOfUnfair = audit.seq();
      count(Count.UNFAIR, bucket);
    }
    boolean isHidden = audit.redaction() != null && audit.effect().estimate() == null;
    if (isHidden && seqOfHidden != audit.seq()) {
      seqOfHidden = audit.seq();
      count(Count.HIDDEN, bucket);
    }
    if (audit.dual() != null) {
      duals.add(bucket, audit.dual());
    }
    PairHistory.PairKey key = PairHistory.PairKey.of(audit.effect());
    PairHistory pair = pairs.get(key);
    if (pair == null && pairs.size() < limits.pairs() && series.take()) {
      pair = new PairHistory(key, effects);
      pairs.put(key, pair);
    }
    if (pair == null) {
      auditsLeftOut++;
    } else {
      pair.on(audit, bucket, time);
    }
  }

  void on(SegmentEvent event, long bucket, long time) {
    lastTime = Math.max(lastTime, time);
    if (!eventSeqs.isNew(event.writerEpoch(), event.seq())) {
      return;
    }
    changeLog.on(event, time);
    running = event.specHash() == null ? running : event.specHash();
    Double reward = event.learnedReward();
    if (event.learned() && reward != null) {
      rewards.add(bucket, reward);
      if (event.arm() != null) {
        arm(event.arm()).rewards.add(bucket, reward);
      }
    }
  }

  void on(ExperimentRecord step, long time) {
    if (stepSeqs.isNew(step.writerEpoch(), step.seq())) {
      changeLog.on(step, time);
    }
  }

  void on(SegmentMetrics metrics, long time) {
    lastTime = Math.max(lastTime, time);
    snapshot = new Snapshot(metrics, time);
  }

  void onDeadLetter(long bucket, long time) {
    lastTime = Math.max(lastTime, time);
    count(Count.DEAD_LETTERS, bucket);
  }

  private void count(Count count, long bucket) {
    counts.computeIfAbsent(count, any -> new Ring()).add(bucket, 1);
  }

  private ArmHistory arm(String id) {
    String key = Names.cut(id);
    ArmHistory arm = arms.get(key);
    if (arm == null && arms.size() < limits.arms() && series.take()) {
      arm = new ArmHistory();
      arms.put(key, arm);
    }
    return arm == null ? otherArms : arm;
  }

  /** Gives back its share of the common quotas. */
  void release() {
    series.give(arms.size() + pairs.size());
    pairs.values().forEach(pair -> effects.give(pair.effects().size()));
  }

  public String name() {
    return name;
  }

  /** Returns a count of a range of buckets. */
  public long count(Count count, long first, long last) {
    Ring ring = counts.get(count);
    return ring == null ? 0 : (long) ring.total(first, last);
  }

  /** Returns the decisions by reason in a range of buckets. */
  public Map<DecisionReason, Long> reasons(long first, long last) {
    Map<DecisionReason, Long> result = new EnumMap<>(DecisionReason.class);
    reasons.forEach(
        (reason, ring) -> {
          long total = (long) ring.total(first, last);
          if (total > 0) {
            result.put(reason, total);
          }
        });
    return result;
  }

  /** Returns the learned rewards of a bucket. */
  public SampleMoments rewards(long bucket) {
    return rewards.at(bucket);
  }

  /** Returns the learned rewards of the window that ends with a bucket. */
  public SampleMoments allRewards(long last) {
    return rewards.total(last);
  }

  /** Returns the dual variables of a bucket. */
  public SampleMoments duals(long bucket) {
    return duals.at(bucket);
  }

  /** Returns the arms with their own history, in the order in which they came. */
  public Map<String, ArmHistory> arms() {
    return Collections.unmodifiableMap(arms);
  }

  /** Returns the sum of the arms beyond the limit. */
  public ArmHistory otherArms() {
    return otherArms;
  }

  /** Returns the pairs of levels that have a history, in the order in which they came. */
  public Collection<PairHistory> pairs() {
    return Collections.unmodifiableCollection(pairs.values());
  }

  /** Returns how many audits of pairs without a history came. */
  public long auditsLeftOut() {
    return auditsLeftOut;
  }

  public ChangeLog changeLog() {
    return changeLog;
  }

  /** Returns the latest decisions, newest first. */
  public List<RecentDecision> recent() {
    List<RecentDecision> newestFirst = new ArrayList<>(recent);
    Collections.reverse(newestFirst);
    return newestFirst;
  }

  /** Returns when the latest decision was written, epoch ms; 0 if there was none. */
  public long lastDecision() {
    return lastDecision;
  }

  /** Returns when the latest record was written, epoch ms. */
  long lastTime() {
    return lastTime;
  }

  /** Returns the latest decision of the policy, without features. */
  public @Nullable Decision newest() {
    return newest;
  }

  /** Returns the latest audit of a new seq; null before the first. */
  public @Nullable FairnessAudit newestAudit() {
    return newestAudit;
  }

  /** Returns the latest snapshot; null before the first. */
  public @Nullable Snapshot snapshot() {
    return snapshot;
  }
}
