package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Summarizes the mean rewards of groups and how far they are apart. {@code
 * avro/SegmentMetrics.avsc} documents the meaning and unit of every component.
 */
public record GroupSummary(
    List<GroupMean> means,
    @Nullable Double difference,
    @Nullable String differenceOf,
    int suppressed) {

  public GroupSummary {
    means = List.copyOf(means);
  }

  /** Returns a copy with other groups, whose means are so far apart. */
  public GroupSummary with(List<GroupMean> means, @Nullable Double difference, int suppressed) {
    return new GroupSummary(means, difference, differenceOf, suppressed);
  }
}
