package io.equipoise.segmentspec;

import io.equipoise.causal.KnownDistributions;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is left of a spec beside its faulty sections, and what compiling that tells for certain.
 *
 * <p>A fault is told beside others only if it stands whatever is put in place of the faulty
 * sections. Of these there are three kinds:
 *
 * <ul>
 *   <li>{@code name}, {@code number}, {@code segments}, {@code seed}, {@code idle}, {@code metrics}
 *       and {@code on-incompatible-change} change no verdict of compiling: anything stands in for
 *       them.
 *   <li>{@code join}, {@code fairness} and {@code distributions} change verdicts, but each has a
 *       stand-in with which no more is refused than with any other value: a join of one reward at
 *       the window's close, where silence is no reward; a limit that nothing exceeds, of single
 *       attributes; no tables at all. What is refused in one of these sections while it is stood in
 *       for is not told, nor what is wrong with {@code policy} as a whole: numbers of the policy
 *       may fail to go with those of the stand-in.
 *   <li>All else, {@code variables}, {@code graph}, {@code arms}, {@code reward} and {@code
 *       policy}, has no such stand-in: the policies and the other sections are read by them.
 * </ul>
 *
 * <p>A key that no section has may be meant for one that is left out. Required ones are faulty then
 * by themselves; {@code arms} and {@code distributions} count as faulty too.
 */
final class Draft {
  private static final Set<String> WITHOUT_EFFECT =
      Set.of(
          "name", "version", "segments", "seed", "idle-state", "metrics", "on-incompatible-change");
  private static final Set<String> WITH_STAND_IN = Set.of("join", "fairness", "distributions");
  private static final List<String> OPTIONAL = List.of("arms", "distributions");

  static final JoinSpec JOIN =
      new JoinSpec(
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Aggregate.FIRST,
          Learn.ON_WINDOW_CLOSE,
          1,
          ShownRule.CONFIRMED,
          null);
  static final FairnessSpec FAIRNESS =
      new FairnessSpec(Double.MAX_VALUE, 0.05, ConfidenceKind.SUB_GAUSSIAN, 1, false);
  static final KnownDistributions DISTRIBUTIONS = KnownDistributions.of(List.of());

  private final Set<String> faulty;

  /** Looks where a text has its faults. */
  Draft(Section root, SpecFaults specFaults) {
    Collection<String> keys = root.names();
    faulty = new HashSet<>(specFaults.sections());
    faulty.removeIf(section -> !section.isEmpty() && !keys.contains(section));
    if (!keys.containsAll(root.fields().keySet())) {
      OPTIONAL.stream().filter(key -> root.get(key) == null).forEach(faulty::add);
    }
  }

  /** Says whether every faulty section has a stand-in. */
  boolean canBeCompiled() {
    return faulty.stream()
        .allMatch(section -> WITHOUT_EFFECT.contains(section) || WITH_STAND_IN.contains(section));
  }

  /** Returns what was read of a section, or the stand-in if the section is faulty. */
  <T> T soundOr(String section, @Nullable T value, T standIn) {
    return faulty.contains(section) ? standIn : sound(value);
  }

  /** Returns what was read of a section, or null if the section is faulty. */
  <T> @Nullable T soundOrNull(String section, @Nullable T value) {
    return faulty.contains(section) ? null : value;
  }

  /** Returns what was read of a section without faults. */
  static <T> T sound(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("a part of the spec is missing and nobody noted a fault");
    }
    return value;
  }

  /** Says whether a fault that compiling tells does not come from a stand-in. */
  boolean stands(SpecFault fault) {
    boolean isOfNumbers = fault.place().equals("policy");
    return !faulty.contains(SpecFaults.sectionOf(fault.place()))
        && !(isOfNumbers && faulty.stream().anyMatch(WITH_STAND_IN::contains));
  }
}
