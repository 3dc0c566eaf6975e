package io.equipoise.state;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Assertions;

/** Serializes, deserializes and corrupts. */
final class Bytes {
  /** More than any value of the tests needs, less than any bomb. */
  private static final long MAX_ALLOCATION = 4 << 20;

  private static final int[] HOSTILE = {
    Integer.MAX_VALUE, 1 << 28, 1 << 24, 1 << 20, 1 << 16, -1, -2, Integer.MIN_VALUE
  };
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Bytes() {}

  static <T> byte[] of(TypeSerializer<T> serializer, T value) {
    try {
      DataOutputSerializer out = new DataOutputSerializer(64);
      serializer.serialize(value, out);
      return out.getCopyOfBuffer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a value that takes all the bytes. */
  static <T> T read(TypeSerializer<T> serializer, byte[] bytes) throws IOException {
    DataInputDeserializer in = new DataInputDeserializer(bytes);
    T value = serializer.deserialize(in);
    if (in.available() != 0) {
      throw new IOException(in.available() + " bytes were not read");
    }
    return value;
  }

  /** Asserts that no beginning of the bytes is a value. */
  static <T> void assertNoTruncationIsRead(TypeSerializer<T> serializer, byte[] bytes) {
    for (int length = 0; length < bytes.length; length++) {
      byte[] truncated = Arrays.copyOf(bytes, length);
      Assertions.assertThrows(
          IOException.class, () -> read(serializer, truncated), truncated.length + " bytes");
    }
  }

  /** Asserts that a value with a bit flipped is refused or is the value that has those bytes. */
  static <T> void assertNoFlipIsMisread(TypeSerializer<T> serializer, byte[] bytes) {
    for (int at = 0; at < bytes.length; at++) {
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        byte[] flipped = bytes.clone();
        flipped[at] ^= (byte) (1 << bit);
        assertRefusedOrFaithful(serializer, flipped, "bit " + bit + " of byte " + at);
      }
    }
  }

  /** Asserts the same for every four bytes replaced by a length that cannot be. */
  static <T> void assertNoLengthIsBelieved(TypeSerializer<T> serializer, byte[] bytes) {
    for (int at = 0; at + Integer.BYTES <= bytes.length; at++) {
      for (int hostile : HOSTILE) {
        byte[] changed = bytes.clone();
        for (int i = 0; i < Integer.BYTES; i++) {
          changed[at + i] = (byte) (hostile >>> (24 - 8 * i));
        }
        assertRefusedOrFaithful(serializer, changed, hostile + " at byte " + at);
      }
    }
  }

  private static <T> void assertRefusedOrFaithful(
      TypeSerializer<T> serializer, byte[] bytes, String what) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      T value = read(serializer, bytes);
      Assertions.assertArrayEquals(bytes, of(serializer, value), what);
    } catch (IOException refused) {
      // As it should be.
    }
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    Assertions.assertTrue(allocated < MAX_ALLOCATION, what + " allocates " + allocated);
  }
}
