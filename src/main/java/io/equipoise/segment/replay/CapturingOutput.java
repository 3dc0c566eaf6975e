package io.equipoise.segment.replay;

import io.equipoise.event.Decision;
import io.equipoise.event.Explanation;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentOutput;
import io.equipoise.segment.log.OutputLog;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the decision or segment event that a replay writes, passes on the records that explain it,
 * and drops the rest.
 */
final class CapturingOutput implements OutputLog {
  private final Consumer<Explanation> explanations;
  private @Nullable Decision decision;
  private @Nullable SegmentEvent segmentEvent;

  CapturingOutput(Consumer<Explanation> explanations) {
    this.explanations = explanations;
  }

  /** Returns the decision that was written, or null. */
  @Nullable Decision decision() {
    return decision;
  }

  /** Returns the other change that was written, or null. */
  @Nullable SegmentEvent segmentEvent() {
    return segmentEvent;
  }

  @Override
  public void write(SegmentOutput output) {
    if (output instanceof Decision written) {
      decision = written;
    } else if (output instanceof SegmentEvent written) {
      segmentEvent = written;
    } else if (output instanceof Explanation explanation) {
      explanations.accept(explanation);
    }
  }
}
