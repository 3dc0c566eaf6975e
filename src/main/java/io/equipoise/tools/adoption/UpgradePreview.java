package io.equipoise.tools.adoption;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Origin;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentOutput;
import io.equipoise.segment.SegmentMachine;
import io.equipoise.segment.log.OutputLog;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.MemorySegmentState;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.segment.upgrade.SpecCompatibility;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VersionEdit;
import io.equipoise.tools.adoption.SpecEffect.EffectOfChange;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Predicts the effect of a change of specs by trying it: a segment in memory decides once under the
 * first spec and then meets the second. So the rules are those of the job.
 *
 * <p>The trial does not know arms that the real segment retired under earlier specs. The job
 * rejects a spec that gives such an arm's id another meaning.
 */
public final class UpgradePreview implements SpecRegistry, OutputLog {
  private static final String SEGMENT = "preview";

  private CompiledSpec selected;
  private final CompiledSpec before;
  private SpecEffect effect = SpecEffect.of(EffectOfChange.KEPT);

  private UpgradePreview(CompiledSpec before) {
    this.before = before;
    this.selected = before;
  }

  /**
   * Returns the effect on a segment under {@code before} when {@code next} takes over.
   *
   * @param next compared as a newer version even if its version is lower
   */
  public static SpecEffect of(CompiledSpec before, CompiledSpec next) {
    if (before.spec().equals(next.spec())) {
      return SpecEffect.of(EffectOfChange.UNCHANGED);
    }
    UpgradePreview preview = new UpgradePreview(before);
    MemorySegmentState state = new MemorySegmentState();
    SegmentMachine machine = new SegmentMachine(preview, () -> 0L, 0);
    machine.onContext(context(before.spec()), state, preview);
    preview.selected = newer(before.spec(), next);
    machine.onTimer(0, SEGMENT, state, preview);
    boolean isIncompatible =
        preview.effect.kind() == EffectOfChange.REJECTED
            || preview.effect.kind() == EffectOfChange.RESET;
    return isIncompatible
        ? preview.effect.because(SpecCompatibility.reason(before, preview.selected))
        : preview.effect;
  }

  private static CompiledSpec newer(SegmentSpec before, CompiledSpec next) {
    boolean isLower =
        before.name().equals(next.spec().name()) && next.spec().version() <= before.version();
    return isLower
        ? SpecParser.parse(
            VersionEdit.with(next.spec().text(), before.version() + 1), CompiledSpec::of)
        : next;
  }

  /** Returns a context of the first level of every variable. */
  private static ContextEvent context(SegmentSpec spec) {
    Map<String, Object> attributes = new HashMap<>();
    for (SpecVariable variable : spec.variables().features()) {
      Object value = variable.isNumeric() ? (Object) variable.middle(0) : variable.levels().get(0);
      attributes.put(variable.name(), value);
    }
    return new ContextEvent(
        SEGMENT,
        SEGMENT,
        0,
        attributes,
        null,
        null,
        new Origin(SEGMENT, 0, 0, Origin.NO_APPEND_TIME),
        new byte[0]);
  }

  @Override
  public @Nullable CompiledSpec select(String segment) {
    return selected;
  }

  @Override
  public @Nullable CompiledSpec byHash(String hash) {
    return hash.equals(before.spec().hash()) ? before : selected;
  }

  @Override
  public void write(SegmentOutput output) {
    if (output instanceof SegmentEvent segmentEvent
        && segmentEvent.type() == SegmentEventType.SPEC_ADOPTED
        && selected.spec().hash().equals(segmentEvent.specHash())) {
      effect = SpecEffect.of(segmentEvent);
    } else if (output instanceof DeadLetter && selected != before) {
      effect = SpecEffect.of(EffectOfChange.REJECTED);
    }
  }
}
