package io.equipoise.console.state;

import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Keeps the latest changes of a segment's spec and bounds, and the phases of its latest experiment.
 */
public final class ChangeLog {
  private static final int MOST_CHANGES = 100;
  private static final int MOST_STEPS = 40;
  private static final Set<SegmentEventType> KEPT =
      EnumSet.of(
          SegmentEventType.SPEC_ADOPTED,
          SegmentEventType.BOUNDS_ADOPTED,
          SegmentEventType.ASSUMPTION_REFUTED,
          SegmentEventType.BOUNDS_REFUTED,
          SegmentEventType.SEGMENT_PASSIVATED,
          SegmentEventType.SEGMENT_ACTIVATED);

  private final ArrayDeque<Change> changes = new ArrayDeque<>();
  private final ArrayDeque<Step> steps = new ArrayDeque<>();
  private int stepsLeftOut;

  /**
   * Dates a change of spec, bounds or assumptions, or a pause of the segment.
   *
   * @param time when its record was written, epoch ms
   */
  public record Change(SegmentEvent event, long time) {}

  /**
   * Dates a phase or the end of an experiment.
   *
   * @param time when its record was written, epoch ms
   */
  public record Step(ExperimentRecord step, long time) {}

  void on(SegmentEvent event, long time) {
    if (KEPT.contains(event.type())) {
      changes.add(new Change(event, time));
      if (changes.size() > MOST_CHANGES) {
        changes.remove();
      }
    }
  }

  void on(ExperimentRecord step, long time) {
    Step last = steps.peekLast();
    if (last != null && last.step().terminal() != null) {
      steps.clear();
      stepsLeftOut = 0;
    }
    steps.add(new Step(step, time));
    if (steps.size() > MOST_STEPS) {
      steps.remove();
      stepsLeftOut++;
    }
  }

  /** Returns the changes, oldest first. */
  public List<Change> changes() {
    return new ArrayList<>(changes);
  }

  /** Returns the steps of the latest experiment, oldest first; empty if there was none. */
  public List<Step> steps() {
    return new ArrayList<>(steps);
  }

  /** Returns how many earlier steps of the experiment are not kept. */
  public int stepsLeftOut() {
    return stepsLeftOut;
  }
}
