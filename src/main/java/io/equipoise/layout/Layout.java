package io.equipoise.layout;

import java.util.BitSet;

/**
 * Reads or writes the elements of stored bytes, big-endian, with one code for both directions. A
 * {@link LayoutWriter} writes the value that it is given and returns it. A {@link LayoutReader}
 * ignores it and returns the value that it reads; it rejects lengths that exceed the remaining
 * bytes.
 */
public abstract class Layout {
  Layout() {}

  /** Returns whether values come from the bytes. */
  public abstract boolean isReading();

  /** Begins a value with its format or version (u8): writes it, or rejects another one. */
  public abstract void begin(byte format) throws LayoutException;

  /** Writes or reads an u8 or i8. */
  public abstract byte i8(int value) throws LayoutException;

  public abstract int i32(int value) throws LayoutException;

  public abstract long i64(long value) throws LayoutException;

  /** Writes or reads the raw bits, so that every value is restored exactly. */
  public abstract double f64(double value) throws LayoutException;

  /** Writes or reads the length (i32) and UTF-8 bytes. */
  public abstract String text(String value) throws LayoutException;

  /**
   * Writes or reads a number of elements (i32).
   *
   * @param bytesEach of an element, at least; a reader rejects more than the remaining bytes allow
   */
  public abstract int count(int count, int bytesEach) throws LayoutException;

  /** Writes or reads elements {@code from} to before {@code to}, without their number. */
  public abstract void f64s(double[] values, int from, int to) throws LayoutException;

  /** Writes or reads all elements, without their number. */
  public final void f64s(double[] values) throws LayoutException {
    f64s(values, 0, values.length);
  }

  /** Writes or reads all elements, without their number. */
  public abstract void i64s(long[] values) throws LayoutException;

  /** Writes or reads all bytes, without their number. */
  public abstract void bytes(byte[] values) throws LayoutException;

  /** Writes the bytes, or returns all that remain of the value. */
  public abstract byte[] rest(byte[] values) throws LayoutException;

  /** Rejects a value that is read and needs more bytes than remain. */
  public abstract void fits(long bytes) throws LayoutException;

  /**
   * Rejects what was read unless it is valid.
   *
   * @param what is invalid, for the message
   */
  public abstract void check(boolean isValid, String what, long number) throws LayoutException;

  /** Writes or reads a value within this one. */
  public abstract void part(Stored part) throws LayoutException;

  /** Returns the array, or, of a value that is read, a new one. */
  public final double[] room(double[] values, int length) {
    return isReading() ? new double[length] : values;
  }

  /** Returns the array, or, of a value that is read, a new one. */
  public final long[] room(long[] values, int length) {
    return isReading() ? new long[length] : values;
  }

  /** Writes or reads a set below a limit: bit k of byte k/8, in {@code length} bytes. */
  public final BitSet bits(BitSet set, int length, int limit) throws LayoutException {
    byte[] bits = new byte[length];
    if (!isReading()) {
      byte[] ones = set.toByteArray();
      System.arraycopy(ones, 0, bits, 0, ones.length);
    }
    bytes(bits);
    BitSet read = isReading() ? BitSet.valueOf(bits) : set;
    check(read.length() <= limit, "a set has element", read.length() - 1L);
    return read;
  }
}
