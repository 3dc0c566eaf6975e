package io.equipoise.job.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundKey;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Wire;
import io.equipoise.segment.TestBounds;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CausalBoundRecordTest {
  private static final CausalBound ROW =
      TestBounds.set(1, new double[] {0, 1}, new double[] {0, 1}).rows().get(0);
  private static final String KEY = CausalBoundKey.of(ROW).text();

  @Test
  void aRowUnderItsKeyIsARowAndANullRetiresIt() {
    assertEquals(
        new CausalBoundRecord.BoundRow(CausalBoundKey.of(ROW), ROW),
        read(KEY, Wire.CAUSAL_BOUND.encode(ROW)));
    assertEquals(new CausalBoundRecord.Retirement(CausalBoundKey.of(ROW)), read(KEY, null));
  }

  @Test
  void whatIsNoRowSaysWhy() {
    byte[] good = Wire.CAUSAL_BOUND.encode(ROW);
    assertBad("UNFRAMED", read(KEY, new byte[] {1, 2, 3}));
    assertBad("MALFORMED", read(KEY, java.util.Arrays.copyOf(good, good.length - 1)));
    assertBad("BOUNDS_REJECTED", read(null, good));
    assertBad("BOUNDS_REJECTED", read(null, null));
    assertBad("BOUNDS_REJECTED", read("shop", null));
    assertBad("BOUNDS_REJECTED", read(KEY + "x", good));
    for (double[] ends : new double[][] {{1, 0}, {Double.NaN, 1}, {0, Double.NaN}}) {
      CausalBound bad = bounded(ends[0], ends[1]);
      assertBad(
          "BOUNDS_REJECTED", read(CausalBoundKey.of(bad).text(), Wire.CAUSAL_BOUND.encode(bad)));
    }
  }

  @Test
  void aRefusalCarriesTheBytes() {
    byte[] value = {1, 2, 3};
    RawControl raw =
        new RawControl("shop.causal-bounds", 0, 9, 1, KEY.getBytes(StandardCharsets.UTF_8), value);
    DeadLetter letter =
        Wire.DEAD_LETTER.decode(raw.refused(io.equipoise.event.ErrorCode.UNFRAMED, "no").value());
    assertEquals(9, letter.source().offset());
    assertEquals("shop.causal-bounds", letter.source().topic());
    assertEquals(
        KEY, new String(Objects.requireNonNull(letter.input().key()), StandardCharsets.UTF_8));
    assertTrue(java.util.Arrays.equals(value, letter.input().value()));
  }

  private static CausalBoundRecord.Content read(@Nullable String key, byte @Nullable [] value) {
    byte[] bytes = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
    return new CausalBoundRecord(new RawControl("causal-bounds", 0, 0, 0, bytes, value)).read();
  }

  private static void assertBad(String code, CausalBoundRecord.Content content) {
    assertEquals(code, assertInstanceOf(CausalBoundRecord.Bad.class, content).code().name());
  }

  private static CausalBound bounded(double lower, double upper) {
    return new CausalBound(ROW.set(), ROW.arm(), Map.of(), lower, upper, ROW.evidence());
  }
}
