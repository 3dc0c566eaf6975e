package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * Carries one decodable input record: ids, segment and time can be read; {@link #fault} may reject
 * it.
 */
public sealed interface Input permits ContextEvent, RewardEvent {
  String segment();

  String decisionId();

  /** Returns the event time in epoch ms; valid only if {@link #fault} is null. */
  long eventTime();

  Origin origin();

  /** Returns the record's value as read; not copied, must not be modified. */
  byte[] raw();

  /** Returns the record's key as read, or null; not copied, must not be modified. */
  byte @Nullable [] key();

  /** Returns the error that rejects the record, or null if there is none. */
  @Nullable InputFault fault();
}
