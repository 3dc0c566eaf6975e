package io.equipoise.job;

import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Place;
import io.equipoise.event.Propensities;
import io.equipoise.event.Source;
import io.equipoise.event.Versions;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireReward;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A record that cannot be used.
 *
 * @param code what the dead letter must say
 * @param answer errorCode of the decision that must answer it, null where none can
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares pills
record PoisonRecord(
    boolean isContext,
    String key,
    byte @Nullable [] value,
    ErrorCode code,
    @Nullable String decisionId,
    @Nullable ErrorCode answer) {

  static final String SEGMENT = "covered";
  static final String UNKNOWN_SEGMENT = "nowhere";

  private static final Map<String, Object> PERSON = Map.of("S", "a", "X", "low");
  private static final long YEAR_9999 = Instant.parse("9999-06-01T00:00:00Z").toEpochMilli();
  private static final int FRAME_BYTES = 10;
  private static final int MEBIBYTE = 1 << 20;
  private static final long SEED = 20_260_101L;

  /** What anybody may find on either topic. */
  private static List<PoisonRecord> undecodable(boolean isContext, long now) {
    List<PoisonRecord> pills = new ArrayList<>();
    Random random = new Random(SEED);
    for (int length : new int[] {1, 9, 10, 200}) {
      byte[] noise = new byte[length];
      random.nextBytes(noise);
      pills.add(lost(isContext, noise, ErrorCode.UNFRAMED));
    }
    byte[] whole =
        isContext ? context("cut", SEGMENT, now, PERSON) : reward("cut", SEGMENT, now, 0.5);
    for (int length : new int[] {1, FRAME_BYTES - 1, FRAME_BYTES, 12, 20, whole.length - 1}) {
      ErrorCode code = length < FRAME_BYTES ? ErrorCode.UNFRAMED : ErrorCode.MALFORMED;
      pills.add(lost(isContext, Arrays.copyOf(whole, length), code));
    }
    byte[] other =
        isContext ? reward("other", SEGMENT, now, 0.5) : context("other", SEGMENT, now, PERSON);
    String huge = "i".repeat(1_000_000);
    byte[] mebibyte = new byte[MEBIBYTE];
    pills.add(lost(isContext, new byte[0], ErrorCode.EMPTY));
    pills.add(lost(isContext, null, ErrorCode.TOMBSTONE));
    pills.add(lost(isContext, other, ErrorCode.UNKNOWN_SCHEMA));
    pills.add(lost(isContext, Wire.DECISION.encode(decision(now)), ErrorCode.UNKNOWN_SCHEMA));
    pills.add(
        lost(
            isContext,
            isContext ? context(huge, SEGMENT, now, PERSON) : reward(huge, SEGMENT, now, 0.5),
            ErrorCode.INVALID_ID));
    pills.add(lost(isContext, mebibyte, ErrorCode.UNFRAMED));
    pills.add(lost(isContext, Arrays.copyOf(mebibyte, MEBIBYTE + 1), ErrorCode.OVERSIZED));
    if (!isContext) {
      byte[] shown = reward("good6", SEGMENT, now, 0.5, Map.of(), "A".repeat(600_000));
      pills.add(lost(false, shown, ErrorCode.INVALID_ID));
    }
    pills.add(
        new PoisonRecord(
            isContext, "k".repeat(700_000), new byte[300_000], ErrorCode.UNFRAMED, null, null));
    return pills;
  }

  static List<PoisonRecord> contexts(long now) {
    List<PoisonRecord> pills = undecodable(true, now);
    Map<String, Object> notNumber = Map.of("S", "a", "X", Double.NaN);
    Map<String, Object> endless = Map.of("S", "a", "X", "low", "Z", Double.POSITIVE_INFINITY);
    Map<String, Object> below = Map.of("S", Double.NEGATIVE_INFINITY, "X", "low");
    pills.add(answered("nan", SEGMENT, now, notNumber, ErrorCode.NOT_FINITE));
    pills.add(answered("infinite", SEGMENT, now, endless, ErrorCode.NOT_FINITE));
    pills.add(answered("below", SEGMENT, now, below, ErrorCode.NOT_FINITE));
    pills.add(
        answered("level", SEGMENT, now, Map.of("S", "a", "X", "mid"), ErrorCode.UNKNOWN_LEVEL));
    pills.add(answered("missing", SEGMENT, now, Map.of("S", "a"), ErrorCode.MISSING_VARIABLE));
    pills.add(answered("lost", UNKNOWN_SEGMENT, now, PERSON, ErrorCode.UNKNOWN_SEGMENT));
    pills.add(answered("9999", SEGMENT, YEAR_9999, PERSON, ErrorCode.EVENT_TIME_IN_FUTURE));
    pills.add(answered("end", SEGMENT, Long.MAX_VALUE, PERSON, ErrorCode.EVENT_TIME_IN_FUTURE));
    pills.add(
        answered("tomorrow", SEGMENT, now + 86_400_000L, PERSON, ErrorCode.EVENT_TIME_IN_FUTURE));
    long seconds = now / 1_000;
    pills.add(answered("seconds", SEGMENT, seconds, PERSON, ErrorCode.TIME_OUT_OF_RANGE));
    long older = now - 3_651 * 86_400_000L;
    pills.add(answered("old", SEGMENT, older, PERSON, ErrorCode.EVENT_TIME_TOO_OLD));
    pills.add(answered("negative", SEGMENT, -1, PERSON, ErrorCode.TIME_OUT_OF_RANGE));
    pills.add(answered("start", SEGMENT, Long.MIN_VALUE, PERSON, ErrorCode.TIME_OUT_OF_RANGE));
    byte[] again = context("good0", SEGMENT, now, PERSON);
    byte[] changed = context("good0", SEGMENT, now, Map.of("S", "b", "X", "low"));
    pills.add(new PoisonRecord(true, SEGMENT, again, ErrorCode.DUPLICATE_CONTEXT, null, null));
    pills.add(new PoisonRecord(true, SEGMENT, changed, ErrorCode.CONFLICTING_CONTEXT, null, null));
    return pills;
  }

  /** The decisions {@code good0} to {@code good9} exist; the first four await rewards. */
  static List<PoisonRecord> rewards(long now) {
    List<PoisonRecord> pills = undecodable(false, now);
    pills.add(refused(reward("x", SEGMENT, now, Double.NaN), ErrorCode.NOT_FINITE));
    pills.add(refused(reward("x", SEGMENT, now, Double.NEGATIVE_INFINITY), ErrorCode.NOT_FINITE));
    pills.add(
        refused(reward("x", SEGMENT, now, 0, Map.of("M", Double.NaN), null), ErrorCode.NOT_FINITE));
    pills.add(refused(reward("x", SEGMENT, YEAR_9999, 0.5), ErrorCode.EVENT_TIME_IN_FUTURE));
    pills.add(refused(reward("x", SEGMENT, Long.MAX_VALUE, 0.5), ErrorCode.EVENT_TIME_IN_FUTURE));
    pills.add(refused(reward("x", SEGMENT, Long.MIN_VALUE, 0.5), ErrorCode.TIME_OUT_OF_RANGE));
    pills.add(refused(reward("lost", UNKNOWN_SEGMENT, now, 0.5), ErrorCode.UNKNOWN_SEGMENT));
    pills.add(refused(reward("good1", SEGMENT, now, 1.5), ErrorCode.REWARD_OUT_OF_RANGE));
    pills.add(refused(reward("good2", SEGMENT, now, 0.5, Map.of(), "A=up"), ErrorCode.UNKNOWN_ARM));
    pills.add(
        refused(
            reward("good3", SEGMENT, now, 0.5, Map.of("M", "2"), null), ErrorCode.UNKNOWN_LEVEL));
    pills.add(refused(reward("good4", SEGMENT, now + 61_000, 0.5), ErrorCode.LATE_REWARD));
    pills.add(refused(reward("level", SEGMENT, now, 0.5), ErrorCode.DECISION_NOT_LEARNABLE));
    pills.add(refused(reward("good5", SEGMENT, now, 0.5), ErrorCode.DUPLICATE_REWARD));
    pills.add(refused(reward("good5", SEGMENT, now, 0.25), ErrorCode.CONFLICTING_REWARD));
    return pills;
  }

  static byte[] context(String id, String segment, long time, Map<String, Object> attributes) {
    return Wire.CONTEXT.encode(new WireContext(id, segment, time, attributes, null, null));
  }

  static byte[] reward(String id, String segment, long time, double value) {
    return reward(id, segment, time, value, Map.of(), null);
  }

  private static byte[] reward(
      String id,
      String segment,
      long time,
      double value,
      Map<String, Object> mediators,
      @Nullable String shownArm) {
    return Wire.REWARD.encode(new WireReward(id, null, segment, time, value, mediators, shownArm));
  }

  private static PoisonRecord lost(boolean isContext, byte @Nullable [] value, ErrorCode code) {
    return new PoisonRecord(isContext, SEGMENT, value, code, null, null);
  }

  private static PoisonRecord refused(byte[] value, ErrorCode code) {
    return new PoisonRecord(false, SEGMENT, value, code, null, null);
  }

  private static PoisonRecord answered(
      String id, String segment, long time, Map<String, Object> attributes, ErrorCode code) {
    return new PoisonRecord(true, segment, context(id, segment, time, attributes), code, id, code);
  }

  byte[] keyBytes() {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  /** A record of an output topic, on the wrong one. */
  private static Decision decision(long now) {
    return new Decision(
        "d",
        new Place(SEGMENT, 0, 1),
        new Source("contexts", 0, 0),
        now,
        Versions.NONE,
        "ucb",
        null,
        DecisionReason.REJECTED,
        null,
        false,
        null,
        List.of(),
        Propensities.SURE,
        null,
        null,
        null,
        null,
        Decision.NO_KEY_GROUP,
        false,
        null);
  }
}
