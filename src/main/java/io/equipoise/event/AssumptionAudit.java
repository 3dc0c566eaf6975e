package io.equipoise.event;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An assumption that the rewards refuted. Meaning and unit of every component are documented in
 * {@code avro/SegmentEvent.avsc}.
 */
public record AssumptionAudit(
    AssumptionKind kind,
    String name,
    Map<String, String> cell,
    @Nullable Double logEvalue,
    double logThreshold,
    @Nullable Long observations,
    String remedy) {

  public AssumptionAudit {
    cell = NameMap.copyOf(cell);
  }

  /** Returns the same with another cell and other numbers that follow from it. */
  public AssumptionAudit with(
      Map<String, String> cell, @Nullable Double logEvalue, @Nullable Long observations) {
    return new AssumptionAudit(kind, name, cell, logEvalue, logThreshold, observations, remedy);
  }

  /** Returns the same with another text for people. */
  public AssumptionAudit withRemedy(String remedy) {
    return new AssumptionAudit(kind, name, cell, logEvalue, logThreshold, observations, remedy);
  }
}
