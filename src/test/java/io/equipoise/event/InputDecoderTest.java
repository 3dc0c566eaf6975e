package io.equipoise.event;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InputDecoderTest {
  private static final int MAX_BYTES = 4096;
  private static final long EARLIEST = InputDecoder.START_OF_TIME + 100;
  private static final long LATEST = EARLIEST + 1_000_000L;
  private static final long TIME = EARLIEST + 5;
  private static final Origin ORIGIN = new Origin("contexts", 3, 17, LATEST);
  private static final byte[] KEY = {'s'};

  private final InputDecoder decoder = new InputDecoder(MAX_BYTES);

  @Test
  void aContextIsReadWithItsOriginKeyAndBytes() {
    var arms = List.of(new CandidateArm("a", Map.of("price", 2.5)));
    byte[] value =
        Wire.CONTEXT.encode(new WireContext("d", "s", TIME, Map.of("age", 41L), arms, 9L));
    var expected =
        new ContextEvent("d", "s", TIME, Map.of("age", 41L), arms, 9L, ORIGIN, value, null, KEY);
    assertEquals(new Decoded.Good(expected), decode(LogTopic.CONTEXTS, value));
  }

  @Test
  void aRewardIsReadWithItsOriginKeyAndBytes() {
    byte[] value =
        Wire.REWARD.encode(new WireReward("d", "r", "s", TIME, 0.5, Map.of("m", true), "a"));
    var expected =
        new RewardEvent("d", "r", "s", TIME, 0.5, Map.of("m", true), "a", ORIGIN, value, null, KEY);
    assertEquals(new Decoded.Good(expected), decode(LogTopic.REWARDS, value));
  }

  @Test
  void nullIsATombstone() {
    DeadLetter letter = bad(decode(LogTopic.CONTEXTS, null));
    assertEquals("TOMBSTONE", letter.code());
    assertNull(letter.input().value());
  }

  @Test
  void noBytesAreEmpty() {
    assertRefused(ErrorCode.EMPTY, new byte[0]);
  }

  @Test
  void oneByteMoreThanAllowedIsOversized() {
    String pad = "x".repeat(MAX_BYTES);
    byte[] whole = Wire.CONTEXT.encode(context("d", "s", TIME, Map.of("pad", pad)));
    assertRefused(ErrorCode.OVERSIZED, Arrays.copyOf(whole, MAX_BYTES + 1));
    assertRefused(ErrorCode.MALFORMED, Arrays.copyOf(whole, MAX_BYTES));
  }

  @Test
  void jsonIsUnframed() {
    assertRefused(ErrorCode.UNFRAMED, "{\"decisionId\":\"d\"}".getBytes(StandardCharsets.UTF_8));
    assertRefused(ErrorCode.UNFRAMED, new byte[] {(byte) 0xC3, 1, 0});
  }

  @Test
  void anotherFingerprintIsAnUnknownSchema() {
    byte[] value = Wire.CONTEXT.encode(context("d", "s", TIME, Map.of()));
    value[2] ^= 1;
    assertRefused(ErrorCode.UNKNOWN_SCHEMA, value);
  }

  @Test
  void aRewardAmongContextsIsAnUnknownSchema() {
    assertRefused(ErrorCode.UNKNOWN_SCHEMA, Wire.REWARD.encode(reward(TIME, 0.5, Map.of())));
  }

  @Test
  void trailingBytesAreMalformed() {
    byte[] value = Wire.CONTEXT.encode(context("d", "s", TIME, Map.of()));
    DeadLetter letter = assertRefused(ErrorCode.MALFORMED, Arrays.copyOf(value, value.length + 1));
    assertEquals(
        "1 bytes after the end of the record, at byte "
            + value.length
            + ". "
            + ErrorCode.MALFORMED.remedy(),
        letter.message());
  }

  @Test
  void anIdMayHave128BytesAndNoMore() {
    String longest = "é".repeat(64);
    assertNull(good(decode(context(longest, longest, TIME, Map.of()))).fault());
    DeadLetter letter = bad(decode(context(longest + "x", "s", TIME, Map.of())));
    assertEquals("INVALID_ID", letter.code());
    assertEquals("s", letter.segment());
    assertNull(letter.input().decisionId());
    assertEquals("INVALID_ID", bad(decode(context("d", longest + "x", TIME, Map.of()))).code());
  }

  /** An id that is printed must not end its line, hide what follows or turn its direction. */
  @ParameterizedTest
  @ValueSource(
      strings = {"\u001b[1A", "a\nb", "\r", "\u0085", "\u009b2K", "\u202e", "\u2066", "\u2028"})
  void anIdWithAControlCharacterIsBad(String id) {
    DeadLetter letter = bad(decode(context(id, "s", 0, Map.of())));
    assertEquals("INVALID_ID", letter.code());
    assertNull(letter.input().decisionId());
    assertEquals("INVALID_ID", bad(decode(context("d", id, 0, Map.of()))).code());
  }

  @Test
  void anEmptyIdIsBad() {
    assertEquals("INVALID_ID", bad(decode(context("", "s", TIME, Map.of()))).code());
    DeadLetter letter = bad(decode(context("d", "", TIME, Map.of())));
    assertEquals("d", letter.input().decisionId());
    assertNull(letter.segment());
  }

  @Test
  void theArmShownMayHave256CharactersAndNoMore() {
    String longest = "é".repeat(256);
    assertEquals("INVALID_ID", bad(decode(shown(longest + "x"))).code());
    assertEquals("INVALID_ID", bad(decode(shown(""))).code());
    assertNull(good(decode(shown(longest))).fault());
  }

  private static WireReward shown(String arm) {
    return new WireReward("d", null, "s", TIME, 0.5, Map.of(), arm);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void aNumberThatIsNotFiniteIsAFaultWhereverItStands(double number) {
    Map<String, Object> attributes = Map.of("income", number);
    var inArm =
        new WireContext("d", "s", TIME, Map.of(), List.of(new CandidateArm("a", attributes)), null);
    assertFault(ErrorCode.NOT_FINITE, decode(context("d", "s", TIME, attributes)));
    assertFault(ErrorCode.NOT_FINITE, decode(inArm));
    assertFault(ErrorCode.NOT_FINITE, decode(reward(TIME, number, Map.of())));
    assertFault(ErrorCode.NOT_FINITE, decode(reward(TIME, 0.5, attributes)));
  }

  /** One attribute of a short name is 5 bytes of a request, and 8 of its answer. */
  @Test
  void candidatesThatNoAnswerCouldListAreAFault() {
    Decoded tooMany = decode(candidates(150, "x")); // 150 x (3 + 13 + 8) bytes
    assertFault(ErrorCode.CANDIDATES_INVALID, tooMany);
    InputFault fault = good(tooMany).fault();
    assertEquals(
        "A decision among the 150 candidates takes 3600 bytes; at most 3584 are allowed",
        fault.message());
    assertEquals(MAX_BYTES, fault.limitBytes());
    assertNull(good(decode(candidates(149, "x"))).fault());
    assertNull(good(decode(candidates(112, 2L))).fault()); // a number is told with its level
    assertFault(ErrorCode.CANDIDATES_INVALID, decode(candidates(113, 2L)));
  }

  private static WireContext candidates(int count, Object value) {
    var arms = new ArrayList<CandidateArm>();
    for (int i = 0; i < count; i++) {
      arms.add(new CandidateArm("%03d".formatted(i), Map.of("A", value)));
    }
    return new WireContext("d", "s", TIME, Map.of(), arms, null);
  }

  @Test
  void aTimeBeyondTheLatestAllowedIsFuture() {
    assertNull(good(decode(context("d", "s", LATEST, Map.of()))).fault());
    assertFault(ErrorCode.EVENT_TIME_IN_FUTURE, decode(context("d", "s", LATEST + 1, Map.of())));
    assertFault(ErrorCode.EVENT_TIME_IN_FUTURE, decode(reward(LATEST + 1, 0.5, Map.of())));
  }

  @Test
  void aTimeBeyondTheYear9999IsFutureWhateverIsAllowed() {
    byte[] value = Wire.CONTEXT.encode(context("d", "s", Long.MAX_VALUE, Map.of()));
    assertFault(
        ErrorCode.EVENT_TIME_IN_FUTURE,
        decoder.decode(LogTopic.CONTEXTS, KEY, value, ORIGIN, Long.MAX_VALUE));
  }

  @Test
  void aTimeBeforeTheEarliestAllowedIsTooOld() {
    assertNull(good(decode(context("d", "s", EARLIEST, Map.of()))).fault());
    assertFault(ErrorCode.EVENT_TIME_TOO_OLD, decode(context("d", "s", EARLIEST - 1, Map.of())));
    assertFault(ErrorCode.EVENT_TIME_TOO_OLD, decode(reward(EARLIEST - 1, 0.5, Map.of())));
  }

  @Test
  void aTimeThatIsRefusedIsShownAsPeopleReadItToo() {
    long old = EARLIEST - 1;
    InputFault fault = good(decode(context("d", "s", old, Map.of()))).fault();
    assertEquals(
        "The event time is %d (%s); at least %d (%s) is allowed"
            .formatted(old, Instant.ofEpochMilli(old), EARLIEST, Instant.ofEpochMilli(EARLIEST)),
        fault.message());
    assertFault(
        ErrorCode.EVENT_TIME_IN_FUTURE, decode(context("d", "s", Long.MAX_VALUE, Map.of())));
  }

  @Test
  void theFactOfADeadLetterLeavesTheRemedyOut() {
    Decoded.Bad bad = (Decoded.Bad) decode(context("", "s", TIME, Map.of()));
    assertTrue(bad.letter().message().endsWith(". " + ErrorCode.INVALID_ID.remedy()));
    assertEquals(
        "The decision id is empty, has more than 128 bytes or a control character",
        bad.letter().fact());
  }

  @Test
  void aTimeInSecondsIsRefusedWithAHint() {
    InputFault fault =
        Objects.requireNonNull(
            ((Decoded.Good) decode(context("d", "s", 1_764_100_000L, Map.of()))).input().fault());
    assertEquals(ErrorCode.TIME_OUT_OF_RANGE, fault.code());
    assertEquals(
        "The event time is 1764100000, which is 2025-11-25T19:46:40Z in seconds; multiply it by"
            + " 1000",
        fault.message());
    InputFault negative =
        Objects.requireNonNull(
            ((Decoded.Good) decode(context("d", "s", -1, Map.of()))).input().fault());
    assertEquals("The event time is -1", negative.message());
  }

  @Test
  void aTimeBefore2000IsOutOfRange() {
    long year2000 = 946_684_800_000L;
    byte[] value = Wire.CONTEXT.encode(context("d", "s", year2000, Map.of()));
    assertNull(good(decoder.decode(LogTopic.CONTEXTS, KEY, value, ORIGIN, LATEST)).fault());
    assertFault(ErrorCode.TIME_OUT_OF_RANGE, decode(context("d", "s", year2000 - 1, Map.of())));
    assertFault(ErrorCode.TIME_OUT_OF_RANGE, decode(context("d", "s", -1, Map.of())));
    assertFault(ErrorCode.TIME_OUT_OF_RANGE, decode(reward(Long.MIN_VALUE, 0.5, Map.of())));
  }

  @Test
  void messagesAndPrintsHoldNoValues() {
    var attributes = Map.<String, Object>of("city", "Secretville", "income", Double.NaN);
    Input input = good(decode(context("private-id", "s", TIME, attributes)));
    InputFault fault = input.fault();
    assertEquals("The attribute income is not finite", fault.message());
    assertEquals(List.of("income"), fault.variables());
    String printed = input + DeadLetter.of(fault, input).toString();
    assertFalse(printed.contains("Secretville") || printed.contains("private-id"), printed);
  }

  @Test
  void theDeadLetterOfAnInputHasAllThatCame() {
    Input input = good(decode(context("d", "s", TIME, Map.of())));
    DeadLetter letter = DeadLetter.of(new InputFault(ErrorCode.UNKNOWN_SEGMENT, "No spec"), input);
    var expected =
        new DeadLetter(
            "UNKNOWN_SEGMENT",
            "No spec. " + ErrorCode.UNKNOWN_SEGMENT.remedy(),
            List.of(),
            null,
            false,
            new RejectedInput(
                new Source("contexts", 3, 17), LATEST, "s", "d", KEY, input.raw(), null),
            null,
            null);
    assertEquals(expected, letter);
    assertEquals(expected, Wire.DEAD_LETTER.decode(Wire.DEAD_LETTER.encode(letter)));
  }

  @Test
  void anOriginWithoutATimestampHasNone() {
    var origin = new Origin("contexts", 0, 1, Origin.NO_APPEND_TIME);
    var decoded = decoder.decode(LogTopic.CONTEXTS, null, new byte[0], origin, LATEST);
    assertNull(bad(decoded).input().appendTime());
    assertNull(bad(decoded).input().key());
  }

  private DeadLetter assertRefused(ErrorCode code, byte[] value) {
    DeadLetter letter = bad(decode(LogTopic.CONTEXTS, value));
    assertEquals(code.name(), letter.code());
    assertArrayEquals(value, letter.input().value());
    assertArrayEquals(KEY, letter.input().key());
    assertEquals(17, letter.source().offset());
    return letter;
  }

  private static void assertFault(ErrorCode fault, Decoded decoded) {
    Input input = good(decoded);
    assertEquals(fault, input.fault().code());
    assertEquals("d", input.decisionId());
  }

  private Decoded decode(WireContext context) {
    return decode(LogTopic.CONTEXTS, Wire.CONTEXT.encode(context));
  }

  private Decoded decode(WireReward reward) {
    return decode(LogTopic.REWARDS, Wire.REWARD.encode(reward));
  }

  private Decoded decode(LogTopic kind, byte @Nullable [] value) {
    return decoder.decode(kind, KEY, value, ORIGIN, EARLIEST, LATEST);
  }

  private static Input good(Decoded decoded) {
    return assertInstanceOf(Decoded.Good.class, decoded).input();
  }

  private static DeadLetter bad(Decoded decoded) {
    return assertInstanceOf(Decoded.Bad.class, decoded).letter();
  }

  private static WireContext context(
      String id, String segment, long time, Map<String, Object> attributes) {
    return new WireContext(id, segment, time, attributes, null, null);
  }

  private static WireReward reward(long time, double reward, Map<String, Object> mediators) {
    return new WireReward("d", null, "s", time, reward, mediators, null);
  }
}
