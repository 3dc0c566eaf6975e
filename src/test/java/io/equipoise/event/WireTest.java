package io.equipoise.event;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.Tier;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericData;
import org.apache.avro.message.BinaryMessageDecoder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
class WireTest {
  private static final int RECORDS = Tier.count(60, 300);
  private static final long SEED = 20_260_101L;

  /** One wire with the type of its records. */
  record Kind<T extends Record>(Wire<T> wire, Class<T> type) {
    T random(RandomRecords records) {
      return records.next(type);
    }

    @Override
    public String toString() {
      return type.getSimpleName();
    }
  }

  static List<Kind<?>> kinds() {
    return List.of(
        new Kind<>(Wire.CONTEXT, WireContext.class),
        new Kind<>(Wire.REWARD, WireReward.class),
        new Kind<>(Wire.DECISION, Decision.class),
        new Kind<>(Wire.AUDIT, FairnessAudit.class),
        new Kind<>(Wire.EXPERIMENT, ExperimentRecord.class),
        new Kind<>(Wire.SEGMENT_EVENT, SegmentEvent.class),
        new Kind<>(Wire.METRICS, SegmentMetrics.class),
        new Kind<>(Wire.DEAD_LETTER, DeadLetter.class),
        new Kind<>(Wire.CAUSAL_BOUND, CausalBound.class));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <T extends Record> void whatIsEncodedIsDecodedAgain(Kind<T> kind) {
    var records = new RandomRecords(SEED);
    for (int i = 0; i < RECORDS; i++) {
      T record = kind.random(records);
      assertEquals(
          record, kind.wire().decode(kind.wire().encode(record)), "seed " + SEED + ", record " + i);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <T extends Record> void theBodyIsWhatAvrosOwnWriterMakes(Kind<T> kind) {
    var records = new RandomRecords(SEED);
    for (int i = 0; i < RECORDS; i++) {
      T record = kind.random(records);
      assertArrayEquals(
          GenericOracle.encode(record, kind.wire().schema()),
          body(kind.wire().encode(record)),
          "seed " + SEED + ", record " + i);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <T extends Record> void avrosOwnSingleObjectDecoderReadsTheFrame(Kind<T> kind)
      throws IOException {
    T record = new RandomRecords(SEED).next(kind.type());
    var decoder =
        new BinaryMessageDecoder<GenericData.Record>(new GenericData(), kind.wire().schema());
    byte[] framed = kind.wire().encode(record);
    assertEquals(GenericOracle.decode(body(framed), kind.wire().schema()), decoder.decode(framed));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <T extends Record> void sizedBlocksOfOtherWritersAreRead(Kind<T> kind) {
    var records = new RandomRecords(SEED);
    for (int i = 0; i < RECORDS; i++) {
      T record = kind.random(records);
      byte[] blocks = GenericOracle.encodeInBlocks(record, kind.wire().schema());
      assertEquals(record, kind.wire().decode(framed(kind.wire(), blocks)), "record " + i);
    }
  }

  @Test
  void theSameAttributesInAnotherOrderAreTheSameBytes() {
    Map<String, Object> oneWay = new LinkedHashMap<>();
    Map<String, Object> otherWay = new LinkedHashMap<>();
    List<String> names = List.of("zeta", "age", "income", "Zeta");
    names.forEach(name -> oneWay.put(name, 1L));
    for (int i = names.size() - 1; i >= 0; i--) {
      otherWay.put(names.get(i), 1L);
    }
    assertArrayEquals(Wire.CONTEXT.encode(context(oneWay)), Wire.CONTEXT.encode(context(otherWay)));
  }

  /** Both would be "x?y" on the topic: a reward of one would train the decision of the other. */
  @Test
  void anInputWithAnUnpairedSurrogateIsNotEncoded() {
    for (String text : List.of("x\udc00y", "\ud800", "\ud83dx")) {
      var reward = new WireReward(text, null, "s", 1_000L, 0.5, Map.of(), null);
      var refusal = assertThrows(IllegalArgumentException.class, () -> Wire.REWARD.encode(reward));
      assertEquals(
          "A text has an unpaired surrogate at character %d; it has no UTF-8 form"
              .formatted(text.length() == 3 ? 1 : 0),
          refusal.getMessage());
      assertThrows(
          IllegalArgumentException.class, () -> Wire.CONTEXT.encode(context(Map.of("a", text))));
      assertThrows(
          IllegalArgumentException.class, () -> Wire.CONTEXT.encode(context(Map.of(text, 1L))));
    }
    var emoji = new WireReward("\ud83d\ude00", null, "s", 1_000L, 0.5, Map.of(), null);
    assertEquals(emoji, Wire.REWARD.decode(Wire.REWARD.encode(emoji)));
  }

  @Test
  void theBytesOfARewardAreThese() {
    var reward = new WireReward("d-1", null, "s", 1_000L, 0.5, Map.of("m", 2L), "a");
    assertEquals(
        "c301"
            + "63c5758a2dabf40f" // frame
            + "06642d31" // decisionId
            + "00" // no rewardId
            + "0273" // segment
            + "d00f" // eventTime
            + "02000000000000e03f" // reward: not null, 0.5
            + "02026d020400" // mediators: one, m, long 2, end
            + "020261", // shownArm
        HexFormat.of().formatHex(Wire.REWARD.encode(reward)));
  }

  @Test
  void aConfirmationHasNoReward() {
    var shown = WireReward.shown("d-1", "s", 1_000L, "a");
    assertNull(shown.reward());
    assertEquals(shown, Wire.REWARD.decode(Wire.REWARD.encode(shown)));
  }

  @Test
  void aRecordOfAnotherKindIsRefused() {
    byte[] reward = Wire.REWARD.encode(new RandomRecords(SEED).next(WireReward.class));
    var refusal = assertThrows(WireException.class, () -> Wire.CONTEXT.decode(reward));
    assertEquals(ErrorCode.UNKNOWN_SCHEMA, refusal.code());
    assertEquals("The record is a RewardEvent, but a ContextEvent is required", refusal.fact());
  }

  @Test
  void aRecordWithAnUnknownFingerprintIsRejected() {
    byte[] reward = Wire.REWARD.encode(new RandomRecords(SEED).next(WireReward.class));
    reward[Frame.HEADER_BYTES - 1] ^= 1;
    var refusal = assertThrows(WireException.class, () -> Wire.REWARD.decode(reward));
    assertEquals(ErrorCode.UNKNOWN_SCHEMA, refusal.code());
    assertEquals(
        "No known schema has the fingerprint " + Long.toHexString(Frame.fingerprint(reward)),
        refusal.fact());
  }

  static byte[] framed(Wire<?> wire, byte[] body) {
    var out = new ArrayEncoder();
    byte[] header = Frame.header(SchemaNormalization.parsingFingerprint64(wire.schema()));
    out.writeFixed(header, 0, header.length);
    out.writeFixed(body, 0, body.length);
    return out.toByteArray();
  }

  static byte[] body(byte[] framed) {
    return Arrays.copyOfRange(framed, Frame.HEADER_BYTES, framed.length);
  }

  private static WireContext context(Map<String, Object> attributes) {
    return new WireContext("d", "s", 0, attributes, null, null);
  }
}
