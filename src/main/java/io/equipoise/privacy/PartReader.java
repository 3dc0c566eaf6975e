package io.equipoise.privacy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the output of {@link PartWriter}. The bytes are authenticated; even so, every length is
 * checked against the remaining bytes.
 */
final class PartReader {
  private final ByteBuffer bytes;

  PartReader(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes);
  }

  int count() {
    int count = need(Integer.BYTES).getInt();
    if (count < 0 || count > bytes.remaining()) {
      throw CiphertextException.forged(
          "a count of " + count + " with " + bytes.remaining() + " bytes");
    }
    return count;
  }

  int integer() {
    return need(Integer.BYTES).getInt();
  }

  long whole() {
    return need(Long.BYTES).getLong();
  }

  double real() {
    return need(Double.BYTES).getDouble();
  }

  String text() {
    return new String(raw(), StandardCharsets.UTF_8);
  }

  List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (int left = count(); left > 0; left--) {
      texts.add(text());
    }
    return texts;
  }

  byte @Nullable [] bytesOrNull() {
    return isPresent() ? raw() : null;
  }

  @Nullable String textOrNull() {
    return isPresent() ? text() : null;
  }

  @Nullable Double realOrNull() {
    return isPresent() ? (Double) real() : null;
  }

  @Nullable Integer integerOrNull() {
    return isPresent() ? (Integer) integer() : null;
  }

  Map<String, String> names() {
    Map<String, String> names = new TreeMap<>();
    for (int left = count(); left > 0; left--) {
      names.put(text(), text());
    }
    return names;
  }

  /** Rejects trailing bytes. */
  void end() {
    if (bytes.hasRemaining()) {
      throw CiphertextException.forged(bytes.remaining() + " trailing bytes");
    }
  }

  private byte[] raw() {
    byte[] raw = new byte[count()];
    bytes.get(raw);
    return raw;
  }

  private boolean isPresent() {
    byte mark = need(1).get();
    if (mark != 0 && mark != 1) {
      throw CiphertextException.forged("presence byte " + mark);
    }
    return mark == 1;
  }

  private ByteBuffer need(int count) {
    if (bytes.remaining() < count) {
      throw CiphertextException.forged("they are truncated");
    }
    return bytes;
  }
}
