package io.equipoise.watch;

/**
 * A refused registration.
 *
 * @param message names the fact and the fix, for people
 */
public record RefusedWatch(WatchRefusal code, String message) {}
