package io.equipoise.event;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One row of a set of prior causal bounds. Meaning and unit of every component are documented in
 * {@code avro/PriorBound.avsc}. Collections are copied; the context iterates in the order of its
 * names. {@link PriorSet} makes whole sets.
 */
public record PriorBound(
    String name,
    long number,
    String hash,
    int rows,
    String arm,
    Map<String, String> context,
    double lower,
    double upper,
    PriorMode mode,
    List<String> covariates,
    String estimand,
    @Nullable Long nMin,
    @Nullable Double delta,
    String graphHash,
    @Nullable String tableHash,
    List<PriorFlag> flags) {

  public PriorBound {
    context = NameMap.copyOf(context);
    covariates = List.copyOf(covariates);
    flags = List.copyOf(flags);
  }

  /** Returns the row as one of another set: with its name, number, hash and number of rows. */
  PriorBound in(String set, long version, String setHash, int setRows) {
    return new PriorBound(
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
