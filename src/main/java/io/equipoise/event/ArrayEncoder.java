package io.equipoise.event;

import java.io.IOException;
import java.util.Arrays;
import org.apache.avro.io.BinaryData;
import org.apache.avro.io.BinaryEncoder;
import org.jspecify.annotations.Nullable;

/**
 * Writes Avro's binary encoding into a growing array. One instance serves one record and one
 * thread. Avro's own encoders write through a stream with a lock, which costs more than half of a
 * decision's encoding.
 */
final class ArrayEncoder extends BinaryEncoder {
  /** Initial size, enough for a decision among a hundred arms. */
  private static final int INITIAL_BYTES = 1 << 12;

  /** Upper bound of the encoded size of a number. */
  private static final int MAX_NUMBER_BYTES = 10;

  private static final char LAST_OF_ASCII = 0x7F;

  /** A larger encoder is not reused. */
  private static final int KEPT_BYTES = 1 << 16;

  private static final ThreadLocal<@Nullable ArrayEncoder> IDLE = new ThreadLocal<>();

  private boolean isStrict;
  private byte[] bytes = new byte[INITIAL_BYTES];
  private int length;

  /**
   * Returns an empty encoder of this thread; return it with {@link #giveBack}.
   *
   * @param isStrict whether it refuses texts that have no UTF-8 form, or writes a question mark
   */
  static ArrayEncoder take(boolean isStrict) {
    ArrayEncoder idle = IDLE.get();
    ArrayEncoder taken = idle == null ? new ArrayEncoder() : idle;
    IDLE.set(null);
    taken.length = 0;
    taken.isStrict = isStrict;
    return taken;
  }

  /** Makes this encoder available to this thread's next record. */
  void giveBack() {
    if (bytes.length <= KEPT_BYTES) {
      IDLE.set(this);
    }
  }

  /**
   * Writes a text.
   *
   * @throws IllegalArgumentException if it has an unpaired surrogate
   */
  @Override
  public void writeString(String text) throws IOException {
    int start = length;
    int count = text.length();
    writeInt(count);
    reserve(count);
    for (int at = 0; at < count; at++) {
      char c = text.charAt(at);
      if (c > LAST_OF_ASCII) {
        length = start;
        writeOther(text);
        return;
      }
      bytes[length + at] = (byte) c;
    }
    length += count;
  }

  private void writeOther(String text) throws IOException {
    int fault = Utf8Text.unpairedSurrogate(text);
    if (fault >= 0 && isStrict) {
      throw new IllegalArgumentException(
          "A text has an unpaired surrogate at character " + fault + "; it has no UTF-8 form");
    }
    super.writeString(text);
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }

  @Override
  public void writeBoolean(boolean value) {
    reserve(1);
    bytes[length++] = (byte) (value ? 1 : 0);
  }

  @Override
  public void writeInt(int value) {
    reserve(MAX_NUMBER_BYTES);
    length += BinaryData.encodeInt(value, bytes, length);
  }

  @Override
  public void writeLong(long value) {
    reserve(MAX_NUMBER_BYTES);
    length += BinaryData.encodeLong(value, bytes, length);
  }

  @Override
  public void writeFloat(float value) {
    reserve(MAX_NUMBER_BYTES);
    length += BinaryData.encodeFloat(value, bytes, length);
  }

  @Override
  public void writeDouble(double value) {
    reserve(MAX_NUMBER_BYTES);
    length += BinaryData.encodeDouble(value, bytes, length);
  }

  @Override
  public void writeFixed(byte[] from, int start, int count) {
    reserve(count);
    System.arraycopy(from, start, bytes, length, count);
    length += count;
  }

  @Override
  protected void writeZero() {
    reserve(1);
    bytes[length++] = 0;
  }

  @Override
  public int bytesBuffered() {
    return length;
  }

  @Override
  public void flush() {}

  private void reserve(int more) {
    if (more > bytes.length - length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(length, more)));
    }
  }
}
