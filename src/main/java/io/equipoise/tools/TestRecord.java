package io.equipoise.tools;

import io.equipoise.event.ErrorCode;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireReward;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pairs a record to send with its expected effect.
 *
 * @param segment whose ledger counts it; null if its bytes contain no segment
 * @param decisionId under which a context must be decided; null if it must not
 * @param value its bytes; null for a null value
 * @param refusal code of the expected dead deadLetter; null if the record is valid
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record TestRecord(
    LogTopic kind,
    @Nullable String segment,
    @Nullable String decisionId,
    byte @Nullable [] value,
    @Nullable ErrorCode refusal) {

  public static TestRecord reward(String segment, byte[] value, @Nullable ErrorCode refusal) {
    return new TestRecord(LogTopic.REWARDS, segment, null, value, refusal);
  }

  public static TestRecord context(
      String segment, @Nullable String decisionId, byte[] value, @Nullable ErrorCode refusal) {
    return new TestRecord(LogTopic.CONTEXTS, segment, decisionId, value, refusal);
  }

  public static TestRecord undecodable(LogTopic kind, byte @Nullable [] value, ErrorCode refusal) {
    return new TestRecord(kind, null, null, value, refusal);
  }

  /** Encodes a context; the time is ms since the epoch. */
  public static byte[] contextBytes(
      String id, String segment, long time, Map<String, Object> attributes) {
    return Wire.CONTEXT.encode(new WireContext(id, segment, time, attributes, null, null));
  }

  /** Encodes a reward; the time is ms since the epoch. */
  public static byte[] rewardBytes(
      String id, String segment, long time, double value, Map<String, Object> mediators) {
    return Wire.REWARD.encode(new WireReward(id, null, segment, time, value, mediators, null));
  }
}
