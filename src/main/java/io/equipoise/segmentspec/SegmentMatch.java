package io.equipoise.segmentspec;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Selects the segments that a spec is for. */
public sealed interface SegmentMatch {
  boolean matches(String segment);

  /** Returns how specific the match is: 0 for exact names, 1 for a pattern, 2 for the default. */
  int rank();

  record Exact(List<String> segments) implements SegmentMatch {
    /** Copies the list. */
    public Exact {
      segments = List.copyOf(segments);
    }

    @Override
    public boolean matches(String segment) {
      return segments.contains(segment);
    }

    @Override
    public int rank() {
      return 0;
    }
  }

  /**
   * Matches names that the regular expression matches as a whole, in time linear in the name. Equal
   * by the expression's text.
   */
  record Pattern(com.google.re2j.Pattern pattern) implements SegmentMatch {
    @Override
    public boolean matches(String segment) {
      return pattern.matcher(segment).matches();
    }

    @Override
    public int rank() {
      return 1;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Pattern that && pattern.pattern().equals(that.pattern.pattern());
    }

    @Override
    public int hashCode() {
      return pattern.pattern().hashCode();
    }
  }

  record Default() implements SegmentMatch {
    @Override
    public boolean matches(String segment) {
      return true;
    }

    @Override
    public int rank() {
      return 2;
    }
  }
}
