package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Describes the data and the method behind a causal bound. {@code avro/CausalBound.avsc} documents
 * the meaning and unit of every component.
 */
public record BoundEvidence(
    CausalBoundMode mode,
    List<String> covariates,
    String estimand,
    @Nullable Long nMin,
    @Nullable Double delta,
    @Nullable String tableHash,
    List<CausalBoundFlag> flags) {

  public BoundEvidence {
    covariates = List.copyOf(covariates);
    flags = List.copyOf(flags);
  }
}
