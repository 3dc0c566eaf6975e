package io.equipoise.segmentspec;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/** Picks the spec of a segment: an exact name beats a pattern, a pattern beats the default. */
public final class SpecSelection {
  /** Orders specs of one name: the higher version first, then the lower hash. */
  private static final Comparator<SegmentSpec> NEWEST_FIRST =
      Comparator.comparingLong(SegmentSpec::version).reversed().thenComparing(SegmentSpec::hash);

  /** Orders specs: the most specific match first, then by name, then the newest. */
  private static final Comparator<SegmentSpec> BEST_FIRST =
      Comparator.<SegmentSpec>comparingInt(spec -> spec.match().rank())
          .thenComparing(SegmentSpec::name)
          .thenComparing(NEWEST_FIRST);

  private SpecSelection() {}

  /** Returns the newest spec of each name, in the order of the names. */
  public static List<SegmentSpec> newest(Collection<SegmentSpec> specs) {
    Map<String, SegmentSpec> newest = new TreeMap<>();
    for (SegmentSpec spec : specs) {
      newest.merge(spec.name(), spec, BinaryOperator.minBy(NEWEST_FIRST));
    }
    return List.copyOf(newest.values());
  }

  /**
   * Returns the spec of the segment, whatever the order of the collection; none if none matches.
   */
  public static Optional<SegmentSpec> select(Collection<SegmentSpec> specs, String segment) {
    return specs.stream().filter(spec -> spec.match().matches(segment)).min(BEST_FIRST);
  }
}
