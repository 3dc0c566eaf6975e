package io.equipoise.cli;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.Arrays;

/**
 * Reads the lines of a file from a position. The first line is the one that contains the position,
 * so a reader that starts within a file drops it.
 *
 * <p>State: a buffer of the file from {@code bufferStart} on, and the place of the current line in
 * it. Place, bytes and flags of a line are valid until the next call of {@link #next}, which may
 * move the buffer. Not thread-safe.
 */
public final class Lines {
  private static final int BUFFER = 1 << 16;
  private static final byte DELETE = 0x7F;

  private final RandomAccessFile file;
  private final int longest;
  private byte[] buffer = new byte[BUFFER];
  private int filled;
  private int next;
  private long bufferStart;
  private int from;
  private int to;
  private boolean isPlain;
  private int returns;
  private boolean isTooLong;

  /** Starts one byte before {@code start}, so that a line that begins there is not dropped. */
  public Lines(RandomAccessFile file, long start, int longest) throws IOException {
    this.file = file;
    this.longest = longest;
    bufferStart = Math.max(0, start - 1);
    file.seek(bufferStart);
  }

  /** Advances to the next line; false at the end of the file. */
  public boolean next() throws IOException {
    from = next;
    isPlain = true;
    returns = 0;
    isTooLong = false;
    int at = next;
    while (true) {
      if (at == filled) {
        int kept = at - from;
        if (kept > longest) {
          isTooLong = true;
          to = at;
          next = at;
          return true;
        }
        if (!fill()) {
          to = filled;
          next = filled;
          trim();
          return to > from;
        }
        at = kept;
      }
      byte b = buffer[at];
      if (b == '\n') {
        to = at;
        next = at + 1;
        trim();
        return true;
      }
      isPlain &= (b >= ' ' && b != '"' && b != DELETE) || b == '\r';
      returns += b == '\r' ? 1 : 0;
      at++;
    }
  }

  private void trim() {
    if (to > from && buffer[to - 1] == '\r') {
      to--;
      returns--;
    }
  }

  /** Moves the partial line to the front and reads on; false at the end of the file. */
  private boolean fill() throws IOException {
    int kept = filled - from;
    System.arraycopy(buffer, from, buffer, 0, kept);
    bufferStart += from;
    from = 0;
    next = 0;
    filled = kept;
    if (kept == buffer.length) {
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
    }
    int read = file.read(buffer, filled, buffer.length - filled);
    filled += Math.max(0, read);
    return read > 0;
  }

  /** Returns the start of the next line, bytes. */
  public long start() {
    return bufferStart + next;
  }

  /** Returns the start of the line, bytes. */
  public long lineStart() {
    return bufferStart + from;
  }

  public byte[] bytes() {
    return buffer;
  }

  public int from() {
    return from;
  }

  public int to() {
    return to;
  }

  /** Returns whether the line has only printed ASCII characters, and no quote. */
  public boolean isPlain() {
    return isPlain && returns == 0;
  }

  public boolean isTooLong() {
    return isTooLong;
  }

  public boolean isBlank() {
    return isBlank(from);
  }

  /** Returns whether the line is blank from a place in {@link #bytes} on. */
  boolean isBlank(int start) {
    for (int i = start; i < to; i++) {
      if (buffer[i] != ' ' && buffer[i] != '\t') {
        return false;
      }
    }
    return true;
  }
}
