package io.equipoise.event;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One row of a set of causal bounds. {@code avro/CausalBound.avsc} documents the meaning and unit
 * of every component. Collections are copied; the context iterates in the order of its names.
 * {@link CausalBoundSet} makes complete sets.
 */
public record CausalBound(
    String name,
    long version,
    String hash,
    int rows,
    String arm,
    Map<String, String> context,
    double lower,
    double upper,
    CausalBoundMode mode,
    List<String> covariates,
    String estimand,
    @Nullable Long nMin,
    @Nullable Double delta,
    String graphHash,
    @Nullable String tableHash,
    List<CausalBoundFlag> flags) {

  public CausalBound {
    context = NameMap.copyOf(context);
    covariates = List.copyOf(covariates);
    flags = List.copyOf(flags);
  }

  /** Returns a copy for another set, with its name, version, hash and number of rows. */
  CausalBound in(String set, long version, String setHash, int setRows) {
    return new CausalBound(
        set,
        version,
        setHash,
        setRows,
        arm,
        context,
        lower,
        upper,
        mode,
        covariates,
        estimand,
        nMin,
        delta,
        graphHash,
        tableHash,
        flags);
  }
}
