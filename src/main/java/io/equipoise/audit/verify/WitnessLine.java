package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.Sha256;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Identifies one record that a reader saw: topic, partition, offset, the first 8 bytes of the key's
 * SHA-256 and of that over key and value, in hexadecimal, separated by tabs. Contains no value and
 * no id.
 */
public record WitnessLine(String topic, int partition, long offset, long keyHash, long digest) {
  /** The first line of a file. */
  public static final String HEADER = "equipoise witness 1";

  private static final int FIELDS = 5;
  private static final int HEX_DIGITS = 16;

  public static WitnessLine of(LogRecord record) {
    byte[] key = record.key() == null ? new byte[0] : record.key();
    return new WitnessLine(
        record.slice().name(),
        record.slice().partition(),
        record.offset(),
        ByteBuffer.wrap(Sha256.of(key)).getLong(),
        Payloads.digest(record.key(), record.value()));
  }

  /** Parses a line; returns null if it is malformed, like a last line whose writer was killed. */
  static @Nullable WitnessLine parse(String text) {
    String[] fields = text.split("\t", -1);
    if (fields.length != FIELDS || fields[FIELDS - 1].length() != HEX_DIGITS) {
      return null;
    }
    try {
      return new WitnessLine(
          fields[0],
          Integer.parseInt(fields[1]),
          Long.parseLong(fields[2]),
          HexFormat.fromHexDigitsToLong(fields[3]),
          HexFormat.fromHexDigitsToLong(fields[4]));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Returns the line of the file. */
  public String text() {
    HexFormat hex = HexFormat.of();
    return String.join(
        "\t",
        topic,
        Integer.toString(partition),
        Long.toString(offset),
        hex.toHexDigits(keyHash),
        hex.toHexDigits(digest));
  }

  /** Returns topic/partition/offset. */
  String place() {
    return topic + "/" + partition + "/" + offset;
  }

  /** Returns the line's term in an order-free sum. */
  long mixed() {
    long mixed = (offset * 0x9E3779B97F4A7C15L ^ digest) * 0xBF58476D1CE4E5B9L + keyHash;
    return (mixed ^ (mixed >>> 31)) * 0x94D049BB133111EBL;
  }
}
