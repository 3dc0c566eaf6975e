package io.equipoise.tools.evaluate;

import io.equipoise.event.AuditRefuted;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.InputFault;
import io.equipoise.event.Origin;
import io.equipoise.event.Place;
import io.equipoise.event.Propensities;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentOutput;
import io.equipoise.event.Source;
import io.equipoise.event.Versions;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Request;
import io.equipoise.policy.ScratchModelState;
import io.equipoise.policy.SeededRandom;
import io.equipoise.segment.ContextReading;
import io.equipoise.segment.RewardReading;
import io.equipoise.segment.SegmentMachine;
import io.equipoise.segment.StateTransitions;
import io.equipoise.segment.log.OutputLog;
import io.equipoise.segment.log.RecordFields;
import io.equipoise.segment.log.WriterEpoch;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.BoundsValidator;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.MemorySegmentState;
import io.equipoise.segment.state.SegmentContext;
import io.equipoise.segment.state.SegmentHeader;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.simulation.DueRewards;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Replays the logged decisions of one segment through the segment machine under a target spec.
 *
 * <p>Before each context the target is asked for its choice probabilities, on a copy of its state.
 * Then the machine takes over the logged arm as a published decision, as it does after a failure,
 * and later learns the logged reward. So the target learns from all rows, and no row is rejected.
 * Its state never depends on its own draws.
 *
 * <p>State: the segment's state, the rewards that are due later, and the rows so far. {@code
 * published} is the logged decision that the machine takes over next; it is set before each
 * context. Rows come in the order of time, so a row is final when it is added.
 */
final class TargetReplay implements OutputLog {
  private static final String CONTEXTS = "contexts";

  private final CompiledSpec spec;
  private final String segment;
  private final SpecRegistry registry;
  private final SegmentMachine machine;
  private final MemorySegmentState state = new MemorySegmentState();
  private final DueRewards due;
  private final List<EvaluatedRow> rows = new ArrayList<>();
  private @Nullable Decision published;
  private long offset;
  private final Counts counts;

  /**
   * Counts the rewards and the faults that the replays of one evaluation met, faults by message.
   */
  static final class Counts {
    int learned;
    int outOfRange;
    final Map<String, Integer> invalid = new LinkedHashMap<>();
    final Map<String, Integer> unlearnable = new LinkedHashMap<>();
    final Map<String, Integer> unknownArms = new LinkedHashMap<>();

    static int sum(Map<String, Integer> counted) {
      return counted.values().stream().mapToInt(it -> it).sum();
    }
  }

  TargetReplay(CompiledSpec spec, String segment, Counts counts) {
    this.spec = spec;
    this.segment = segment;
    this.counts = counts;
    registry = SpecRegistry.of(spec);
    WriterEpoch epoch = new WriterEpoch(0, context -> published, any -> Decision.NO_KEY_GROUP);
    machine = new SegmentMachine(registry, BoundsRegistry.NONE, () -> 0, epoch);
    due = new DueRewards(machine, segment, state, this);
  }

  /** Returns the rows so far, without those that the target spec rejects. */
  List<EvaluatedRow> rows() {
    return rows;
  }

  /**
   * Evaluates a decision, then learns from it.
   *
   * @param logged in the order of time
   * @param support whether the log can show an arm whose propensity is unknown
   */
  void on(LoggedDecision logged, Predicate<String> support) {
    due.deliver(logged.time());
    ContextEvent context = context(logged);
    ContextReading reading = ContextReading.of(context, spec);
    InputFault invalid = reading.fault();
    if (invalid != null) {
      counts.invalid.merge(invalid.message(), 1, Integer::sum);
      return;
    }
    RewardEvent reward = reward(logged);
    InputFault unusable = reward == null ? null : RewardReading.of(reward, spec).fault();
    if (unusable != null && unusable.code() == ErrorCode.REWARD_OUT_OF_RANGE) {
      counts.outOfRange++;
      reward = null;
    } else if (unusable != null) {
      counts.unlearnable.merge(unusable.message(), 1, Integer::sum);
    }
    evaluate(logged, reading, support, reward == null ? null : reward.reward());
    if (!spec.armIds().contains(logged.arm())) {
      counts.unknownArms.merge(logged.arm(), 1, Integer::sum);
      return; // the target has no such arm, so it cannot learn from it
    }
    published = published(logged, reading);
    machine.onContext(context, state, this);
    if (spec.isSilenceConfirmed()) {
      long time = logged.time();
      Origin origin = new Origin("rewards", 0, offset++, time);
      byte[] raw = bytes(logged.id() + "s");
      machine.onReward(
          RewardEvent.shown(logged.id(), segment, time, logged.arm(), origin, raw), state, this);
    }
    if (reward != null) {
      due.add(reward);
    }
  }

  private @Nullable RewardEvent reward(LoggedDecision logged) {
    Double reward = logged.reward();
    if (reward == null) {
      return null;
    }
    long last = logged.time() + spec.windowMillis() - 1;
    long at = Math.max(logged.time(), Math.min(logged.rewardTime(), last));
    return new RewardEvent(
        logged.id(),
        logged.id() + "r",
        segment,
        at,
        reward,
        logged.mediators(),
        null,
        new Origin("rewards", 0, offset++, at),
        bytes(logged.id() + "r"));
  }

  private ContextEvent context(LoggedDecision logged) {
    return new ContextEvent(
        logged.id(),
        segment,
        logged.time(),
        logged.attributes(),
        null,
        null,
        new Origin(CONTEXTS, 0, offset++, logged.time()),
        bytes(logged.id()));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void evaluate(
      LoggedDecision logged,
      ContextReading reading,
      Predicate<String> support,
      @Nullable Double reward) {
    SegmentHeader head = state.head();
    Request request =
        head == null
            ? new Request(reading.person(), spec.specArms(), true, 0)
            : new StateTransitions(segmentContext()).request(reading.person(), null);
    AuditedChoice audited =
        spec.policy()
            .decide(
                ScratchModelState.forDecision(state.blocks()),
                request,
                head == null ? 1 : head.rounds + 1,
                new SeededRandom(spec.spec().seed(), segment, logged.id()),
                ClippedIndex.NONE);
    double[] probabilities = audited.choice().propensities().clone();
    boolean isWithheld = head != null && segmentContext().refutation() == AuditRefuted.WITHHELD;
    AuditVerdict verdict = AuditFinding.gravest(audited.findings());
    boolean isCertified =
        !isWithheld && !audited.findings().isEmpty() && verdict == AuditVerdict.CERTIFIED_FAIR;
    rows.add(
        new EvaluatedRow(
            reading.person(),
            probabilities,
            spec.armIds().indexOf(logged.arm()),
            logged.propensity(),
            unsupported(logged, probabilities, support),
            verdict,
            isCertified,
            audited.choice().reason().isWithoutCertificate(),
            reward));
  }

  private SegmentContext segmentContext() {
    return new SegmentContext(segment, state, registry, new BoundsValidator(BoundsRegistry.NONE));
  }

  private double unsupported(
      LoggedDecision logged, double[] probabilities, Predicate<String> support) {
    double mass = 0;
    for (int arm = 0; arm < probabilities.length; arm++) {
      String id = spec.armIds().get(arm);
      double propensity = logged.propensities().getOrDefault(id, 0.0);
      boolean isUnknown = !logged.isComplete() && !logged.propensities().containsKey(id);
      boolean isSupported = isUnknown ? support.test(id) : propensity > 0;
      mass += isSupported ? 0 : probabilities[arm];
    }
    return mass;
  }

  /** Returns the logged decision as one that this job had published before a failure. */
  private Decision published(LoggedDecision logged, ContextReading reading) {
    return new Decision(
        logged.id(),
        new Place(segment, 0, 0),
        new Source(CONTEXTS, 0, 0),
        logged.time(),
        new Versions(spec.spec().hash(), spec.spec().version(), null, null, spec.fingerprint()),
        spec.spec().policy().name().wire(),
        logged.arm(),
        DecisionReason.EXPLOIT,
        null,
        false,
        null,
        List.of(),
        Propensities.SURE,
        null,
        RecordFields.features(reading.person(), spec),
        null,
        null,
        Decision.NO_KEY_GROUP,
        false,
        null);
  }

  @Override
  public void write(SegmentOutput output) {
    if (output instanceof SegmentEvent segmentEvent) {
      counts.learned += segmentEvent.learned() ? 1 : 0;
    } else if (output instanceof Decision decision && !decision.isChosen()) {
      throw new IllegalStateException(
          "decision " + decision.decisionId() + " was not taken over: " + decision.errorCode());
    } // audits and counts are those of the logged arm, and experiments are refused before
  }

  @Override
  public boolean takesMetrics() {
    return false;
  }
}
