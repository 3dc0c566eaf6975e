package io.equipoise.event;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds a reward as producers write it, with exactly the fields of {@code avro/RewardEvent.avsc}.
 *
 * @param reward null if the record only says what was shown
 */
public record WireReward(
    String decisionId,
    @Nullable String rewardId,
    String segment,
    long eventTime,
    @Nullable Double reward,
    Map<String, Object> mediators,
    @Nullable String shownArm) {

  public WireReward {
    mediators = NameMap.copyOf(mediators);
  }

  /** Creates the record of a reward. */
  public WireReward(
      String decisionId,
      @Nullable String rewardId,
      String segment,
      long eventTime,
      double reward,
      Map<String, Object> mediators,
      @Nullable String shownArm) {
    this(decisionId, rewardId, segment, eventTime, (Double) reward, mediators, shownArm);
  }

  /**
   * Returns the record that confirms what was shown.
   *
   * @param arm null if none of the candidates was
   */
  public static WireReward shown(
      String decisionId, String segment, long eventTime, @Nullable String arm) {
    return new WireReward(decisionId, null, segment, eventTime, null, Map.of(), arm);
  }
}
