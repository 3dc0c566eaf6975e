package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/** One decodable input record: its ids, segment and time can be read, whatever else is wrong. */
public sealed interface Input permits ContextEvent, RewardEvent {
  String segment();

  String decisionId();

  /** Returns the event time in epoch milliseconds; believe it only if {@link #fault} is null. */
  long eventTime();

  Origin origin();

  /** Returns the record's value as it was read; not copied, never to be modified. */
  byte[] raw();

  /** Returns the record's key as it was read, or null; not copied, never to be modified. */
  byte @Nullable [] key();

  /** Returns why the record must not be used, or null if nothing is known against it. */
  @Nullable InputFault fault();
}
