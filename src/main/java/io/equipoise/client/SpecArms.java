package io.equipoise.client;

import io.equipoise.event.Decision;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SpecAdoption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Expands decisions: returns each candidate's id with its propensity. A decision lists its
 * candidates only if the request brought them. Otherwise they are the arms of the spec, which this
 * class learns from the SPEC_ADOPTED events of the topic {@code segment-events}.
 *
 * <p>The two topics have no common order. If the event of a decision's spec was not read yet, read
 * on and ask again. Memory grows with the number of specs. Thread-safe.
 */
public final class SpecArms {
  private final Map<String, List<String>> bySpecHash = new ConcurrentHashMap<>();

  /** Processes an event; ignores all but SPEC_ADOPTED. */
  public void on(SegmentEvent event) {
    String hash = event.specHash();
    SpecAdoption adoption = event.adoption();
    if (adoption != null && hash != null) {
      bySpecHash.put(hash, adoption.arms());
    }
  }

  /**
   * Returns the propensities of a decision by arm id, in the order of the candidates. A decision
   * without a policy has only its arm, with propensity 1, or nothing.
   *
   * @return empty if the spec of the decision is unknown
   * @throws IllegalArgumentException if the number of propensities differs from the number of
   *     candidates
   */
  public Optional<Map<String, Double>> propensities(Decision decision) {
    if (!decision.isChosen()) {
      String arm = decision.arm();
      return Optional.of(arm == null ? Map.of() : Map.of(arm, 1.0));
    }
    List<String> ids = decision.candidates();
    if (ids.isEmpty()) {
      ids = bySpecHash.get(String.valueOf(decision.specHash()));
    }
    return Optional.ofNullable(ids).map(all -> byArm(all, decision.propensitiesOf(all)));
  }

  private static Map<String, Double> byArm(List<String> ids, List<Double> propensities) {
    Map<String, Double> byArm = new LinkedHashMap<>();
    for (int place = 0; place < ids.size(); place++) {
      byArm.put(ids.get(place), propensities.get(place));
    }
    return byArm;
  }
}
