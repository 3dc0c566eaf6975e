package io.equipoise.segment.log;

import io.equipoise.event.Account;
import io.equipoise.event.ArmCertificate;
import io.equipoise.event.AssumptionSummary;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.ContextLedger;
import io.equipoise.event.CumulativeViolation;
import io.equipoise.event.DecisionLedger;
import io.equipoise.event.Digests;
import io.equipoise.event.FairnessSummary;
import io.equipoise.event.GroupMean;
import io.equipoise.event.GroupSummary;
import io.equipoise.event.MetricsTrigger;
import io.equipoise.event.Place;
import io.equipoise.event.RewardLedger;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.VerdictCounts;
import io.equipoise.fairness.AuditSums;
import io.equipoise.fairness.ViolationSums;
import io.equipoise.policy.JointGroup;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.refutation.Assumptions;
import io.equipoise.policy.refutation.Assumptions.Untested;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.Ledgers;
import io.equipoise.segment.state.ModelDigest;
import io.equipoise.segment.state.SegmentContext;
import io.equipoise.segment.state.SegmentHeader;
import io.equipoise.segmentspec.GroupSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.Variables;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the record of the metrics topic from a segment's counts. */
public final class MetricsRecords {
  private MetricsRecords() {}

  public static SegmentMetrics of(
      SegmentContext segmentContext, int writerEpoch, long eventTime, MetricsTrigger trigger) {
    SegmentHeader head = segmentContext.head;
    Ledgers ledgers = head.ledgers;
    @Nullable CompiledSpec spec = segmentContext.spec;
    return new SegmentMetrics(
        new Place(segmentContext.segment, writerEpoch, head.seq),
        eventTime,
        RecordFields.versions(segmentContext, head.fingerprint),
        spec == null ? "" : spec.spec().policy().name().wire(),
        trigger,
        head.audit.decisions(),
        head.metricsSeq,
        new ContextLedger(
            ledgers.get(Account.CONTEXT_DECIDED),
            ledgers.get(Account.CONTEXT_REJECTED),
            ledgers.get(Account.CONTEXT_DEADLINE_EXCEEDED),
            ledgers.get(Account.CONTEXT_DUPLICATE),
            ledgers.get(Account.CONTEXT_CONFLICTING)),
        new DecisionLedger(
            ledgers.get(Account.DECISION_AWAITING),
            ledgers.get(Account.DECISION_SETTLED),
            ledgers.get(Account.DECISION_TIMED_OUT),
            ledgers.get(Account.DECISION_EVICTED),
            ledgers.get(Account.DECISION_CLOSED_NOT_LEARNABLE)),
        head.dedupEntries,
        new RewardLedger(
            ledgers.get(Account.REWARD_APPLIED),
            ledgers.get(Account.REWARD_BUFFERED),
            ledgers.get(Account.REWARD_HELD_EARLY),
            ledgers.get(Account.REWARD_DUPLICATE),
            ledgers.get(Account.REWARD_CONFLICTING),
            ledgers.get(Account.REWARD_LATE),
            ledgers.get(Account.REWARD_ORPHAN),
            ledgers.get(Account.REWARD_NOT_LEARNABLE),
            ledgers.get(Account.REWARD_INVALID)),
        fairness(head.audit, spec == null ? List.of() : Certificates.of(segmentContext, spec)),
        spec == null ? new GroupSummary(List.of(), null, null, 0) : groups(segmentContext, spec),
        spec == null
            ? List.of()
            : segmentContext.ofPolicy(() -> spec.splits().report(segmentContext.state.blocks())),
        ListedArms.of(head),
        spec == null
            ? AssumptionSummary.NONE
            : assumptions(spec.assumptions(), segmentContext.state.blocks()),
        new Digests(ModelDigest.of(segmentContext.state, head), ModelDigest.pending(head)),
        null);
  }

  private static FairnessSummary fairness(AuditSums audit, List<ArmCertificate> certificates) {
    ViolationSums sums = audit.excesses();
    return new FairnessSummary(
        new VerdictCounts(
            audit.findings(AuditVerdict.CERTIFIED_FAIR),
            audit.findings(AuditVerdict.UNFAIR),
            audit.findings(AuditVerdict.NO_OVERLAP),
            audit.findings(AuditVerdict.FAIR),
            audit.findings(AuditVerdict.UNCERTAIN),
            audit.findings(AuditVerdict.NOT_IDENTIFIED)),
        audit.fallbacks(),
        audit.violations(),
        new CumulativeViolation(sums.stageWise(), sums.stageWiseUpper(), sums.signed()),
        audit.alarm().share(),
        audit.alarm().rings(),
        certificates);
  }

  private static AssumptionSummary assumptions(Assumptions assumptions, ModelState blocks) {
    return new AssumptionSummary(
        assumptions.tested(),
        assumptions.refuted(blocks),
        assumptions.untested().stream().map(Untested::name).toList());
  }

  private static GroupSummary groups(SegmentContext segmentContext, CompiledSpec spec) {
    AuditSums audit = segmentContext.head.audit;
    List<GroupMean> means = groups(audit, spec.spec().variables());
    List<JointGroup> joint =
        segmentContext.ofPolicy(() -> spec.policy().jointGroups(segmentContext.state.blocks()));
    GroupDifference difference = GroupDifference.in(audit, spec.spec(), means, joint);
    for (JointGroup group : joint) {
      means.add(new GroupMean(group.attributes(), group.levels(), group.rewards(), group.mean()));
    }
    return new GroupSummary(means, difference.size(), difference.of(), 0);
  }

  /** Returns the name of a level or, past the last level, of the group that did not disclose. */
  private static String label(SpecVariable variable, int level) {
    return level < variable.levels().size() ? variable.levels().get(level) : GroupMean.UNDISCLOSED;
  }

  private static List<GroupMean> groups(AuditSums audit, Variables variables) {
    List<GroupMean> groups = new ArrayList<>();
    List<Integer> sensitive = variables.sensitive();
    for (int attribute = 0; attribute < sensitive.size(); attribute++) {
      SpecVariable variable = variables.features().get(sensitive.get(attribute));
      for (int level = 0; level < audit.levels(attribute); level++) {
        groups.add(
            new GroupMean(
                variable.name(),
                label(variable, level),
                audit.groupRewards(attribute, level),
                audit.groupMean(attribute, level)));
      }
    }
    return groups;
  }

  /**
   * Measures how far the mean rewards of two groups are apart. If the policy balances two sides,
   * this is the measure of Fair-LinUCB, |rbar(s+) - rbar(s-)| over all rewards of either side; else
   * it is the widest gap between two levels of one attribute.
   *
   * <p>Sides of one attribute are pooled from the segment's audit sums, so from its first reward
   * on, whatever the policy forgets. Of joint levels only the policy's own means are kept: what it
   * forgets is forgotten here too.
   *
   * @param of the balanced attributes, null if there are none
   * @param size null before both groups have a reward
   */
  private record GroupDifference(@Nullable String of, @Nullable Double size) {

    /** Joins the names of attributes, and of levels, that are taken together. */
    private static final String JOINT = "*";

    static GroupDifference in(
        AuditSums audit, SegmentSpec spec, List<GroupMean> groups, List<JointGroup> joint) {
      GroupSpec balanced = spec.policy().family().groups();
      if (balanced == null) {
        return new GroupDifference(null, GroupMean.widestGap(groups));
      }
      if (balanced.attributes().size() > 1) {
        return between(
            balanced, mean(joint, balanced.privileged()), mean(joint, balanced.protectedLevels()));
      }
      SpecVariable attribute = spec.variables().named(balanced.attributes().get(0));
      int feature = spec.variables().features().indexOf(attribute);
      int place = spec.variables().sensitive().indexOf(feature);
      return between(
          balanced,
          mean(audit, place, attribute, balanced.privileged()),
          mean(audit, place, attribute, balanced.protectedLevels()));
    }

    private static GroupDifference between(GroupSpec balanced, double privileged, double shielded) {
      double size = Math.abs(privileged - shielded);
      return new GroupDifference(
          String.join(JOINT, balanced.attributes()), Double.isNaN(size) ? null : (Double) size);
    }

    /** Returns the mean of all rewards of a side, NaN before the first. */
    private static double mean(
        AuditSums audit, int place, SpecVariable attribute, List<List<String>> side) {
      long rewards = 0;
      double sum = 0;
      for (List<String> level : side) {
        int index = attribute.levels().indexOf(level.get(0));
        rewards += audit.groupRewards(place, index);
        sum += audit.groupRewards(place, index) * audit.groupMean(place, index);
      }
      return sum / rewards;
    }

    private static double mean(List<JointGroup> joint, List<List<String>> side) {
      List<String> names = side.stream().map(levels -> String.join(JOINT, levels)).toList();
      double weight = 0;
      double sum = 0;
      for (JointGroup group : joint) {
        if (names.contains(group.levels())) {
          weight += group.weight();
          sum += group.weight() * group.mean();
        }
      }
      return sum / weight;
    }
  }
}
