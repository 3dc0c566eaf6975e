package io.equipoise.tools.simulate;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Computes the median and the central 80 % of counts over runs; a run without the event counts as
 * infinitely late.
 *
 * @param reached runs with the event
 * @param runs all runs
 * @param low the 10 % quantile; null where that run lacks the event
 * @param median null where fewer than half of the runs have the event
 * @param high the 90 % quantile; null where that run lacks the event
 */
public record Spread(
    int reached,
    int runs,
    @Nullable Integer low,
    @Nullable Integer median,
    @Nullable Integer high) {
  /**
   * Summarizes runs.
   *
   * @param counts one for each run, 0 where the event is missing; at least one run
   */
  public static Spread of(List<Integer> counts) {
    List<Integer> sorted =
        counts.stream().map(count -> count == 0 ? Integer.MAX_VALUE : count).sorted().toList();
    int reached = (int) counts.stream().filter(count -> count > 0).count();
    return new Spread(reached, counts.size(), at(sorted, 0.1), at(sorted, 0.5), at(sorted, 0.9));
  }

  private static @Nullable Integer at(List<Integer> sorted, double share) {
    int place = Math.max(0, (int) Math.ceil(share * sorted.size()) - 1);
    int value = sorted.get(place);
    return value == Integer.MAX_VALUE ? null : value;
  }

  /** Returns for example {@code 2141 (1861 to never)}. */
  public String shown() {
    return reached == 0 ? "never" : shown(median) + " (" + shown(low) + " to " + shown(high) + ")";
  }

  private static String shown(@Nullable Integer count) {
    return count == null ? "never" : String.format(Locale.ROOT, "%d", count);
  }
}
