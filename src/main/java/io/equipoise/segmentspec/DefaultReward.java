package io.equipoise.segmentspec;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Sets the reward of a decision that got none by the end of the window.
 *
 * @param mediators level by name, in the order of the spec; required for the mediators that define
 *     cells
 */
public record DefaultReward(double value, Map<String, String> mediators) {
  /** Copies the map and keeps its order. */
  public DefaultReward {
    mediators = Collections.unmodifiableMap(new LinkedHashMap<>(mediators));
  }
}
