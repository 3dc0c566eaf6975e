package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.PriorBound;
import io.equipoise.event.PriorKey;
import io.equipoise.event.Wire;
import io.equipoise.join.TestPriors;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PriorRecordTest {
  private static final PriorBound ROW =
      TestPriors.set(1, new double[] {0, 1}, new double[] {0, 1}).rows().get(0);
  private static final String KEY = PriorKey.of(ROW).text();

  @Test
  void aRowUnderItsKeyIsARowAndANullRetiresIt() {
    assertEquals(new PriorRecord.Row(PriorKey.of(ROW), ROW), read(KEY, Wire.PRIOR.encode(ROW)));
    assertEquals(new PriorRecord.Retirement(PriorKey.of(ROW)), read(KEY, null));
  }

  @Test
  void whatIsNoRowSaysWhy() {
    byte[] good = Wire.PRIOR.encode(ROW);
    assertBad("UNFRAMED", read(KEY, new byte[] {1, 2, 3}));
    assertBad("MALFORMED", read(KEY, java.util.Arrays.copyOf(good, good.length - 1)));
    assertBad("PRIOR_REFUSED", read(null, good));
    assertBad("PRIOR_REFUSED", read(null, null));
    assertBad("PRIOR_REFUSED", read("shop", null));
    assertBad("PRIOR_REFUSED", read(KEY + "x", good));
    for (double[] ends : new double[][] {{1, 0}, {Double.NaN, 1}, {0, Double.NaN}}) {
      PriorBound bad = bounded(ends[0], ends[1]);
      assertBad("PRIOR_REFUSED", read(PriorKey.of(bad).text(), Wire.PRIOR.encode(bad)));
    }
  }

  @Test
  void aRefusalCarriesTheBytes() {
    byte[] value = {1, 2, 3};
    RawControl raw =
        new RawControl("shop.priors", 0, 9, 1, KEY.getBytes(StandardCharsets.UTF_8), value);
    DeadLetter letter =
        Wire.DEAD_LETTER.decode(raw.refused(io.equipoise.event.ErrorCode.UNFRAMED, "no").value());
    assertEquals(9, letter.offset());
    assertEquals("shop.priors", letter.topic());
    assertEquals(KEY, new String(Objects.requireNonNull(letter.key()), StandardCharsets.UTF_8));
    assertTrue(java.util.Arrays.equals(value, letter.value()));
  }

  private static PriorRecord.Content read(@Nullable String key, byte @Nullable [] value) {
    byte[] bytes = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
    return new PriorRecord(new RawControl("priors", 0, 0, 0, bytes, value)).read();
  }

  private static void assertBad(String code, PriorRecord.Content content) {
    assertEquals(code, assertInstanceOf(PriorRecord.Bad.class, content).code().name());
  }

  private static PriorBound bounded(double lower, double upper) {
    return new PriorBound(
        ROW.name(),
        1,
        ROW.hash(),
        2,
        ROW.arm(),
        Map.of(),
        lower,
        upper,
        ROW.mode(),
        List.of(),
        "",
        null,
        null,
        ROW.graphHash(),
        null,
        List.of());
  }
}
