package io.equipoise.event;

import java.util.Optional;
import java.util.regex.Pattern;

/** Checks the rules for every row of causal bounds that do not depend on the spec. */
public final class CausalBoundRules {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{32}");

  private CausalBoundRules() {}

  /** Returns the first error of a row, or nothing. */
  public static Optional<String> fault(CausalBound row) {
    BoundSetHeader set = row.set();
    Optional<String> name = faultOfName(set.name());
    if (name.isPresent()) {
      return name;
    }
    if (set.version() < 1) {
      return Optional.of("version " + set.version() + " given; at least 1 is required");
    }
    if (!HASH.matcher(set.hash()).matches() || !HASH.matcher(set.graphHash()).matches()) {
      return Optional.of("hash and graphHash must have 32 lower-case hexadecimal digits");
    }
    if (set.rows() < 1 || set.rows() > CausalBoundSet.MAX_ROWS) {
      return Optional.of(
          set.rows() + " rows given; a set has from 1 to " + CausalBoundSet.MAX_ROWS + " rows");
    }
    if (row.arm().isEmpty()) {
      return Optional.of("the arm is missing");
    }
    if (!(Double.isFinite(row.lower()) && Double.isFinite(row.upper()))
        || row.lower() > row.upper()) {
      return Optional.of(
          "[" + row.lower() + ", " + row.upper() + "] is not an interval of finite numbers");
    }
    return fault(row.evidence());
  }

  /** Returns the error of the name of a set, or nothing. */
  public static Optional<String> faultOfName(String name) {
    return NAME.matcher(name).matches()
        ? Optional.empty()
        : Optional.of("the name may contain letters, digits, . _ -, at most 128");
  }

  private static Optional<String> fault(BoundEvidence evidence) {
    Double delta = evidence.delta();
    if (delta != null && !(delta > 0 && delta < 1)) {
      return Optional.of(
          "delta " + delta + " is not between 0 and 1; leave it out for exact bounds");
    }
    Long rows = evidence.nMin();
    if (rows != null && rows < 0) {
      return Optional.of("nMin " + rows + " is negative");
    }
    return Optional.empty();
  }
}
