package io.equipoise.join.disclosure;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what is taken out of a record, or the place that it is taken from: big-endian, what
 * is absent as byte 0 and what is present behind byte 1, bytes and texts behind their length (i32).
 */
final class PartWriter {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

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
    return isPresent(number) ? put(number.doubleValue()) : this;
  }

  PartWriter maybe(@Nullable Integer number) {
    return isPresent(number) ? put(number.intValue()) : this;
  }

  /** Writes names in their order. */
  PartWriter put(Map<String, String> names) {
    put(names.size());
    new TreeMap<>(names).forEach((name, value) -> put(name).put(value));
    return this;
  }

  byte[] bytes() {
    return out.toByteArray();
  }

  private boolean isPresent(@Nullable Object value) {
    out.write(value == null ? 0 : 1);
    return value != null;
  }
}
