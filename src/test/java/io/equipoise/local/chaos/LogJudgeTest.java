package io.equipoise.local.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionWhy;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Origin;
import io.equipoise.event.Outcome;
import io.equipoise.event.OutcomeKind;
import io.equipoise.event.PropensityKind;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireReward;
import io.equipoise.job.JobConfig;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A sound log is found sound, and one that was tampered with is not, in each way. */
class LogJudgeTest {
  private static final String SEGMENT = "shop";
  private static final long NOW = 1_800_000_000_000L;

  private final Map<String, List<byte[]>> topics = new HashMap<>();
  private final JobConfig config =
      JobConfig.from(
          Configuration.fromMap(
              Map.of("equipoise.deployment", "t", "kafka.bootstrap.servers", "localhost:1")));

  /** Two contexts, one of them twice, a bad one; a reward, twice; what the job makes of it. */
  @BeforeEach
  void soundLog() {
    put("contexts", context("a"), context("b"), context("a"), bytes("no Avro"));
    put("rewards", reward("a", 1), reward("a", 1));
    put("decisions", decision("a", 2), decision("b", 3));
    put(
        "outcomes",
        outcome(OutcomeKind.SPEC_ADOPTED, 1, null),
        outcome(OutcomeKind.APPLIED, 4, 0L));
    put(
        "dead-letter",
        letter(ErrorCode.DUPLICATE_CONTEXT, "contexts", 2),
        letter(ErrorCode.UNFRAMED, "contexts", 3),
        letter(ErrorCode.DUPLICATE, "rewards", 1));
  }

  @Test
  void aSoundLogHasNoViolation() {
    assertEquals(new Judgement(List.of(), 2, 2, 1), judge());
  }

  @Test
  void anUnansweredContextIsNamed() {
    put("decisions", decision("a", 2));
    put(
        "outcomes",
        outcome(OutcomeKind.SPEC_ADOPTED, 1, null),
        outcome(OutcomeKind.APPLIED, 3, 0L));
    assertViolations("I1: shop/b has 0 decisions");
  }

  @Test
  void aContextAnsweredTwiceIsNamed() {
    put("decisions", decision("a", 2), decision("b", 3), decision("b", 5));
    assertViolations("I1: shop/b has 2 decisions");
  }

  @Test
  void aDecisionThatNobodyAskedForIsNamed() {
    put("decisions", decision("a", 2), decision("b", 3), decision("c", 5));
    assertViolations("I1: shop/c was decided and never asked");
  }

  @Test
  void aRewardThatVanishedIsNamed() {
    put("outcomes", outcome(OutcomeKind.SPEC_ADOPTED, 1, null));
    assertViolations("I2: the reward at t.rewards-0@0 is used 0 times and refused 0 times");
  }

  @Test
  void aRewardThatIsAppliedTwiceIsNamed() {
    put(
        "outcomes",
        outcome(OutcomeKind.SPEC_ADOPTED, 1, null),
        outcome(OutcomeKind.APPLIED, 4, 0L),
        outcome(OutcomeKind.APPLIED, 5, 0L));
    assertViolations("I2: the reward at t.rewards-0@0 is used 2 times and refused 0 times");
  }

  @Test
  void aGapIsNamedByItsFirstNumber() {
    put("decisions", decision("a", 2), decision("b", 6));
    assertViolations("I4: seq 3 of shop/0 is missing (2 numbers are, up to 6)");
  }

  @Test
  void aNumberGivenTwiceIsNamed() {
    put(
        "outcomes",
        outcome(OutcomeKind.SPEC_ADOPTED, 1, null),
        outcome(OutcomeKind.APPLIED, 3, 0L));
    assertViolations("I4: seq 3 of shop/0 is given again on t.outcomes");
  }

  @Test
  void numbersOutOfOrderAreNamed() {
    put("decisions", decision("b", 3), decision("a", 2));
    assertViolations("I4: seq 2 of shop/0 follows 3 on t.decisions-0");
  }

  @Test
  void aDeadLetterThatIsMissingOrDoubledIsNamed() {
    put(
        "dead-letter",
        letter(ErrorCode.UNFRAMED, "contexts", 3),
        letter(ErrorCode.UNFRAMED, "contexts", 3),
        letter(ErrorCode.DUPLICATE, "rewards", 1));
    assertViolations(
        "I7: the context at t.contexts-0@2 has 0 dead letters",
        "I7: the bad record at t.contexts-0@3 has 2 dead letters");
  }

  private void assertViolations(String... violations) {
    assertEquals(List.of(violations), judge().violations());
  }

  private Judgement judge() {
    return new LogJudge(
            (unused, topic, to) -> {
              List<byte[]> values = topics.getOrDefault(topic, List.of());
              for (int offset = 0; offset < values.size(); offset++) {
                to.accept(record(topic, offset, values.get(offset)));
              }
            })
        .judge(config);
  }

  private static ConsumerRecord<byte[], byte[]> record(String topic, long offset, byte[] value) {
    return new ConsumerRecord<>(
        topic,
        0,
        offset,
        NOW,
        TimestampType.LOG_APPEND_TIME,
        0,
        value.length,
        bytes(SEGMENT),
        value,
        new RecordHeaders(),
        Optional.empty());
  }

  private void put(String topic, byte[]... values) {
    topics.put("t." + topic, new ArrayList<>(List.of(values)));
  }

  private static byte[] context(String id) {
    return Wire.CONTEXT.encode(new WireContext(id, SEGMENT, NOW, Map.of(), null, null));
  }

  private static byte[] reward(String id, double value) {
    return Wire.REWARD.encode(new WireReward(id, null, SEGMENT, NOW, value, Map.of(), null));
  }

  private static byte[] decision(String id, long seq) {
    return Wire.DECISION.encode(
        new Decision(
            id,
            SEGMENT,
            0,
            0,
            seq,
            "arm",
            List.of("arm"),
            List.of(1.0),
            PropensityKind.EXACT,
            null,
            null,
            null,
            "ucb",
            null,
            null,
            null,
            null,
            null,
            NOW,
            "t.contexts",
            0,
            0,
            null,
            null,
            DecisionWhy.EXPLOIT,
            false,
            null,
            null,
            null,
            null));
  }

  private static byte[] outcome(OutcomeKind kind, long seq, Long rewardOffset) {
    return Wire.OUTCOME.encode(
        new Outcome(
            kind,
            SEGMENT,
            0,
            0,
            seq,
            rewardOffset == null ? null : "a",
            null,
            null,
            null,
            NOW,
            null,
            null,
            null,
            null,
            Map.of(),
            null,
            true,
            null,
            null,
            null,
            null,
            null,
            null,
            List.of(),
            null,
            rewardOffset == null ? null : "t.rewards",
            rewardOffset == null ? null : 0,
            rewardOffset));
  }

  private static byte[] letter(ErrorCode code, String topic, long offset) {
    return Wire.DEAD_LETTER.encode(
        DeadLetter.undecodable(
            code, "As it is", new Origin("t." + topic, 0, offset, NOW), null, bytes("x")));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
