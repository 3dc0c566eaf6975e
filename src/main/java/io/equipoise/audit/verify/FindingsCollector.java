package io.equipoise.audit.verify;

import io.equipoise.audit.verify.Finding.Verdict;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Collects results: counts, and the first violation of every invariant. */
final class FindingsCollector {
  private final Map<Invariant, InvariantFindings> entries = new EnumMap<>(Invariant.class);

  /** Results of one invariant so far. */
  private static final class InvariantFindings {
    private long checked;
    private long violations;
    private @Nullable Violation violated;
    private @Nullable Violation unchecked;
    private @Nullable String note;
  }

  private record Violation(@Nullable String offender, String why) {}

  /** Counts one checked item with any result. */
  void checked(Invariant invariant) {
    entry(invariant).checked++;
  }

  /** Reports a violation. */
  void violated(Invariant invariant, String offender, String why) {
    InvariantFindings entry = entry(invariant);
    entry.violations++;
    if (entry.violated == null) {
      entry.violated = new Violation(offender, why);
    }
  }

  /**
   * Reports an item that cannot be checked; with a null offender, the whole invariant is unchecked.
   */
  void unchecked(Invariant invariant, @Nullable String offender, String why) {
    InvariantFindings entry = entry(invariant);
    if (entry.unchecked == null) {
      entry.unchecked = new Violation(offender, why);
    }
  }

  /** Adds a measurement, shown if nothing violates the invariant. */
  void note(Invariant invariant, String measured) {
    InvariantFindings entry = entry(invariant);
    entry.note = entry.note == null ? measured : entry.note + "; " + measured;
  }

  boolean hasChecked(Invariant invariant) {
    return entry(invariant).checked > 0;
  }

  /** Returns whether there is no violation so far. */
  boolean isClean(Invariant invariant) {
    return entry(invariant).violated == null;
  }

  /** Returns whether there is no item so far that could not be checked. */
  boolean isChecked(Invariant invariant) {
    return entry(invariant).unchecked == null;
  }

  /** Discards the results of some invariants, so that they can be checked again. */
  void reopen(Set<Invariant> invariants) {
    entries.keySet().removeAll(invariants);
  }

  /** Returns the findings of all invariants, in their order. */
  List<Finding> findings() {
    return Stream.of(Invariant.values()).map(this::finding).toList();
  }

  private Finding finding(Invariant invariant) {
    InvariantFindings entry = entry(invariant);
    Violation first = entry.violated != null ? entry.violated : entry.unchecked;
    Verdict verdict =
        entry.violated != null
            ? Verdict.VIOLATED
            : entry.unchecked != null ? Verdict.NOT_CHECKED : Verdict.OK;
    return new Finding(
        invariant,
        verdict,
        entry.checked,
        entry.violations,
        first == null ? null : first.offender(),
        first == null ? entry.note : first.why());
  }

  private InvariantFindings entry(Invariant invariant) {
    return entries.computeIfAbsent(invariant, any -> new InvariantFindings());
  }
}
