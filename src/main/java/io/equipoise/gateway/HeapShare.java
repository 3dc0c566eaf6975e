package io.equipoise.gateway;

/**
 * Counts the bytes of the part of the heap that callers may occupy. The bytes are estimates on the
 * safe side: a number of requests says nothing about memory, since one may have a thousand
 * candidates. Not thread-safe.
 */
final class HeapShare {
  private static final int PART = 8;

  private final long limit;
  private long taken;

  HeapShare(long limit) {
    this.limit = limit;
  }

  /** Returns an eighth of the largest heap. */
  static HeapShare ofThisProcess() {
    return new HeapShare(bytes());
  }

  /** Returns an eighth of the largest heap, in bytes. */
  static long bytes() {
    return Runtime.getRuntime().maxMemory() / PART;
  }

  /** Adds bytes, or fewer if negative. */
  void add(long bytes) {
    taken += bytes;
  }

  boolean isExceeded() {
    return taken > limit;
  }

  /** Returns whether so many more bytes fit. The first always fit: some request must. */
  boolean has(long bytes) {
    return taken == 0 || taken + bytes <= limit;
  }
}
