package io.equipoise.segmentspec;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Picks the spec of a segment: an exact name beats a pattern, a pattern beats the default. */
public final class SpecSelection {
  /** Most specific first, then by name; of two with one name the higher number, then the hash. */
  private static final Comparator<SegmentSpec> BEST_FIRST =
      Comparator.<SegmentSpec>comparingInt(spec -> spec.match().rank())
          .thenComparing(SegmentSpec::name)
          .thenComparing(Comparator.comparingLong(SegmentSpec::version).reversed())
          .thenComparing(SegmentSpec::hash);

  private SpecSelection() {}

  /**
   * Returns the spec of the segment, whatever the order of the collection; none if none matches.
   */
  public static Optional<SegmentSpec> select(Collection<SegmentSpec> specs, String segment) {
    return specs.stream().filter(spec -> spec.match().matches(segment)).min(BEST_FIRST);
  }
}
