package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.verify.Tamper;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.Origin;
import io.equipoise.event.Place;
import io.equipoise.event.Propensities;
import io.equipoise.event.PropensityKind;
import io.equipoise.event.Source;
import io.equipoise.event.Versions;
import io.equipoise.event.Wire;
import io.equipoise.privacy.KeyRing;
import io.equipoise.privacy.Unredactor;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.MemorySize;
import org.junit.jupiter.api.Test;

/** What is held of earlier attempts' answers. */
class RecoveredDecisionBufferTest {
  private static final Unredactor PLAIN = new Unredactor(KeyRing.none());

  @Test
  void aCheckpointTakesTheBytesThatWereReadAndNoneOfThemTwice() {
    RecoveredDecisionBuffer book = new RecoveredDecisionBuffer(new MemorySize(10_000), PLAIN);
    byte[] first = add(book, 1);
    byte[] second = add(book, 2);
    List<byte[]> bytes = book.bytes();
    assertSame(first, bytes.get(0));
    assertSame(second, bytes.get(1));
    assertSame(bytes, book.bytes());
    Decision given = book.take(context(1));
    assertNotNull(given);
    assertEquals(decision(1), given);
    assertEquals(1, book.bytes().size());
    assertSame(second, book.bytes().get(0));
    assertNull(book.take(context(3)));
    assertTrue(book.bytes().isEmpty());
  }

  @Test
  void theNextOfASegmentIsTheEarliestThatItsStateLacks() {
    RecoveredDecisionBuffer book = new RecoveredDecisionBuffer(new MemorySize(10_000), PLAIN);
    for (int i = 1; i <= 4; i++) {
      add(book, i);
    }
    assertNull(book.next("other", id -> false));
    assertEquals(decision(1), book.next("s", id -> false));
    assertEquals(decision(3), book.next("s", Set.of("d1", "d2", "d4")::contains));
    assertEquals(4, book.size(), "the state has the ids of the first two, perhaps of others");
    assertNotNull(book.take(context(3)));
    assertEquals(1, book.size());
    assertEquals(decision(4), book.next("s", id -> false));
    assertNull(book.take(context(5)));
    assertNull(book.next("s", id -> false));
  }

  @Test
  void eachDecisionOfAnIdIsOfTheContextAtItsPlace() {
    RecoveredDecisionBuffer book = new RecoveredDecisionBuffer(new MemorySize(10_000), PLAIN);
    Decision second = Tamper.with(decision(1), "source.offset", 7L);
    second = Tamper.with(second, "arm", "right");
    add(book, 1);
    book.add(second, Wire.DECISION.encode(second));
    assertEquals(decision(1), book.take(contextOf("d1", 1, 3)), "a repetition in a partition");
    assertEquals(decision(1), book.take(contextOf("d1", 0, 1)));
    assertEquals(second, book.take(contextOf("d1", 0, 7)));
    assertNull(book.take(contextOf("d1", 0, 7)));
    assertEquals(0, book.size());
  }

  @Test
  void moreThanTheMemoryTakesIsRefusedWithTheOptionThatGivesMore() {
    RecoveredDecisionBuffer book = new RecoveredDecisionBuffer(new MemorySize(3_000), PLAIN);
    for (int i = 0; i < 1_000; i++) { // what was taken makes room
      add(book, i);
      assertNotNull(book.take(context(i)));
    }
    int answerBytes = Wire.DECISION.encode(decision(1_000)).length + 500;
    int fitting = 3_000 / answerBytes;
    for (int i = 0; i < fitting; i++) {
      add(book, 1_000 + i);
    }
    add(book, 1_000); // is there already
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> add(book, 1_000 + fitting));
    String told = String.valueOf(refused.getMessage());
    assertTrue(told.startsWith(fitting + 1 + " decisions of earlier writer epochs"), told);
    assertTrue(told.contains("equipoise.recovery.max-memory (3000 bytes)"), told);
    assertTrue(told.contains("from the same checkpoint"), told);
  }

  private static byte[] add(RecoveredDecisionBuffer book, int number) {
    byte[] framed = Wire.DECISION.encode(decision(number));
    book.add(decision(number), framed);
    return framed;
  }

  private static ContextEvent context(int number) {
    return contextOf("d" + number, 0, number);
  }

  private static ContextEvent contextOf(String id, int partition, int offset) {
    return new ContextEvent(
        id,
        "s",
        offset,
        Map.of(),
        null,
        null,
        new Origin("contexts", partition, offset, offset),
        new byte[0]);
  }

  private static Decision decision(int number) {
    return new Decision(
        "d" + number,
        new Place("s", 1, number),
        new Source("contexts", 0, number),
        number,
        new Versions("5e".repeat(16), 1L, null, null, "0d".repeat(16)),
        "ucb",
        "left",
        DecisionReason.EXPLOIT,
        null,
        false,
        null,
        List.of("left", "right"),
        new Propensities(PropensityKind.EXACT, List.of(0.5, 0.5), List.of(), null),
        null,
        List.of(1.0, 0.0),
        null,
        null,
        7,
        false,
        null);
  }
}
