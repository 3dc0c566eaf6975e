package io.equipoise.segment;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentOutput;
import io.equipoise.event.Thrown;
import io.equipoise.event.Wire;
import io.equipoise.policy.PolicyCall;
import io.equipoise.segment.log.OutputLog;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.DueIndex;
import io.equipoise.segment.state.MemorySegmentState;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tries a spec before it is accepted: runs a few decisions and rewards through the segment machine
 * in fresh state, with people and rewards at both ends of their ranges. Rejects a spec whose policy
 * fails or whose records cannot be written.
 */
public final class SpecTrial implements OutputLog {
  private static final String SEGMENT = "trial";
  private static final long START = 1_700_000_000_000L;
  private static final byte[] NO_BYTES = {};

  private final CompiledSpec spec;
  private final SegmentMachine machine;
  private final MemorySegmentState state = new MemorySegmentState();
  private @Nullable String failure;
  private boolean isOfFeatures;
  private long offset;

  private SpecTrial(CompiledSpec spec) {
    this.spec = spec;
    this.machine = new SegmentMachine(SpecRegistry.of(spec), () -> START, 0);
  }

  /**
   * Compiles a spec that passes its trial.
   *
   * @throws SpecException if it does not compile, with all the reasons, or does not pass
   */
  public static CompiledSpec passed(SegmentSpec spec) {
    CompiledSpec compiled = CompiledSpec.of(spec);
    SpecTrial trial = new SpecTrial(compiled);
    try {
      PolicyCall.run(trial::play);
    } catch (Throwable e) {
      trial.failure = Thrown.text(e);
    }
    if (trial.failure != null) {
      throw new SpecException(
          List.of(
              new SpecFault(
                  trial.isOfFeatures ? "policy.features" : "policy",
                  "a trial of the spec ended with \"" + trial.failure + "\"",
                  "less extreme settings or rewards, which the policy can compute with")));
    }
    return compiled;
  }

  private void play() {
    List<String> unused = spec.warnings(); // whoever accepts the spec logs them
    double bytes = spec.policy().modelBytes();
    if (!(bytes >= 0 && bytes < Double.POSITIVE_INFINITY)) {
      throw new IllegalStateException("its model has %s bytes".formatted(bytes));
    }
    NumberRange range = spec.spec().reward().range();
    for (boolean isHigh : new boolean[] {false, true}) {
      String id = isHigh ? "high" : "low";
      long time = START + 2 * offset;
      machine.onContext(
          new ContextEvent(
              id,
              SEGMENT,
              time,
              values(spec.features(), isHigh),
              null,
              null,
              origin("contexts", time),
              NO_BYTES),
          state,
          this);
      machine.onReward(
          new RewardEvent(
              id,
              id,
              SEGMENT,
              time + 1,
              isHigh ? range.high() : range.low(),
              values(spec.mediators(), isHigh),
              null,
              origin("rewards", time),
              NO_BYTES),
          state,
          this);
    }
    long end = START + spec.windowMillis() + 2 * spec.bucketMillis(DueIndex.Queue.PENDING);
    for (Long timer = state.pollTimer(end); timer != null; timer = state.pollTimer(end)) {
      machine.onTimer(timer, SEGMENT, state, this);
    }
  }

  private Origin origin(String topic, long time) {
    return new Origin(topic, 0, offset++, time);
  }

  private static Map<String, Object> values(List<SpecVariable> variables, boolean isHigh) {
    Map<String, Object> values = new HashMap<>();
    for (SpecVariable variable : variables) {
      NumberRange range = variable.range();
      int last = variable.disclosedLevels() - 1;
      values.put(
          variable.name(),
          range == null
              ? variable.levels().get(isHigh ? last : 0)
              : (Object) (isHigh ? range.high() : range.low()));
    }
    return values;
  }

  @Override
  public void write(SegmentOutput output) {
    byte[] unused = Wire.bytesOf(output);
    if (output instanceof DeadLetter letter
        && (letter.code().equals(ErrorCode.POLICY_FAILED.name())
            || letter.code().equals(ErrorCode.UNUSABLE_FEATURES.name()))) {
      isOfFeatures = letter.code().equals(ErrorCode.UNUSABLE_FEATURES.name());
      failure = letter.message().replace(". " + ErrorCode.valueOf(letter.code()).remedy(), "");
    }
  }

  @Override
  public void policyFailed(String why) {
    failure = why;
  }
}
