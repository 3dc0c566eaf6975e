package io.equipoise.event;

import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Validates an Avro body against its writer's schema before any decoder reads it. Rejects lengths
 * and counts beyond the remaining bytes, overlong numbers, indices outside their union or enum,
 * text that is not UTF-8, unlimited nesting and trailing bytes.
 *
 * <p>Allocates nothing in proportion to claimed sizes. Cost is linear in the bytes: every item of
 * an array or map has at least one byte, except items of width 0, whose total count is limited to
 * the number of bytes. An instance walks one body in one thread; {@code number} is valid until the
 * next number is read.
 */
final class WireGuard {
  private static final int MAX_DEPTH = 32;
  private static final int MAX_INT_BYTES = 5;
  private static final int MAX_LONG_BYTES = 10;
  private static final int PAYLOAD_BITS = 7;

  private final byte[] bytes;
  private int at;
  private long itemsLeft;
  private long number;
  private @Nullable String fault;

  private WireGuard(byte[] bytes, int from) {
    this.bytes = bytes;
    this.at = from;
    this.itemsLeft = (long) bytes.length - from;
  }

  /** Returns the error of the body that starts at a position, or empty if it can be decoded. */
  static Optional<String> check(Schema writer, byte[] bytes, int from) {
    WireGuard guard = new WireGuard(bytes, from);
    if (guard.walk(writer, 0) && guard.at != bytes.length) {
      guard.reject((bytes.length - guard.at) + " bytes after the end of the record");
    }
    return guard.fault == null ? Optional.empty() : Optional.of(guard.fault);
  }

  /**
   * Returns the end of the body that starts at a position; other bytes may follow it.
   *
   * @throws WireException if it cannot be decoded
   */
  static int end(Schema writer, byte[] bytes, int from) {
    WireGuard guard = new WireGuard(bytes, from);
    guard.walk(writer, 0);
    if (guard.fault != null) {
      throw new WireException(ErrorCode.MALFORMED, guard.fault);
    }
    return guard.at;
  }

  private boolean walk(Schema schema, int depth) {
    if (depth > MAX_DEPTH) {
      return reject("nested deeper than " + MAX_DEPTH);
    }
    return switch (schema.getType()) {
      case NULL -> true;
      case BOOLEAN -> bool();
      case INT -> number(MAX_INT_BYTES);
      case LONG -> number(MAX_LONG_BYTES);
      case FLOAT -> skip(Float.BYTES);
      case DOUBLE -> skip(Double.BYTES);
      case FIXED -> skip(schema.getFixedSize());
      case BYTES -> length() && skip(number);
      case STRING -> text();
      case ENUM -> index(schema.getEnumSymbols().size(), "symbol");
      case UNION -> union(schema.getTypes(), depth);
      case ARRAY -> blocks(schema.getElementType(), false, depth);
      case MAP -> blocks(schema.getValueType(), true, depth);
      case RECORD -> record(schema, depth);
    };
  }

  private boolean record(Schema schema, int depth) {
    List<Schema.Field> fields = schema.getFields();
    for (int place = 0; place < fields.size(); place++) { // an iterator a record would be garbage
      Schema.Field field = fields.get(place);
      if (!walk(field.schema(), depth + 1)) {
        fault = depth == 0 ? schema.getName() + "." + field.name() + ": " + fault : fault;
        return false;
      }
    }
    return true;
  }

  private boolean union(List<Schema> branches, int depth) {
    return index(branches.size(), "branch") && walk(branches.get((int) number), depth + 1);
  }

  private boolean index(int size, String what) {
    int start = at;
    if (!number(MAX_INT_BYTES)) {
      return false;
    }
    return (number >= 0 && number < size)
        || reject("no " + what + " has the index " + number + ", there are " + size, start);
  }

  /** Walks the blocks of an array or map until the block of count 0. */
  private boolean blocks(Schema item, boolean isMap, int depth) {
    while (true) {
      int start = at;
      if (!number(MAX_LONG_BYTES)) {
        return false;
      }
      if (number == 0) {
        return true;
      }
      boolean isSized = number < 0;
      long count = isSized ? -number : number; // Long.MIN_VALUE stays negative
      if (isSized && !length()) {
        return false;
      }
      long end = isSized ? at + number : -1;
      if (count < 0 || count > remaining() || count > itemsLeft) {
        return reject("a block of " + count + " items with " + remaining() + " bytes left", start);
      }
      itemsLeft -= count;
      if (!items(item, count, isMap, depth)) {
        return false;
      }
      if (isSized && at != end) {
        return reject("a block that ends at byte " + at + " instead of byte " + end, start);
      }
    }
  }

  private boolean items(Schema item, long count, boolean isMap, int depth) {
    for (long i = 0; i < count; i++) {
      if ((isMap && !text()) || !walk(item, depth + 1)) {
        return false;
      }
    }
    return true;
  }

  private boolean text() {
    if (!length()) {
      return false;
    }
    int end = at + (int) number;
    int wrong = Utf8Text.firstFault(bytes, at, end);
    if (wrong >= 0) {
      return reject("text that is not UTF-8", wrong);
    }
    at = end;
    return true;
  }

  private boolean bool() {
    if (remaining() > 0 && bytes[at] != 0 && bytes[at] != 1) {
      return reject("a boolean that is neither 0 nor 1");
    }
    return skip(1);
  }

  /** Reads a length into {@link #number}: not negative and within the remaining bytes. */
  private boolean length() {
    int start = at;
    if (!number(MAX_LONG_BYTES)) {
      return false;
    }
    return (number >= 0 && number <= remaining())
        || reject("a length of " + number + " with " + remaining() + " bytes left", start);
  }

  /** Reads a zigzag variable-length number into {@link #number}. */
  private boolean number(int maxBytes) {
    int start = at;
    if (at < bytes.length && bytes[at] >= 0) { // most numbers are one byte
      long only = bytes[at++];
      number = (only >>> 1) ^ -(only & 1);
      return true;
    }
    long raw = 0;
    for (int i = 0; i < maxBytes; i++) {
      if (at == bytes.length) {
        return reject("the bytes end within a number", start);
      }
      int next = bytes[at++];
      raw |= (long) (next & 0x7F) << (PAYLOAD_BITS * i);
      if (next >= 0) {
        return accept(raw, next, i, maxBytes, start);
      }
    }
    return reject("a number of more than " + maxBytes + " bytes", start);
  }

  private boolean accept(long raw, int last, int lastIndex, int maxBytes, int start) {
    int bits = maxBytes == MAX_INT_BYTES ? Integer.SIZE : Long.SIZE;
    int bitsLeft = bits - PAYLOAD_BITS * lastIndex;
    if (bitsLeft < PAYLOAD_BITS && (last >>> bitsLeft) != 0) {
      return reject("a number of more than " + bits + " bits", start);
    }
    number = (raw >>> 1) ^ -(raw & 1);
    return true;
  }

  private boolean skip(long count) {
    if (count > remaining()) {
      return reject("the bytes end within a value of " + count + " bytes");
    }
    at += (int) count;
    return true;
  }

  private int remaining() {
    return bytes.length - at;
  }

  private boolean reject(String problem) {
    return reject(problem, at);
  }

  private boolean reject(String problem, int position) {
    fault = problem + ", at byte " + position;
    return false;
  }
}
