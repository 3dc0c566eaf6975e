package io.equipoise.causal.bounds;

import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The bound for one arm in one context.
 *
 * @param arm level by variable, in the order of the query
 * @param context level by variable, in the order of the query
 * @param lower L, in [0, 1]
 * @param upper U, in [0, 1]
 * @param mode which kind of bound
 * @param w the sets that the parts marginalize or set to their extremes
 * @param formula as text
 * @param rows the smallest number of rows that any of its probabilities was divided by; 0 if one
 *     had no rows or none was used
 * @param cells number of distinct probabilities in the whole table of bounds, over which delta is
 *     split
 * @param delta see {@link Confidence}; 0 without correction for sampling
 * @param spread see {@link io.equipoise.causal.estimand.Evaluator.Value}; the largest of all parts
 * @param graphHash fingerprint of the graph
 * @param tableHash fingerprint of the tables
 */
public record BoundRecord(
    Map<String, String> arm,
    Map<String, String> context,
    double lower,
    double upper,
    BoundMode mode,
    List<List<String>> w,
    String formula,
    double rows,
    int cells,
    double delta,
    double spread,
    String graphHash,
    String tableHash,
    Set<BoundFlag> flags) {
  public BoundRecord {
    arm = Collections.unmodifiableMap(new LinkedHashMap<>(arm));
    context = Collections.unmodifiableMap(new LinkedHashMap<>(context));
    w = List.copyOf(w);
    flags = Collections.unmodifiableSet(ordered(flags));
    if (!(lower >= 0 && lower <= upper && upper <= 1)) {
      throw new IllegalArgumentException("invalid bound from " + lower + " to " + upper);
    }
  }

  private static Set<BoundFlag> ordered(Set<BoundFlag> flags) {
    Set<BoundFlag> ordered = EnumSet.noneOf(BoundFlag.class);
    ordered.addAll(flags);
    return ordered;
  }
}
