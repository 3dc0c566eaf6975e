package io.equipoise.console.report;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.MemoryBudget;
import io.equipoise.audit.verify.SurvivingLog;
import io.equipoise.audit.verify.WriterEpochHistory;
import io.equipoise.console.state.ChangeLog.Change;
import io.equipoise.console.state.SampleMoments;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.GroupMean;
import io.equipoise.event.IdHash;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.privacy.SmallCellSuppression;
import io.equipoise.segmentspec.Nearest;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Computes the figures of a report: counts and sums over the records of one segment that were
 * written within a period. Records that a later writer epoch withdrew do not count.
 *
 * <p>An outcome of a group is a reward that was written within the period and belongs to a decision
 * whose audit was written within the period, because the audit has the person's level.
 *
 * <p>Memory: about {@value #BYTES_OF_DECISION} bytes for each audited decision.
 *
 * <p>State: the sums, and by audited decision its groups. {@link #of} reads one topic after the
 * other, audits before segment events, because a reward finds its groups by its decision. The
 * fields from {@code previous} on belong to the decision whose audits are being read. All figures
 * are valid when {@link #of} returns.
 */
public final class ReportFigures {
  private static final int BYTES_OF_DECISION = 120;
  private static final int MOST_CHANGES = 200;
  private static final int MOST_OTHERS = 1_000;

  final String segment;
  final Period period;
  final long minGroupSize;

  final TreeMap<Version, Long> versions = new TreeMap<>();
  final Map<DecisionReason, Long> reasons = new EnumMap<>(DecisionReason.class);
  final Map<String, Long> decisionsOfArms = new TreeMap<>();
  final Map<String, SampleMoments> rewardsOfArms = new TreeMap<>();
  final Map<SegmentEventType, Long> events = new EnumMap<>(SegmentEventType.class);
  final Map<PairFigures.FigureKey, PairFigures> pairs = new TreeMap<>();
  final Map<Group, SampleMoments> groups = new TreeMap<>();
  final Map<String, Long> deadLetters = new TreeMap<>();
  final List<Change> changes = new ArrayList<>();

  /** Challengers and group monitors, with the evidence at the end of the period. */
  final List<LedgerEntry> watched = new ArrayList<>();

  /** The newest spec that decided; null if its text is not known. */
  @Nullable SegmentSpec newest;

  SampleMoments rewards = SampleMoments.NONE;

  /** Contexts that a policy decided: neither refused nor repeated. */
  long decisions;

  long certified;
  long recovered;
  long audited;
  long violations;
  long unfair;
  boolean hasHiddenEffects;
  double excess;
  double widestExcess;
  long explored;
  long withExcluded;
  long withRefuted;
  double greatestThreshold;
  double leastThreshold = Double.POSITIVE_INFINITY;
  long rewardsOfOtherDecisions;
  long rewardsOfRedactedGroups;
  long unreadable;

  /** Timeouts from which the default reward was learned. */
  long silent;

  @Nullable SegmentMetrics lastSnapshot;

  /** Some other segments that decided. */
  private final Set<String> others = new TreeSet<>();

  private final MemoryBudget memory;
  private final Map<String, Integer> groupings = new HashMap<>();
  private final List<List<Group>> groupsOfGrouping = new ArrayList<>();
  private final Map<DecisionSeq, Integer> groupingOf = new HashMap<>();
  private @Nullable FairnessAudit previous;
  private boolean isViolated;
  private boolean isUnfair;
  private double excessOfDecision = Double.NEGATIVE_INFINITY;

  /** Names a decision as segment events do: an id that was forgotten may have several. */
  private record DecisionSeq(IdHash id, long seq) {}

  /** Identifies the policy and the spec that decided. */
  record Version(String policy, long specVersion, String specHash) implements Comparable<Version> {
    @Override
    public int compareTo(Version other) {
      int byVersion = Long.compare(specVersion, other.specVersion);
      int byHash = byVersion != 0 ? byVersion : specHash.compareTo(other.specHash);
      return byHash != 0 ? byHash : policy.compareTo(other.policy);
    }
  }

  /** Groups people by a level of a sensitive attribute. */
  record Group(String attribute, String level) implements Comparable<Group> {
    @Override
    public int compareTo(Group other) {
      int byAttribute = attribute.compareTo(other.attribute);
      return byAttribute != 0 ? byAttribute : level.compareTo(other.level);
    }
  }

  private ReportFigures(String segment, Period period, long minGroupSize, long memoryBytes) {
    this.segment = segment;
    this.period = period;
    this.minGroupSize = minGroupSize;
    memory = new MemoryBudget(memoryBytes);
  }

  /** Returns whether a decision of the segment was written in the period. */
  public boolean hasDecisions() {
    return decisions > 0;
  }

  /** Returns why there is nothing to report; null if the period has a record of the segment. */
  @Nullable String absence() {
    boolean isAbsent =
        decisions + audited == 0
            && events.isEmpty()
            && lastSnapshot == null
            && deadLetters.isEmpty();
    return isAbsent
        ? "the period has no record of segment %s; %scheck --segment, --from and --to"
            .formatted(segment, Nearest.suggestion(segment, others))
        : null;
  }

  /**
   * Computes the figures of a log.
   *
   * @param log at least the records of the period and what follows
   * @param minGroupSize people that a published group has at least
   * @param memoryBytes limit of the memory for decisions
   * @throws InconclusiveException if the log cannot be read or memory does not suffice
   */
  public static ReportFigures of(
      CommittedLog log, String segment, Period period, long minGroupSize, long memoryBytes) {
    ReportFigures figures = new ReportFigures(segment, period, minGroupSize, memoryBytes);
    WriterEpochHistory history =
        WriterEpochHistory.read(log, segment::equals, new MemoryBudget(memoryBytes));
    CommittedLog surviving = new SurvivingLog(log, history, true);
    try {
      for (LogTopic topic :
          List.of(
              LogTopic.DECISIONS,
              LogTopic.AUDIT,
              LogTopic.SEGMENT_EVENTS,
              LogTopic.METRICS,
              LogTopic.DEAD_LETTER)) {
        figures.read(surviving, topic);
      }
    } catch (MemoryBudget.ExceededException e) {
      throw new InconclusiveException(
          "the period has too many decisions; give a shorter one, or more --memory");
    }
    figures.endOfDecision();
    return figures;
  }

  private void read(CommittedLog log, LogTopic topic) {
    try (LogReader reader = log.read(log.slices(topic))) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        byte[] value = at.value();
        if (value != null && period.contains(at.timestamp())) {
          try {
            take(topic, value, at.timestamp());
          } catch (WireException e) {
            unreadable++;
          }
        }
      }
    }
  }

  private void take(LogTopic topic, byte[] value, long written) {
    switch (topic) {
      case DECISIONS -> {
        Decision decision = Wire.DECISION.decode(value);
        if (decision.segment().equals(segment) && !decision.isRepeated()) {
          on(decision);
        } else if (decisions == 0 && others.size() < MOST_OTHERS) {
          others.add(decision.segment());
        }
      }
      case AUDIT -> {
        FairnessAudit audit = Wire.AUDIT.decode(value);
        if (audit.segment().equals(segment)) {
          on(audit);
        }
      }
      case SEGMENT_EVENTS -> {
        SegmentEvent event = Wire.SEGMENT_EVENT.decode(value);
        if (event.segment().equals(segment)) {
          on(event, written);
        }
      }
      case METRICS -> {
        SegmentMetrics metrics = Wire.METRICS.decode(value);
        if (metrics.segment().equals(segment)) {
          lastSnapshot = metrics;
        }
      }
      default -> {
        DeadLetter deadLetter = Wire.DEAD_LETTER.decode(value);
        if (segment.equals(deadLetter.segment())) {
          deadLetters.merge(deadLetter.code(), 1L, Long::sum);
        }
      }
    }
  }

  private void on(Decision decision) {
    reasons.merge(decision.reason(), 1L, Long::sum);
    recovered += decision.recovered() ? 1 : 0;
    if (!decision.isChosen()) {
      return;
    }
    decisions++;
    certified += decision.certified() ? 1 : 0;
    if (decision.arm() != null) {
      decisionsOfArms.merge(decision.arm(), 1L, Long::sum);
    }
    if (decision.specVersion() != null && decision.specHash() != null) {
      versions.merge(
          new Version(decision.policy(), decision.specVersion(), decision.specHash()),
          1L,
          Long::sum);
    }
  }

  /** The audits of one decision follow each other. */
  private void on(FairnessAudit audit) {
    pairs.computeIfAbsent(PairFigures.FigureKey.of(audit), any -> new PairFigures()).on(audit);
    greatestThreshold = Math.max(greatestThreshold, audit.threshold());
    leastThreshold = Math.min(leastThreshold, audit.threshold());
    if (previous == null || previous.seq() != audit.seq()) {
      endOfDecision();
      audited++;
      explored += audit.explored() ? 1 : 0;
      withExcluded += audit.excluded() != null ? 1 : 0;
      withRefuted += audit.conclusion().refutedAssumption() != null ? 1 : 0;
    }
    previous = audit;
    isViolated |= audit.isBeyondThreshold();
    isUnfair |= audit.verdict() == AuditVerdict.UNFAIR;
    Double estimate = audit.effect().estimate();
    if (estimate != null) {
      excessOfDecision = Math.max(excessOfDecision, Math.abs(estimate) - audit.threshold());
    } else if (audit.redaction() != null) {
      hasHiddenEffects = true;
    }
    DecisionSeq decision = new DecisionSeq(IdHash.of(audit.decisionId()), audit.seq());
    String factual = audit.effect().factual();
    if (factual != null) {
      join(decision, new Group(audit.effect().attribute(), factual));
    } else if (audit.redaction() != null) {
      join(decision, null);
    }
  }

  private void endOfDecision() {
    violations += isViolated ? 1 : 0;
    unfair += isUnfair ? 1 : 0;
    if (excessOfDecision > 0) {
      excess += excessOfDecision;
      widestExcess = Math.max(widestExcess, excessOfDecision);
    }
    isViolated = false;
    isUnfair = false;
    excessOfDecision = Double.NEGATIVE_INFINITY;
  }

  /**
   * Counts a decision's reward in a group.
   *
   * @param group null if the records do not contain it
   */
  private void join(DecisionSeq decision, @Nullable Group group) {
    Integer known = groupingOf.get(decision);
    List<Group> all = new ArrayList<>(known == null ? List.of() : groupsOfGrouping.get(known));
    if (known == null) {
      memory.reserve(BYTES_OF_DECISION);
    } else if (group == null || all.contains(group)) {
      return;
    }
    if (group != null) {
      all.add(group);
    }
    int grouping =
        groupings.computeIfAbsent(
            all.toString(),
            any -> {
              groupsOfGrouping.add(List.copyOf(all));
              return groupsOfGrouping.size() - 1;
            });
    groupingOf.put(decision, grouping);
  }

  private void on(SegmentEvent event, long written) {
    events.merge(event.type(), 1L, Long::sum);
    silent += event.type() == SegmentEventType.REWARD_TIMEOUT && event.learned() ? 1 : 0;
    boolean isChange =
        switch (event.type()) {
          case SPEC_ADOPTED, BOUNDS_ADOPTED, ASSUMPTION_REFUTED, BOUNDS_REFUTED -> true;
          default -> false;
        };
    if (isChange && changes.size() < MOST_CHANGES) {
      changes.add(new Change(event, written));
    }
    Double reward = event.learnedReward();
    if (!event.learned() || reward == null) {
      return;
    }
    rewards = rewards.plus(reward);
    if (event.arm() != null) {
      rewardsOfArms.merge(
          event.arm(), SampleMoments.NONE.plus(reward), (known, more) -> known.plus(reward));
    }
    String hash = event.hashOfDecision();
    Long seq = event.decisionSeq();
    Integer grouping =
        hash == null || seq == null
            ? null
            : groupingOf.get(new DecisionSeq(IdHash.ofHex(hash), seq));
    if (grouping == null) {
      rewardsOfOtherDecisions++;
      return;
    }
    rewardsOfRedactedGroups += groupsOfGrouping.get(grouping).isEmpty() ? 1 : 0;
    for (Group group : groupsOfGrouping.get(grouping)) {
      groups.merge(group, SampleMoments.NONE.plus(reward), (known, more) -> known.plus(reward));
    }
  }

  Map<Group, SampleMoments> publishedGroups() {
    List<GroupMean> means = new ArrayList<>();
    groups.forEach(
        (group, moments) ->
            means.add(
                new GroupMean(
                    group.attribute(),
                    group.level(),
                    moments.count(),
                    moments.sum() / moments.count())));
    Map<Group, SampleMoments> published = new TreeMap<>(groups);
    for (GroupMean small : new SmallCellSuppression(minGroupSize).tooSmall(means)) {
      published.remove(new Group(small.attribute(), small.level()));
    }
    return published;
  }

  Map<PairFigures.FigureKey, PairFigures> publishedPairs() {
    Map<PairFigures.FigureKey, PairFigures> published = new TreeMap<>(pairs);
    published.values().removeIf(pair -> pair.audits() < minGroupSize);
    return published;
  }

  /** Returns the answers for any reason, to refused contexts too. */
  long answers() {
    return reasons.values().stream().mapToLong(Long::longValue).sum();
  }

  long count(DecisionReason reason) {
    return reasons.getOrDefault(reason, 0L);
  }

  long count(SegmentEventType type) {
    return events.getOrDefault(type, 0L);
  }
}
