package io.equipoise.segmentspec;

import io.equipoise.causal.KnownDistributions;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which errors of compilation are reported for a spec that has errors in its text.
 *
 * <p>An error is reported only if it remains with every correction of the faulty sections:
 *
 * <ul>
 *   <li>{@code name}, {@code version}, {@code segments}, {@code seed}, {@code idle-state}, {@code
 *       metrics} and {@code on-incompatible-change} have no effect on compilation.
 *   <li>{@code join}, {@code fairness} and {@code distributions} have an effect, but for each there
 *       is a stand-in that compilation rejects least: a join of one reward at the end of the window
 *       without a default reward; a limit that no effect exceeds; no tables. Errors in a section
 *       with a stand-in are not reported, and neither are errors of {@code policy} as a whole.
 *   <li>{@code variables}, {@code graph}, {@code arms}, {@code reward} and {@code policy} have no
 *       stand-in: the spec is not compiled.
 * </ul>
 *
 * <p>An unknown key may be a misspelled one. Required sections are faulty then by themselves;
 * {@code arms} and {@code distributions} count as faulty if they are missing.
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

  /** Finds the sections of a text that have faults. */
  Draft(Section root, SpecFaults specFaults) {
    Collection<String> keys = root.names();
    faulty = new HashSet<>(specFaults.sections());
    faulty.removeIf(section -> !section.isEmpty() && !keys.contains(section));
    if (!keys.containsAll(root.fields().keySet())) {
      OPTIONAL.stream().filter(key -> root.get(key) == null).forEach(faulty::add);
    }
  }

  /** Returns whether every faulty section has a stand-in. */
  boolean canBeCompiled() {
    return faulty.stream()
        .allMatch(section -> WITHOUT_EFFECT.contains(section) || WITH_STAND_IN.contains(section));
  }

  /** Returns the value of a section, or the stand-in if the section is faulty. */
  <T> T soundOr(String section, @Nullable T value, T standIn) {
    return faulty.contains(section) ? standIn : sound(value);
  }

  /** Returns the value of a section, or null if the section is faulty. */
  <T> @Nullable T soundOrNull(String section, @Nullable T value) {
    return faulty.contains(section) ? null : value;
  }

  /** Returns the value of a section without faults, which is not null. */
  static <T> T sound(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("a part of the spec is missing and no error was reported");
    }
    return value;
  }

  /** Returns whether an error of compilation does not come from a stand-in. */
  boolean stands(SpecFault fault) {
    boolean isOfNumbers = fault.place().equals("policy");
    return !faulty.contains(SpecFaults.sectionOf(fault.place()))
        && !(isOfNumbers && faulty.stream().anyMatch(WITH_STAND_IN::contains));
  }
}
