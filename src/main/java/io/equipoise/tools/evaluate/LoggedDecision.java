package io.equipoise.tools.evaluate;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pairs a decision of the policy that wrote the log with its reward.
 *
 * @param id unique in its segment
 * @param time of the context, epoch ms
 * @param attributes of the person, by name
 * @param arm that was shown
 * @param propensities probability of arms under the policy that wrote the log; contains the arm,
 *     above 0
 * @param isComplete whether an arm without a propensity has 0; otherwise it is unknown
 * @param reward null if none is known
 * @param rewardTime epoch ms
 * @param mediators observed levels by name
 */
public record LoggedDecision(
    String segment,
    String id,
    long time,
    Map<String, Object> attributes,
    String arm,
    Map<String, Double> propensities,
    boolean isComplete,
    @Nullable Double reward,
    long rewardTime,
    Map<String, Object> mediators) {
  /** Copies the maps and checks the propensity of the arm. */
  public LoggedDecision {
    attributes = Map.copyOf(attributes);
    propensities = Collections.unmodifiableMap(new LinkedHashMap<>(propensities));
    mediators = Map.copyOf(mediators);
    Double own = propensities.get(arm);
    if (own == null || !(own > 0 && own <= 1)) {
      throw new IllegalArgumentException(
          "decision " + id + " has the propensity " + own + " for its arm; above 0, at most 1");
    }
  }

  /** Returns the propensity of the arm that was shown. */
  public double propensity() {
    return propensities.getOrDefault(arm, 1.0);
  }
}
