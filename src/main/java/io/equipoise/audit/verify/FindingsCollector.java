package io.equipoise.audit.verify;

import io.equipoise.audit.verify.Finding.Verdict;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Collects what the judges say: counts, and the first offender of every invariant. */
final class FindingsCollector {
  private final Map<Invariant, Entry> entries = new EnumMap<>(Invariant.class);

  /** What is known of one invariant so far. */
  private static final class Entry {
    private long judged;
    private long violations;
    private @Nullable Offence violated;
    private @Nullable Offence unjudged;
    private @Nullable String note;
  }

  private record Offence(@Nullable String offender, String why) {}

  /** Counts one thing that was judged, whatever the result. */
  void judged(Invariant invariant) {
    entry(invariant).judged++;
  }

  /** Says that something violates an invariant. */
  void violated(Invariant invariant, String offender, String why) {
    Entry entry = entry(invariant);
    entry.violations++;
    if (entry.violated == null) {
      entry.violated = new Offence(offender, why);
    }
  }

  /** Says that something, or everything if there is no offender, cannot be judged. */
  void unchecked(Invariant invariant, @Nullable String offender, String why) {
    Entry entry = entry(invariant);
    if (entry.unjudged == null) {
      entry.unjudged = new Offence(offender, why);
    }
  }

  /** Adds what was measured, for the case that nothing violates an invariant. */
  void note(Invariant invariant, String measured) {
    Entry entry = entry(invariant);
    entry.note = entry.note == null ? measured : entry.note + "; " + measured;
  }

  /** Says whether anything was judged of an invariant. */
  boolean hasChecked(Invariant invariant) {
    return entry(invariant).judged > 0;
  }

  /** Says whether nothing violates an invariant so far, so that an offender is worth naming. */
  boolean isClean(Invariant invariant) {
    return entry(invariant).violated == null;
  }

  /** Says whether there is nothing so far that could not be judged of an invariant. */
  boolean isChecked(Invariant invariant) {
    return entry(invariant).unjudged == null;
  }

  /** Forgets all that was said of some invariants, to judge them anew. */
  void reopen(Set<Invariant> invariants) {
    entries.keySet().removeAll(invariants);
  }

  /** Returns what was found of every invariant, in their order. */
  List<Finding> findings() {
    return Stream.of(Invariant.values()).map(this::finding).toList();
  }

  private Finding finding(Invariant invariant) {
    Entry entry = entry(invariant);
    Offence offence = entry.violated != null ? entry.violated : entry.unjudged;
    Verdict verdict =
        entry.violated != null
            ? Verdict.VIOLATED
            : entry.unjudged != null ? Verdict.NOT_JUDGED : Verdict.OK;
    return new Finding(
        invariant,
        verdict,
        entry.judged,
        entry.violations,
        offence == null ? null : offence.offender(),
        offence == null ? entry.note : offence.why());
  }

  private Entry entry(Invariant invariant) {
    return entries.computeIfAbsent(invariant, any -> new Entry());
  }
}
