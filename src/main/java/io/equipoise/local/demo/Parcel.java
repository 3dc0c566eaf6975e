package io.equipoise.local.demo;

import io.equipoise.event.ErrorCode;
import io.equipoise.event.TopicKind;
import org.jspecify.annotations.Nullable;

/**
 * A record to send, and what must come of it.
 *
 * @param segment whose ledger counts it; null if its bytes do not tell
 * @param decisionId under which a context must be answered; null if it must not
 * @param value its bytes; null for a tombstone
 * @param refusal the code of the dead letter it must become; null if it must be used
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record Parcel(
    TopicKind kind,
    @Nullable String segment,
    @Nullable String decisionId,
    byte @Nullable [] value,
    @Nullable ErrorCode refusal) {

  static Parcel reward(String segment, byte[] value, @Nullable ErrorCode refusal) {
    return new Parcel(TopicKind.REWARDS, segment, null, value, refusal);
  }

  static Parcel context(
      String segment, @Nullable String decisionId, byte[] value, @Nullable ErrorCode refusal) {
    return new Parcel(TopicKind.CONTEXTS, segment, decisionId, value, refusal);
  }

  static Parcel undecodable(TopicKind kind, byte @Nullable [] value, ErrorCode refusal) {
    return new Parcel(kind, null, null, value, refusal);
  }
}
