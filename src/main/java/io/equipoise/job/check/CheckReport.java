package io.equipoise.job.check;

import io.equipoise.cli.SimilarNames;
import io.equipoise.event.Counted;
import io.equipoise.event.EffectUnit;
import io.equipoise.event.Thrown;
import io.equipoise.job.check.CertificatePlan.People;
import io.equipoise.job.check.CheckpointBudget.Load;
import io.equipoise.job.options.Checkpointing;
import io.equipoise.job.options.JobOptions;
import io.equipoise.job.start.RewardWindowCheck;
import io.equipoise.policy.CheckFindings;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PolicyFamilies;
import io.equipoise.policy.refutation.AssumptionPlan;
import io.equipoise.policy.refutation.Assumptions;
import io.equipoise.policy.refutation.Assumptions.Untested;
import io.equipoise.policy.split.LiveSplits;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.DueIndex;
import io.equipoise.segmentspec.Aggregate;
import io.equipoise.segmentspec.CausalBoundsSpec;
import io.equipoise.segmentspec.FairnessSpec;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.IdleStateSpec;
import io.equipoise.segmentspec.IdleStateSpec.Retain;
import io.equipoise.segmentspec.JoinSpec;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.OnRefutation;
import io.equipoise.segmentspec.OnRefuted;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.ShownRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Collects the findings of one spec and writes them as text and JSON. The lines, the warnings and
 * the JSON object are filled while the constructor checks the spec, and by the methods that add
 * findings. For one thread.
 */
public final class CheckReport {
  private static final long DEFAULT_ROUNDS = 1_000_000;
  private static final Duration LONG_WINDOW = Duration.ofDays(7);

  /** The default of equipoise.time.max-append-delay, and as long until a reader knows the end. */
  private static final Duration READ_WITHIN = Duration.ofSeconds(10);

  private static final Duration SHORT_WINDOW = Duration.ofSeconds(5);

  private final List<String> lines = new ArrayList<>();
  private final List<String> warnings;
  private final Map<String, Object> json = new LinkedHashMap<>();

  CheckReport(
      SegmentSpec spec, Policy policy, People people, Load load, long rounds, Duration interval) {
    line("%s: %s, spec version %d", spec.name(), spec.policy().name().wire(), spec.version());
    json.put("name", spec.name());
    json.put("version", spec.version());
    json.put("hash", spec.hash());
    json.put("policy", spec.policy().name().wire());
    if (spec.fairness().unit() == EffectUnit.REWARD) {
      json.put("tau", spec.fairness().tau());
    }
    if (spec.fairness().unit() == EffectUnit.LOG_ODDS) {
      line(
          "  effects are differences of log odds; the limit %.4g is that of an odds ratio of %.4g",
          spec.fairness().tau(), StrictMath.exp(spec.fairness().tau()));
      json.put("oddsRatio", StrictMath.exp(spec.fairness().tau()));
    }
    CheckFindings findings = new CheckFindings(rounds);
    try {
      PolicyFamilies.installed().of(spec.policy().name()).check(policy, findings);
    } catch (Throwable e) { // the code of a jar of someone else
      findings.warn("the policy cannot be checked: " + Thrown.text(e));
    }
    lines.addAll(findings.lines());
    json.putAll(findings.json());
    warnings = new ArrayList<>(findings.warnings());
    if (!spec.policy().family().isPhased()) {
      causalBounds(spec);
      CertificatePlan.of(policy, people.withDelay(spec, 0, load.ratePerSegment()))
          .ifPresentOrElse(
              plan -> certificates(plan, load, warnings),
              () ->
                  CertificatePlan.whyNone(policy).ifPresent(why -> line("  no forecast: %s", why)));
    }
    List<String> splits = new LiveSplits(spec).lines();
    splits.forEach(split -> line("  %s", split));
    json.put("splits", splits);
    assumptions(spec, AssumptionPlan.of(spec, policy));
    aggregation(spec, warnings);
    freshness(spec, warnings);
    warnings.addAll(meaningless(spec, people));
    room(spec.join(), load, warnings);
    warnings.addAll(SimilarNames.warnings(spec));
    RewardWindowCheck.warning(spec, JobOptions.MAX_OUTAGE.defaultValue()).ifPresent(warnings::add);
    CheckpointBudget budget = CheckpointBudget.of(spec, policy, load);
    budget(spec, budget, load, interval, warnings);
    proxy(spec.join(), budget, load, warnings);
    warnings.forEach(warning -> line("  WARNING %s", warning));
    json.put("warnings", warnings);
  }

  /** Reports on a spec with the default load of the verb {@code check}. */
  public static CheckReport withDefaults(CompiledSpec spec) {
    return new CheckReport(
        spec.spec(),
        spec.policy(),
        People.of(spec.spec()),
        Load.DEFAULT,
        DEFAULT_ROUNDS,
        Checkpointing.INTERVAL);
  }

  /** Returns the findings to act on, one sentence each. */
  public List<String> warnings() {
    return List.copyOf(warnings);
  }

  List<String> lines() {
    return lines;
  }

  Map<String, Object> json() {
    return json;
  }

  /** Reports the correlations, and which variables the policy linucb-unaware would drop. */
  void correlations(Correlations correlations, double beyond) {
    line(
        "  correlations with sensitive variables in %s: %s",
        Counted.of(correlations.rows(), "rows"), correlations.shown());
    line(
        "  linucb-unaware drops variables above %s with drop: %s",
        beyond, correlations.drop(beyond));
    json.put("correlations", correlations.byVariable());
    json.put("correlatedRows", correlations.rows());
    json.put("drop", correlations.drop(beyond));
  }

  /** Reports the context of a rank request of Azure Personalizer. */
  void personalizer(PersonalizerPreview preview) {
    line("  the rank request becomes");
    preview.json().forEach((name, value) -> line("    %s: %s", name, value));
    json.put("personalizer", preview.json());
  }

  /** Reports when rewards are learned if that is not when they arrive. */
  private void freshness(SegmentSpec spec, List<String> warnings) {
    JoinSpec join = spec.join();
    Duration bucket = Duration.ofMillis(CompiledSpec.bucketMillis(join, DueIndex.Queue.PENDING));
    boolean hasDefault = spec.reward().byDefault() != null;
    if (hasDefault) {
      line(
          "  silence is the reward %s%s",
          spec.reward().byDefault().value(),
          join.shown() == ShownRule.CONFIRMED
              ? " of an arm that was confirmed to be shown: by the gateway, or by a record of"
                  + " rewards without a reward"
              : " of every decision");
    }
    if (join.isLearnedAtOnce()) {
      return;
    }
    line(
        "  rewards are learned when their window of %s closes%s",
        words(join.rewardWindow()), hasDefault ? ", because silence is a reward" : "");
    line(
        "  windows close at most %s after their end while inputs arrive; they wait for partitions"
            + " that cannot be read",
        words(READ_WITHIN.plus(bucket)));
    json.put("learningDelayMillis", join.rewardWindow().toMillis());
    if (hasDefault && join.rewardWindow().compareTo(LONG_WINDOW) > 0) {
      warnings.add(
          "with reward.default the job learns from a decision when its window of "
              + words(join.rewardWindow())
              + " closes; a shorter window learns sooner, and so does join.delay:"
              + " independent-of-outcome if the delay of a reward does not depend on its value");
    }
  }

  /** Returns the warnings that no load and no forecast has a part in. */
  public static List<String> warnings(CompiledSpec spec, People people) {
    List<String> warnings = new ArrayList<>(spec.warnings());
    warnings.addAll(meaningless(spec.spec(), people));
    return warnings;
  }

  /** Returns a sentence for each setting of a spec that is allowed and means nothing. */
  public static List<String> meaningless(SegmentSpec spec, People people) {
    List<String> warnings = new ArrayList<>();
    people.excess(spec).ifPresent(warnings::add);
    if (spec.variables().sensitive().isEmpty()) {
      warnings.add(
          "no variable has role: sensitive, so nothing is audited and fairness.tau limits nothing;"
              + " give it to each attribute by which people must not be treated differently");
    }
    if (spec.isEveryEffectFair()) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "fairness.tau is %s and reward.range is %s wide: no effect can be larger, so every"
                  + " decision is certified and none is unfair; give tau in units of the reward",
              Field.shown(spec.fairness().tau()),
              Field.shown(spec.reward().range().width())));
    }
    if (spec.join().rewardWindow().compareTo(SHORT_WINDOW) < 0) {
      warnings.add(
          "join.reward-window is "
              + words(spec.join().rewardWindow())
              + ": windows close by steps of 1 s of event time, and only as other inputs move it; a"
              + " reward that is a little late is lost; give at least "
              + words(SHORT_WINDOW));
    }
    if (spec.join().shown() == ShownRule.CONFIRMED && spec.reward().byDefault() == null) {
      warnings.add(
          "join.shown is confirmed and there is no reward.default: confirmations have no effect,"
              + " because they say of which arm silence is the default reward");
    }
    return warnings;
  }

  private void certificates(CertificatePlan plan, Load load, List<String> warnings) {
    line("  %s", plan.summary(load.ratePerSegment()));
    json.put("decisionsToCertificate", plan.slowest().median());
    json.put("assumedBaseRate", plan.baseRate());
    plan.patience(load.ratePerSegment()).ifPresent(warnings::add);
    Optional<String> late = plan.lateness(load.ratePerSegment());
    late.ifPresent(why -> warnings.add(why + plan.otherRate()));
    if (late.isEmpty() && plan.isHopeless()) {
      warnings.add(
          "no certificate is to be expected within "
              + CertificatePlan.rounded(CertificatePlan.HOPELESS)
              + " decisions; equipoise plan shows what would help"
              + plan.otherRate());
    }
  }

  private void assumptions(SegmentSpec spec, Assumptions assumptions) {
    FairnessSpec fairness = spec.fairness();
    if (!assumptions.tested().isEmpty()) {
      line(
          "  assumptions that rewards can refute, at %s together; verdicts are then %s:",
          Field.shown(fairness.refutationDelta()),
          fairness.onRefuted() == OnRefuted.IGNORE ? "kept" : "withheld");
      assumptions.tested().forEach(name -> line("    %s", name));
    }
    for (Untested one : assumptions.untested()) {
      line("  assumption that rewards cannot refute: %s (%s)", one.name(), one.why());
    }
    json.put("evidenceBytes", assumptions.bytes());
    json.put("assumptionsTested", assumptions.tested());
    json.put("assumptionsUntested", assumptions.untested().stream().map(Untested::name).toList());
  }

  private void causalBounds(SegmentSpec spec) {
    String graph = spec.graph().fingerprint();
    CausalBoundsSpec causalBounds = spec.policy().causalBounds();
    if (causalBounds == null) {
      line("  causal bounds: none; they must be for graph %s", graph);
    } else {
      line("  causal bounds: %s, for graph %s", causalBounds.name(), graph);
      line(
          "  a bound refuted at %s is reported and %s",
          Field.shown(causalBounds.delta()),
          causalBounds.refuted() == OnRefutation.IGNORE ? "no longer clips" : "still clips");
    }
    json.put("causalBounds", causalBounds == null ? null : causalBounds.name());
    json.put("graphHash", graph);
  }

  private static void aggregation(SegmentSpec spec, List<String> warnings) {
    if (spec.join().aggregate() == Aggregate.SUM && spec.reward().bounded()) {
      NumberRange numberRange = spec.reward().range();
      warnings.add(
          "with join.aggregate sum, reward.range limits the sum too: a decision whose rewards sum"
              + " to less than "
              + Field.shown(numberRange.low())
              + " or more than "
              + Field.shown(numberRange.high())
              + " closes with REWARD_OUT_OF_RANGE and is not learned");
    }
  }

  /** Warns if a segment cannot keep the decisions that arrive at the given rate. */
  private void room(JoinSpec join, Load load, List<String> warnings) {
    double waiting = load.waiting(join);
    double known = waiting + load.ratePerSegment() * join.dedupWindow().toMillis() / 1e3;
    double evicted = load.evicted(join);
    line(
        "  pending decisions: up to %.0f at once, join.max-pending is %d",
        waiting, join.maxPending());
    json.put("maxPending", join.maxPending());
    json.put("pendingDecisions", waiting);
    json.put("evictedDecisions", evicted);
    if (evicted > 0) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "at %s decisions a second, %.0f may wait at once and join.max-pending is %d: %.0f of"
                  + " them are evicted, %s after their context, and learn nothing; %s"
                  + "shorten join.reward-window",
              Field.shown(load.ratePerSegment()),
              waiting,
              join.maxPending(),
              evicted,
              words(Duration.ofSeconds((long) (join.maxPending() / load.ratePerSegment()))),
              advised(known)));
    } else if (known > join.maxPending()) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "at %s decisions a second, %.0f are remembered at once and join.max-pending is %d:"
                  + " repetitions of the others are not recognized; %s"
                  + "shorten join.dedup-window",
              Field.shown(load.ratePerSegment()),
              known,
              join.maxPending(),
              advised(known)));
    }
  }

  /** Returns a value for {@code max-pending}, at most the one that the reader accepts. */
  private static String advised(double known) {
    return Math.ceil(known) > JoinSpec.MOST_ENTRIES
        ? ""
        : String.format(Locale.ROOT, "set it to %.0f or more, or ", Math.ceil(known));
  }

  /** Proposes a reward that is known sooner if there are too many pending decisions to keep. */
  private void proxy(JoinSpec join, CheckpointBudget budget, Load load, List<String> warnings) {
    double bytes = budget.decisionBytes(load, join);
    Duration affordable = budget.affordableWindow(load, join);
    boolean isUnreasonable = bytes > CheckpointBudget.MOST_DECISION_BYTES;
    json.put("decisionBytes", bytes);
    json.put("proxyWindowSeconds", isUnreasonable ? affordable.toSeconds() : null);
    if (isUnreasonable) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "join.reward-window: %s given; at %s decisions a second and segment, pending and"
                  + " remembered decisions take %.0f GB, more than %.0f GB; learn from a proxy"
                  + " reward that is known within %s, such as the first payment of a loan, and"
                  + " shorten reward-window and dedup-window to that; or name your own rate with"
                  + " --rate",
              words(join.rewardWindow()),
              Field.shown(load.ratePerSegment()),
              bytes / 1e9,
              CheckpointBudget.MOST_DECISION_BYTES / 1e9,
              words(affordable)));
    }
  }

  private void idle(@Nullable IdleStateSpec rule, CheckpointBudget budget) {
    if (rule == null) {
      line("  idle segments: none ever gives up its state; idle-state.after lets them");
    } else if (rule.retain() == Retain.MODEL) {
      line(
          "  idle segments: after %s without input packed, at most %.1f kB of model; goes on from"
              + " there",
          words(rule.after()), budget.modelBytes() / 1e3);
    } else {
      line(
          "  idle segments: after %s without input %d B are left; starts again when it returns",
          words(rule.after()), budget.passivatedBytes());
    }
    json.put("idleAfterMillis", rule == null ? null : rule.after().toMillis());
    json.put("idleRetain", rule == null ? null : rule.retain().wire());
    json.put("passivatedBytes", budget.passivatedBytes());
  }

  private void budget(
      SegmentSpec spec,
      CheckpointBudget budget,
      Load load,
      Duration interval,
      List<String> warnings) {
    Duration shortest = budget.shortestInterval(load);
    line(
        "  checkpoint: %s x %.1f kB of model, %d B a pending decision, %d B a remembered"
            + " one: %.1f MB at %s decisions a second and segment",
        Counted.of(load.segments(), "segments"),
        budget.modelBytes() / 1e3,
        budget.pendingBytes(),
        budget.dedupEntryBytes(),
        budget.totalBytes() / 1e6,
        Field.shown(load.ratePerSegment()));
    if (budget.ownArmBytes() > 0) {
      line(
          "  every arm that requests bring, or an earlier spec had, adds up to %.1f kB a segment"
              + " once it is rewarded",
          budget.ownArmBytes() / 1e3);
    }
    line("  checkpoint interval: at least %d ms", shortest.toMillis());
    idle(spec.idleState(), budget);
    json.put("modelBytes", budget.modelBytes());
    json.put("ownArmBytes", budget.ownArmBytes());
    json.put("pendingBytes", budget.pendingBytes());
    json.put("dedupEntryBytes", budget.dedupEntryBytes());
    json.put("checkpointBytes", budget.totalBytes());
    json.put("shortestIntervalMillis", shortest.toMillis());
    if (shortest.compareTo(interval) > 0) {
      warnings.add(
          "writing a checkpoint takes more than half of an interval of "
              + interval.toMillis()
              + " ms; lengthen execution.checkpointing.interval, shorten join.reward-window or use"
              + " rocksdb");
    }
  }

  private static String words(Duration duration) {
    boolean isDays = duration.toDays() > 0 && duration.equals(Duration.ofDays(duration.toDays()));
    return isDays ? Counted.of(duration.toDays(), "days") : duration.toSeconds() + " s";
  }

  private void line(String format, Object... values) {
    lines.add(String.format(Locale.ROOT, format, values));
  }
}
