package io.equipoise.segmentspec;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a decision is taken to have earned when no reward came by the end of the window.
 *
 * @param mediators level by name, in the order of the spec; needed for those that cells are made of
 */
public record DefaultReward(double value, Map<String, String> mediators) {
  /** Copies the map and keeps its order. */
  public DefaultReward {
    mediators = Collections.unmodifiableMap(new LinkedHashMap<>(mediators));
  }
}
