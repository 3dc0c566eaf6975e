package io.equipoise.watch;

import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEvidence;

/** A record that follows from the log about one registration. */
public sealed interface WatchResult {
  String id();

  /** The evidence after some rows. */
  record Evidence(String id, WatchEvidence evidence) implements WatchResult {}

  /**
   * The end of a registration.
   *
   * @param message for people
   */
  record Ended(String id, WatchEnd reason, String message) implements WatchResult {}
}
