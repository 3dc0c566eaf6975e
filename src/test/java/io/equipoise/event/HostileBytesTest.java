package io.equipoise.event;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.Tier;
import io.equipoise.hostile.ByteDamage;
import io.equipoise.hostile.Campaign;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Feeds the decoders of every topic with valid records that were damaged at random. */
@Tag("slow")
@Isolated("measures the heap of the JVM")
class HostileBytesTest {
  private static final long SEED = 42L;
  private static final int SAMPLES = Tier.count(40, 200);
  private static final int MAX_BYTES = 1 << 20;
  private static final long FIXED_BYTES = 64 << 10;
  private static final long BYTES_PER_BYTE = 250;
  private static final Origin ORIGIN = new Origin("contexts", 0, 0, 0);
  private static final List<byte[]> ALL = all();

  @ParameterizedTest
  @EnumSource(names = {"CONTEXTS", "REWARDS"})
  void aDamagedInputIsADeadLetterWithItsBytesOrComesBack(LogTopic kind)
      throws InterruptedException {
    InputDecoder decoder = new InputDecoder(MAX_BYTES);
    boolean isContext = kind == LogTopic.CONTEXTS;
    List<byte[]> samples =
        isContext
            ? samples(Wire.CONTEXT, WireContext.class)
            : samples(Wire.REWARD, WireReward.class);
    campaign(
            "inputs of " + kind,
            samples,
            bytes -> {
              Decoded decoded = decoder.decode(kind, null, bytes, ORIGIN, Long.MAX_VALUE);
              if (decoded instanceof Decoded.Bad bad) {
                assertArrayEquals(bytes, bad.letter().input().value());
                return false;
              }
              return isContext ? comesBack(Wire.CONTEXT, bytes) : comesBack(Wire.REWARD, bytes);
            })
        .run(Tier.count(100, 800_000));
  }

  @ParameterizedTest
  @MethodSource("io.equipoise.event.WireTest#kinds")
  <T extends Record> void aDamagedRecordIsRefusedByAWireExceptionOrComesBack(WireTest.Kind<T> kind)
      throws InterruptedException {
    campaign(
            "records of " + kind,
            samples(kind.wire(), kind.type()),
            bytes -> {
              try {
                return comesBack(kind.wire(), bytes);
              } catch (WireException e) {
                return false;
              }
            })
        .run(Tier.count(100, 600_000));
  }

  @Test
  void aDamagedKeyOfAPriorIsNoKeyOrComesBack() throws InterruptedException {
    RandomRecords records = new RandomRecords(SEED);
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < SAMPLES; i++) {
      CausalBound bound = records.next(CausalBound.class);
      keys.add(
          new CausalBoundKey(CausalBoundKey.setOf("spec-" + i, "0a".repeat(16)), "A=1/" + i)
              .bytes());
      keys.add(CausalBoundKey.of(bound).bytes());
    }
    campaign(
            "keys of causal bounds",
            keys,
            bytes -> {
              String text = new String(bytes, StandardCharsets.UTF_8);
              CausalBoundKey key = CausalBoundKey.parse(text).orElse(null);
              assertEquals(key == null ? null : text, key == null ? null : key.text());
              return key != null;
            })
        .run(Tier.count(150, 400_000));
  }

  private static Campaign<byte[]> campaign(
      String name, List<byte[]> samples, Campaign.Target<byte[]> target) {
    return new Campaign<>(
        name,
        new ByteDamage(samples, ALL, Frame.HEADER_BYTES),
        target,
        FIXED_BYTES,
        BYTES_PER_BYTE);
  }

  /** Reads, writes, reads and writes: other writers' bytes may differ from ours, once. */
  private static <T extends Record> boolean comesBack(Wire<T> wire, byte[] bytes) {
    T record = wire.decode(bytes);
    byte[] ours = wire.encode(record);
    T again = wire.decode(ours);
    assertEquals(record, again);
    assertArrayEquals(ours, wire.encode(again));
    return true;
  }

  private static List<byte[]> all() {
    List<byte[]> all = new ArrayList<>();
    WireTest.kinds().forEach(kind -> all.addAll(samples(kind)));
    return all;
  }

  private static <T extends Record> List<byte[]> samples(WireTest.Kind<T> kind) {
    return samples(kind.wire(), kind.type());
  }

  private static <T extends Record> List<byte[]> samples(Wire<T> wire, Class<T> type) {
    var records = new RandomRecords(SEED);
    List<byte[]> samples = new ArrayList<>();
    for (int i = 0; i < SAMPLES; i++) {
      T record = records.next(type);
      boolean isSized = i % 4 == 0;
      samples.add(
          isSized
              ? WireTest.framed(wire, GenericOracle.encodeInBlocks(record, wire.schema()))
              : wire.encode(record));
    }
    return samples;
  }
}
