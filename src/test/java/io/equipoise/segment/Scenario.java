package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.event.Account;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.segment.state.Ledgers;
import io.equipoise.segment.state.MemorySegmentState;
import io.equipoise.segment.state.SegmentHeader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One segment played event by event; times are seconds after an origin. */
public final class Scenario {
  public static final String SEGMENT = "segment-1";
  static final long ORIGIN_MILLIS = 1_700_000_000_000L;

  public final TestBook book = new TestBook();
  final TestBounds causalBounds = new TestBounds();
  public final MemorySegmentState state = new MemorySegmentState();
  public final RecordedLog log = new RecordedLog();
  private final SegmentMachine machine =
      new SegmentMachine(book, causalBounds, () -> ORIGIN_MILLIS, 0);
  private long offset;

  public static Scenario under(String spec) {
    Scenario scenario = new Scenario();
    scenario.book.publish(spec);
    return scenario;
  }

  public static long millis(double seconds) {
    return ORIGIN_MILLIS + Math.round(seconds * 1000);
  }

  public Scenario context(String id, double seconds) {
    return context(id, seconds, Map.of("S", "a", "X", "low"));
  }

  Scenario context(String id, double seconds, Map<String, Object> attributes) {
    return context(
        new ContextEvent(
            id,
            SEGMENT,
            millis(seconds),
            attributes,
            null,
            null,
            origin("contexts", seconds),
            bytes(id)));
  }

  public Scenario context(ContextEvent event) {
    machine.onContext(event, state, log);
    return this;
  }

  Scenario reward(String id, double seconds, double value) {
    return reward(id, null, seconds, value, Map.of());
  }

  Scenario reward(
      String id,
      @Nullable String rewardId,
      double seconds,
      double value,
      Map<String, Object> mediators) {
    return reward(
        new RewardEvent(
            id,
            rewardId,
            SEGMENT,
            millis(seconds),
            value,
            mediators,
            null,
            origin("rewards", seconds),
            bytes(id + rewardId + value)));
  }

  Scenario reward(RewardEvent event) {
    machine.onReward(event, state, log);
    return this;
  }

  /** Lets event time pass: every timer due fires, in order. */
  Scenario passTo(double seconds) {
    for (Long timer = state.pollTimer(millis(seconds));
        timer != null;
        timer = state.pollTimer(millis(seconds))) {
      machine.onTimer(timer, SEGMENT, state, log);
    }
    return this;
  }

  public Origin origin(String topic, double seconds) {
    return new Origin(topic, 0, offset++, millis(seconds));
  }

  Ledgers ledgers() {
    return head().ledgers;
  }

  public SegmentHeader head() {
    SegmentHeader head = state.headAlsoAtRest();
    if (head == null) {
      throw new AssertionError("the segment was never seen");
    }
    return head;
  }

  long count(Account account) {
    return ledgers().get(account);
  }

  List<SegmentEventType> segmentEventTypes() {
    return log.segmentEvents.stream().map(segmentEvent -> segmentEvent.type()).toList();
  }

  List<String> deadLetterMessages() {
    return log.deadLetters.stream().map(DeadLetter::message).toList();
  }

  List<String> deadLetterCodes() {
    return log.deadLetters.stream().map(DeadLetter::code).toList();
  }

  /** Asserts that nothing at all is remembered and no timer waits. */
  void assertNothingLeft() {
    assertEquals(0, state.entryCount(), "entries left");
    assertEquals(0, state.chunkCount(), "chunks left");
    assertEquals(0, state.timerCount(), "timers left");
    assertEquals(0, head().pending, "pending counted");
    assertEquals(0, head().early, "early counted");
    assertEquals(0, head().dedupEntries, "tombstones counted");
    assertEquals(0, head().pendingHigh, "pending digest");
    assertEquals(0, head().pendingLow, "pending digest");
  }

  /** Asserts the three ledgers against what was read, and the log against its replay. */
  void assertBalanced(long contextsRead, long rewardsRead) {
    assertEquals(contextsRead, ledgers().contextsRead(), ledgers().toString());
    assertEquals(count(Account.CONTEXT_DECIDED), ledgers().decisions(), ledgers().toString());
    assertEquals(rewardsRead, ledgers().rewardsRead(), ledgers().toString());
    log.replay(book, causalBounds, null);
  }

  static String code(ErrorCode code) {
    return code.name();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
