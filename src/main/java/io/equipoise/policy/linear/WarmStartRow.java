package io.equipoise.policy.linear;

import java.util.Map;

/**
 * Summarizes what a log says of one arm in one context.
 *
 * @param context levels of context and sensitive variables by name
 * @param n logged rows, at least 1
 * @param mean of their rewards, within the range
 */
public record WarmStartRow(String arm, Map<String, String> context, long n, double mean) {
  /** Copies the map. */
  public WarmStartRow {
    context = Map.copyOf(context);
  }
}
