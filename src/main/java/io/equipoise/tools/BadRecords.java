package io.equipoise.tools;

import io.equipoise.event.ErrorCode;
import io.equipoise.event.LogTopic;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Creates invalid records as a careless or hostile producer might send them, each with the expected
 * error code. Contexts with readable ids must still be decided.
 */
public record BadRecords(String segment, Map<String, Object> person) {
  private static final String UNKNOWN_SEGMENT = "email-nobody";

  private static final long YEAR_9999 = Instant.parse("9999-12-31T23:59:59Z").toEpochMilli();
  private static final byte[] NO_AVRO =
      "{\"decision_id\": \"JSON is not the format of this topic\"}"
          .getBytes(StandardCharsets.UTF_8);
  private static final byte[] NO_BYTES = new byte[0];

  public BadRecords {
    person = Map.copyOf(person);
  }

  /** Returns one record of every kind; ids end with the round. */
  public List<TestRecord> all(long round, long time) {
    return List.of(
        TestRecord.undecodable(LogTopic.CONTEXTS, NO_AVRO, ErrorCode.UNFRAMED),
        TestRecord.undecodable(LogTopic.CONTEXTS, cut(context(round, time)), ErrorCode.MALFORMED),
        TestRecord.undecodable(LogTopic.CONTEXTS, NO_BYTES, ErrorCode.EMPTY),
        TestRecord.undecodable(LogTopic.CONTEXTS, null, ErrorCode.TOMBSTONE),
        TestRecord.undecodable(LogTopic.CONTEXTS, reward(round, time, 1), ErrorCode.UNKNOWN_SCHEMA),
        TestRecord.undecodable(
            LogTopic.CONTEXTS,
            TestRecord.contextBytes("", segment, time, person),
            ErrorCode.INVALID_ID),
        answered("not-finite", round, time, with("X2", Double.NaN), ErrorCode.NOT_FINITE),
        answered("no-such-level", round, time, with("X2", "9-12"), ErrorCode.UNKNOWN_LEVEL),
        answered("no-age", round, time, without("X2"), ErrorCode.MISSING_VARIABLE),
        answered("year-9999", round, YEAR_9999, person, ErrorCode.EVENT_TIME_IN_FUTURE),
        contextWithoutSpec("stranger-" + round, time),
        TestRecord.undecodable(LogTopic.REWARDS, NO_AVRO, ErrorCode.UNFRAMED),
        TestRecord.undecodable(LogTopic.REWARDS, cut(reward(round, time, 1)), ErrorCode.MALFORMED),
        TestRecord.undecodable(LogTopic.REWARDS, NO_BYTES, ErrorCode.EMPTY),
        TestRecord.undecodable(LogTopic.REWARDS, null, ErrorCode.TOMBSTONE),
        TestRecord.reward(segment, reward(round, time, Double.NaN), ErrorCode.NOT_FINITE),
        TestRecord.reward(segment, reward(round, YEAR_9999, 1), ErrorCode.EVENT_TIME_IN_FUTURE),
        TestRecord.reward(segment, reward(round, time, 1), ErrorCode.ORPHAN),
        rewardWithoutSpec("stranger-" + round, time));
  }

  /** Returns a valid context of a segment without a spec. It moves event time. */
  public TestRecord contextWithoutSpec(String id, long time) {
    byte[] value = TestRecord.contextBytes(id, UNKNOWN_SEGMENT, time, person);
    return TestRecord.context(UNKNOWN_SEGMENT, id, value, ErrorCode.UNKNOWN_SEGMENT);
  }

  /** Returns a valid reward of a segment without a spec. It moves event time. */
  public TestRecord rewardWithoutSpec(String id, long time) {
    byte[] value = TestRecord.rewardBytes(id, UNKNOWN_SEGMENT, time, 1, Map.of());
    return TestRecord.reward(UNKNOWN_SEGMENT, value, ErrorCode.UNKNOWN_SEGMENT);
  }

  private TestRecord answered(
      String what, long round, long time, Map<String, Object> attributes, ErrorCode code) {
    String id = what + "-" + round;
    return TestRecord.context(
        segment, id, TestRecord.contextBytes(id, segment, time, attributes), code);
  }

  private byte[] context(long round, long time) {
    return TestRecord.contextBytes("cut-" + round, segment, time, person);
  }

  /** A reward whose context was never sent. */
  private byte[] reward(long round, long time, double value) {
    return TestRecord.rewardBytes("nobody-" + round, segment, time, value, Map.of());
  }

  private static byte[] cut(byte[] whole) {
    return Arrays.copyOf(whole, whole.length - 5);
  }

  private Map<String, Object> with(String name, Object value) {
    Map<String, Object> changed = new HashMap<>(person);
    changed.put(name, value);
    return changed;
  }

  private Map<String, Object> without(String name) {
    Map<String, Object> changed = new HashMap<>(person);
    changed.remove(name);
    return changed;
  }
}
