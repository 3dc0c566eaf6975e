package io.equipoise.privacy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes redacted values, or the identity of their record: big-endian; absent values as byte 0,
 * present ones after byte 1; bytes and texts after their length (i32).
 *
 * <p>Also counts the bytes that other values would need: a number instead of an absent one, and the
 * longest level instead of another. So {@link #mostBytes} is the same for every person.
 */
final class PartWriter {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private int spareBytes;

  PartWriter put(int number) {
    out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
    return this;
  }

  PartWriter put(long number) {
    out.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    return this;
  }

  PartWriter put(double number) {
    return put(Double.doubleToRawLongBits(number));
  }

  PartWriter put(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    put(bytes.length);
    out.writeBytes(bytes);
    return this;
  }

  PartWriter texts(List<String> texts) {
    put(texts.size());
    texts.forEach(this::put);
    return this;
  }

  PartWriter maybe(byte @Nullable [] bytes) {
    if (isPresent(bytes)) {
      put(bytes.length);
      out.writeBytes(bytes);
    }
    return this;
  }

  PartWriter maybe(@Nullable String text) {
    return isPresent(text) ? put(text) : this;
  }

  PartWriter maybe(@Nullable Double number) {
    return isPresent(number) ? put(number.doubleValue()) : spare(Double.BYTES);
  }

  PartWriter maybe(@Nullable Integer number) {
    return isPresent(number) ? put(number.intValue()) : spare(Integer.BYTES);
  }

  /** Writes a level, given the byte length of the longest possible level. */
  PartWriter level(String level, int longestBytes) {
    byte[] bytes = level.getBytes(StandardCharsets.UTF_8);
    return put(level).spare(Math.max(0, longestBytes - bytes.length));
  }

  PartWriter maybeLevel(@Nullable String level, int longestBytes) {
    return isPresent(level) ? level(level, longestBytes) : this;
  }

  /** Writes levels by the names of their variables, in the order of the names. */
  PartWriter levels(Map<String, String> levels, int longestBytes) {
    put(levels.size());
    new TreeMap<>(levels).forEach((name, level) -> put(name).level(level, longestBytes));
    return this;
  }

  byte[] bytes() {
    return out.toByteArray();
  }

  /** Returns the maximum bytes of other values in this place. */
  int mostBytes() {
    return Math.addExact(out.size(), spareBytes);
  }

  private PartWriter spare(int bytes) {
    spareBytes += bytes;
    return this;
  }

  private boolean isPresent(@Nullable Object value) {
    out.write(value == null ? 0 : 1);
    return value != null;
  }
}
