package io.equipoise.event;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reports an assumption that the rewards refuted. {@code avro/SegmentEvent.avsc} documents the
 * meaning and unit of every component.
 */
public record AssumptionAudit(
    AssumptionKind kind,
    String name,
    Map<String, String> cell,
    @Nullable Double logEvalue,
    double logThreshold,
    @Nullable Long observations,
    String remedy,
    long sinceSeq) {

  public AssumptionAudit {
    cell = NameMap.copyOf(cell);
  }

  /** Returns a copy with another cell and the numbers that follow from it. */
  public AssumptionAudit with(
      Map<String, String> cell, @Nullable Double logEvalue, @Nullable Long observations) {
    return new AssumptionAudit(
        kind, name, cell, logEvalue, logThreshold, observations, remedy, sinceSeq);
  }

  /** Returns a copy with another remedy text. */
  public AssumptionAudit withRemedy(String remedy) {
    return new AssumptionAudit(
        kind, name, cell, logEvalue, logThreshold, observations, remedy, sinceSeq);
  }
}
