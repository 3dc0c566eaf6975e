package io.equipoise.event;

import java.util.List;
import java.util.stream.Stream;

/**
 * Splits the gap between the mean rewards of two groups into parts that add up to it. {@code
 * avro/SegmentMetrics.avsc} documents the meaning and unit of every component.
 */
public record GapSplit(
    String attribute,
    String reference,
    String other,
    long referenceRewards,
    long otherRewards,
    long leftOut,
    long since,
    GapPart gap,
    GapPart rest,
    List<GapPart> parts) {
  public GapSplit {
    parts = List.copyOf(parts);
  }

  /** Returns the gap and its parts. */
  public List<GapPart> withGap() {
    return Stream.concat(Stream.of(gap), parts.stream()).toList();
  }

  /** Returns whether this and another split compare the same groups. */
  public boolean isOfSamePair(GapSplit that) {
    return attribute.equals(that.attribute)
        && reference.equals(that.reference)
        && other.equals(that.other);
  }
}
