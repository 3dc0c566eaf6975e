package io.equipoise.event;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Feeds the decoders with valid records that were damaged at random; equal seeds, equal damage. */
class HostileBytesTest {
  private static final int MUTATIONS = 100_000;
  private static final long SEED = 42L;
  private static final int MAX_BYTES = 1 << 20;
  private static final long FIXED_ALLOCATION = 64 * 1024;
  private static final long ALLOCATION_PER_BYTE = 100;

  /** Mutations after which every kind has been decoded and refused in most of its ways. */
  private static final int WARM_UP = 3000;

  private static final Origin ORIGIN = new Origin("contexts", 0, 0, 0);
  private static final byte[][] HOSTILE = {
    HexFormat.of().parseHex("feffffff0f"), // 2 GB - 1
    HexFormat.of().parseHex("808080808040"), // 2^40
    HexFormat.of().parseHex("ffffffffffffffffff01"), // least long
    HexFormat.of().parseHex("ffffffffffffffffffff01"), // overlong
    HexFormat.of().parseHex("01"), // -1
    HexFormat.of().parseHex("c080") // overlong text
  };

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final InputDecoder decoder = new InputDecoder(MAX_BYTES);

  @Test
  void damagedInputsAreNeverThrownOnAndNeverBlowUp() {
    List<byte[]> contexts = samples(Wire.CONTEXT, WireContext.class);
    List<byte[]> rewards = samples(Wire.REWARD, WireReward.class);
    int refused = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      TopicKind kind = random.nextBoolean() ? TopicKind.CONTEXTS : TopicKind.REWARDS;
      byte[] bytes = damage(pick(kind == TopicKind.CONTEXTS ? contexts : rewards));
      long before = threads.getCurrentThreadAllocatedBytes();
      Decoded decoded = decoder.decode(kind, null, bytes, ORIGIN, Long.MAX_VALUE);
      assertSmall(threads.getCurrentThreadAllocatedBytes() - before, bytes, i);
      if (decoded instanceof Decoded.Bad bad) {
        refused++;
        assertArrayEquals(bytes, bad.letter().value());
      }
    }
    assertTrue(refused > MUTATIONS / 4 && refused < MUTATIONS, "refused " + refused);
  }

  @Test
  void damagedOutputsAreRefusedOnlyByTheirOwnException() {
    List<WireTest.Kind<?>> kinds = WireTest.kinds();
    List<List<byte[]>> samples = new ArrayList<>();
    kinds.forEach(kind -> samples.add(samples(kind)));
    int refused = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      int which = random.nextInt(kinds.size());
      byte[] bytes = damage(pick(samples.get(which)));
      long before = threads.getCurrentThreadAllocatedBytes();
      try {
        kinds.get(which).wire().decode(bytes);
      } catch (WireException e) {
        refused++;
      }
      assertSmall(threads.getCurrentThreadAllocatedBytes() - before, bytes, i);
    }
    assertTrue(refused > MUTATIONS / 4 && refused < MUTATIONS, "refused " + refused);
  }

  private static void assertSmall(long allocated, byte[] bytes, int mutation) {
    if (mutation > WARM_UP && allocated > FIXED_ALLOCATION + ALLOCATION_PER_BYTE * bytes.length) {
      throw new AssertionError(
          "seed "
              + SEED
              + ", mutation "
              + mutation
              + " allocated "
              + allocated
              + " for "
              + HexFormat.of().formatHex(bytes));
    }
  }

  private <T extends Record> List<byte[]> samples(WireTest.Kind<T> kind) {
    return samples(kind.wire(), kind.type());
  }

  private <T extends Record> List<byte[]> samples(Wire<T> wire, Class<T> type) {
    var records = new RandomRecords(SEED);
    List<byte[]> samples = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      samples.add(wire.encode(records.next(type)));
    }
    return samples;
  }

  private byte[] pick(List<byte[]> samples) {
    return samples.get(random.nextInt(samples.size())).clone();
  }

  /** Damages the body once to four times and, now and then, the frame. */
  private byte[] damage(byte[] whole) {
    byte[] bytes = whole;
    int from = random.nextInt(50) == 0 ? 0 : Frame.HEADER_BYTES;
    for (int times = 1 + random.nextInt(4); times > 0; times--) {
      int at = bytes.length <= from ? 0 : from + random.nextInt(bytes.length - from);
      bytes =
          switch (random.nextInt(5)) {
            case 0 -> splice(bytes, at, at, HOSTILE[random.nextInt(HOSTILE.length)]);
            case 1 -> splice(bytes, at, bytes.length, new byte[0]);
            case 2 -> splice(bytes, at, Math.min(at + 1, bytes.length), noise());
            case 3 -> splice(bytes, at, Math.min(at + 5, bytes.length), new byte[0]);
            default -> flip(bytes, at);
          };
    }
    return bytes;
  }

  private byte[] noise() {
    byte[] noise = new byte[1 + random.nextInt(4)];
    random.nextBytes(noise);
    return noise;
  }

  private byte[] flip(byte[] bytes, int at) {
    if (bytes.length > at) {
      bytes[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    }
    return bytes;
  }

  private static byte[] splice(byte[] bytes, int from, int to, byte[] between) {
    byte[] spliced = new byte[bytes.length - (to - from) + between.length];
    System.arraycopy(bytes, 0, spliced, 0, from);
    System.arraycopy(between, 0, spliced, from, between.length);
    System.arraycopy(bytes, to, spliced, from + between.length, bytes.length - to);
    return spliced;
  }
}
