package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reports the estimates, intervals and conditions of a challenger. {@code avro/WatchRecord.avsc}
 * documents the meaning and unit of every component. Lists are copied.
 */
public record ChallengerEvidence(
    double value,
    double valueLow,
    double valueHigh,
    @Nullable Double championMean,
    double difference,
    double differenceLow,
    double differenceHigh,
    double gateLow,
    @Nullable Double ips,
    @Nullable Double snips,
    double meanWeight,
    double maxWeight,
    double effectiveRows,
    double unsupported,
    double certifiedShare,
    double championCertifiedShare,
    double upperViolation,
    List<GapInterval> gaps,
    @Nullable Long rowsToPass,
    List<String> failing,
    boolean passes) {
  public ChallengerEvidence {
    gaps = List.copyOf(gaps);
    failing = List.copyOf(failing);
  }
}
