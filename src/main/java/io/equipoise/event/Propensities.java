package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists the probabilities of a decision's candidates. {@code avro/Decision.avsc} documents the
 * components. Lists are copied.
 */
public record Propensities(
    PropensityKind kind, List<Double> values, List<Integer> runs, @Nullable Integer draws) {
  /** The propensities of a decision that was no draw: 1 for its arm. */
  public static final Propensities SURE =
      new Propensities(PropensityKind.DETERMINISTIC, List.of(), List.of(), null);

  public Propensities {
    values = List.copyOf(values);
    runs = List.copyOf(runs);
  }
}
