package io.equipoise.event;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Validates the header by which callers find a decision in their traces (W3C Trace Context, section
 * 3.2). It goes from a request or a context to the decision and its audit unchanged, and decides
 * nothing.
 */
public final class TraceParent {
  /** The name of the header, in HTTP and on Kafka. */
  public static final String HEADER = "traceparent";

  private static final int LENGTH = 55;
  private static final Pattern VALID =
      Pattern.compile("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

  private TraceParent() {}

  /** Returns a header of version 00, or null of anything else. */
  public static @Nullable String of(@Nullable String given) {
    return given != null && given.length() == LENGTH && VALID.matcher(given).matches()
        ? given
        : null;
  }

  /** Returns the header in these bytes likewise. */
  public static @Nullable String of(byte @Nullable [] given) {
    return given != null && given.length == LENGTH
        ? of(new String(given, StandardCharsets.US_ASCII))
        : null;
  }
}
