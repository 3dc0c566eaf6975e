package io.equipoise.event;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A reward as producers write it, with exactly the fields of {@code avro/RewardEvent.avsc}. */
public record WireReward(
    String decisionId,
    @Nullable String rewardId,
    String segment,
    long eventTime,
    double reward,
    Map<String, Object> mediators,
    @Nullable String shownArm) {

  public WireReward {
    mediators = NameMap.copyOf(mediators);
  }
}
