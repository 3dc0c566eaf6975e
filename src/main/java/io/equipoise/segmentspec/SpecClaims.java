package io.equipoise.segmentspec;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Holds the specs of several files against each other: what two of them claim only one can be. */
final class SpecClaims {
  private final Map<Claim, String> owners = new HashMap<>();
  private final List<SpecFault> faults;

  /** Adds to the faults what is claimed twice. */
  SpecClaims(List<SpecFault> faults) {
    this.faults = faults;
  }

  private record Claim(String key, String value) {}

  /** Claims what a spec of this file is to be alone with, as far as it can be told. */
  void add(@Nullable String name, @Nullable SegmentMatch match, String file) {
    if (name != null) {
      claim("name", name, file);
    }
    if (match instanceof SegmentMatch.Exact exact) {
      exact.segments().forEach(segment -> claim("segments.exact", segment, file));
    } else if (match instanceof SegmentMatch.Pattern pattern) {
      claim("segments.pattern", pattern.pattern().pattern(), file);
    } else if (match != null) {
      claim("segments", "default", file);
    }
  }

  private void claim(String key, String value, String file) {
    String owner = owners.putIfAbsent(new Claim(key, value), file);
    if (owner != null) {
      faults.add(
          new SpecFault(
              file + ": " + key, SpecFaults.shown(value), "no other file has it, but " + owner));
    }
  }
}
