package io.equipoise.hostile;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Spoils valid records as broken senders, bad memory and attackers do: flipped bits, ends cut off,
 * runs lost, doubled a thousand times or taken from another record, lengths of all kinds blown up,
 * numbers that are none, and headers of other records.
 */
public final class ByteDamage implements Campaign.Damage<byte[]> {
  private static final int MOST_DAMAGES = 4;
  private static final int LONGEST_RUN = 64;
  private static final int MOST_REPEATS = 1000;
  private static final int MOST_BYTES = 1 << 17;

  /** What stands for a length or a number in one of the formats. */
  private static final byte[][] NUMBERS =
      hex(
          "feffffff0f", // zigzag 2 GB - 1
          "808080808040", // zigzag 2^40
          "ffffffffffffffffff01", // zigzag least long
          "ffffffffffffffffffff01", // a number of too many bytes
          "01", // zigzag -1
          "00",
          "7fffffff",
          "ffffffff",
          "80000000",
          "fffffffe",
          "00100000",
          "ffffff7f", // little-endian greatest
          "7fffffffffffffff",
          "8000000000000000",
          "7ff8000000000001", // not a number
          "000000000000f07f", // little-endian infinity
          "ffffffffffffef7f", // little-endian greatest double
          "c080", // an overlong letter
          "eda080", // half a surrogate pair
          "c301");

  private final List<byte[]> samples;
  private final List<byte[]> strangers;
  private final int headerBytes;

  /**
   * @param samples valid records
   * @param strangers valid records of other kinds, whose headers and runs are borrowed; may be the
   *     samples
   * @param headerBytes what is left alone most of the time, lest nothing get behind it
   */
  public ByteDamage(List<byte[]> samples, List<byte[]> strangers, int headerBytes) {
    this.samples = samples;
    this.strangers = strangers;
    this.headerBytes = headerBytes;
  }

  @Override
  public byte[] next(SplittableRandom random) {
    byte[] bytes = pick(samples, random).clone();
    if (random.nextInt(50) == 0) {
      byte[] stranger = pick(strangers, random);
      int length = Math.min(headerBytes, Math.min(stranger.length, bytes.length));
      System.arraycopy(stranger, 0, bytes, 0, length);
    }
    int from = random.nextInt(50) == 0 ? 0 : headerBytes;
    for (int left = random.nextInt(MOST_DAMAGES + 1); left > 0; left--) {
      bytes = damaged(bytes, Math.min(from, bytes.length), random);
    }
    return bytes.length > MOST_BYTES ? Arrays.copyOf(bytes, MOST_BYTES) : bytes;
  }

  private byte[] damaged(byte[] bytes, int from, SplittableRandom random) {
    if (bytes.length == from) {
      return bytes;
    }
    int at = from + random.nextInt(bytes.length - from);
    int end = Math.min(bytes.length, at + 1 + random.nextInt(LONGEST_RUN));
    byte[] number = NUMBERS[random.nextInt(NUMBERS.length)];
    return switch (random.nextInt(10)) {
      case 0 -> spliced(bytes, at, at, number);
      case 1 -> spliced(bytes, at, Math.min(at + number.length, bytes.length), number);
      case 2 -> Arrays.copyOf(bytes, at);
      case 3 -> spliced(bytes, at, end, new byte[0]);
      case 4 -> spliced(bytes, at, at, noise(random));
      case 5 -> spliced(bytes, at, at, repeated(bytes, at, end, random));
      case 6 -> spliced(bytes, at, bytes.length, tail(pick(samples, random), from, random));
      case 7 -> spliced(bytes, at, end, tail(pick(strangers, random), from, random));
      default -> flipped(bytes, at, random);
    };
  }

  private static byte[] repeated(byte[] bytes, int at, int end, SplittableRandom random) {
    int times = 1 + (random.nextInt(20) == 0 ? random.nextInt(MOST_REPEATS) : random.nextInt(3));
    byte[] run = Arrays.copyOfRange(bytes, at, end);
    byte[] repeated = new byte[run.length * times];
    for (int i = 0; i < times; i++) {
      System.arraycopy(run, 0, repeated, i * run.length, run.length);
    }
    return repeated;
  }

  private static byte[] tail(byte[] other, int from, SplittableRandom random) {
    int start = Math.min(from, other.length);
    return Arrays.copyOfRange(
        other, start + random.nextInt(other.length - start + 1), other.length);
  }

  private static byte[] flipped(byte[] bytes, int at, SplittableRandom random) {
    bytes[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    return bytes;
  }

  private static byte[] noise(SplittableRandom random) {
    byte[] noise = new byte[1 + random.nextInt(4)];
    random.nextBytes(noise);
    return noise;
  }

  private static byte[] pick(List<byte[]> from, SplittableRandom random) {
    return from.get(random.nextInt(from.size()));
  }

  private static byte[] spliced(byte[] bytes, int from, int to, byte[] between) {
    byte[] spliced = new byte[bytes.length - (to - from) + between.length];
    System.arraycopy(bytes, 0, spliced, 0, from);
    System.arraycopy(between, 0, spliced, from, between.length);
    System.arraycopy(bytes, to, spliced, from + between.length, bytes.length - to);
    return spliced;
  }

  private static byte[][] hex(String... texts) {
    return Arrays.stream(texts).map(HexFormat.of()::parseHex).toArray(byte[][]::new);
  }
}
