package io.equipoise.event;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reports the reward of a decision, or which arm was shown. The fields up to {@code shownArm} are
 * those of {@code avro/RewardEvent.avsc}; the others describe its origin. Byte arrays are not
 * copied.
 *
 * @param reward null if the record only says what was shown
 * @param mediators String, Long, Double or Boolean by name; copied
 */
@SuppressWarnings("ArrayRecordComponent") // equals, hashCode and toString below handle arrays
public record RewardEvent(
    String decisionId,
    @Nullable String rewardId,
    String segment,
    long eventTime,
    @Nullable Double reward,
    Map<String, Object> mediators,
    @Nullable String shownArm,
    Origin origin,
    byte[] raw,
    @Nullable InputFault fault,
    byte @Nullable [] key)
    implements Input {

  public RewardEvent {
    mediators = NameMap.copyOf(mediators);
  }

  /** Creates a reward without an error and without a key. */
  public RewardEvent(
      String decisionId,
      @Nullable String rewardId,
      String segment,
      long eventTime,
      double reward,
      Map<String, Object> mediators,
      @Nullable String shownArm,
      Origin origin,
      byte[] raw) {
    this(
        decisionId,
        rewardId,
        segment,
        eventTime,
        (Double) reward,
        mediators,
        shownArm,
        origin,
        raw,
        null,
        null);
  }

  /** Returns a record that confirms which arm was shown. */
  public static RewardEvent shown(
      String decisionId,
      String segment,
      long eventTime,
      @Nullable String arm,
      Origin origin,
      byte[] raw) {
    return new RewardEvent(
        decisionId, null, segment, eventTime, null, Map.of(), arm, origin, raw, null, null);
  }

  /** Returns whether the record has no reward and only confirms which arm was shown. */
  public boolean isConfirmation() {
    return reward == null;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RewardEvent that
        && decisionId.equals(that.decisionId)
        && Objects.equals(rewardId, that.rewardId)
        && segment.equals(that.segment)
        && eventTime == that.eventTime
        && Objects.equals(reward, that.reward)
        && mediators.equals(that.mediators)
        && Objects.equals(shownArm, that.shownArm)
        && origin.equals(that.origin)
        && Arrays.equals(raw, that.raw)
        && Objects.equals(fault, that.fault)
        && Arrays.equals(key, that.key);
  }

  @Override
  public int hashCode() {
    return 31 * Objects.hash(decisionId, segment, eventTime, origin) + Arrays.hashCode(raw);
  }

  /** Contains the origin only, because the text may be logged. */
  @Override
  public String toString() {
    return "RewardEvent[" + origin + (fault == null ? "]" : ", " + fault.code() + "]");
  }
}
