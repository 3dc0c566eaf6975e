package io.equipoise.segment.log;

import io.equipoise.event.RewardEvent;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.Encoded;
import io.equipoise.segmentspec.SpecVariable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Names the observed levels of a reward's mediators as the segment event of that reward lists them.
 */
public final class MediatorsOfReward {
  private MediatorsOfReward() {}

  /** Returns the level of each observed mediator; null if the spec rejects one. */
  public static @Nullable Map<String, String> in(RewardEvent reward, CompiledSpec spec) {
    Encoded encoded = spec.encoder().encodeMediators(reward.mediators());
    return encoded.isValid() ? named(encoded.levels(), spec) : null;
  }

  /** Returns the names of levels by mediator, without those not observed, which are -1. */
  static Map<String, String> named(int[] levels, CompiledSpec spec) {
    Map<String, String> named = new TreeMap<>();
    List<SpecVariable> variables = spec.mediators();
    for (int i = 0; i < levels.length; i++) {
      if (levels[i] >= 0) {
        named.put(variables.get(i).name(), variables.get(i).levels().get(levels[i]));
      }
    }
    return named;
  }
}
