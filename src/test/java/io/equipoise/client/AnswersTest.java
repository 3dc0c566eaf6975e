package io.equipoise.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.event.AttemptMarker;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionWhy;
import io.equipoise.event.PropensityKind;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class AnswersTest {
  private final List<String> shown = new ArrayList<>();
  private Answers answers = new Answers();
  private long offset;

  @Test
  void theFirstValidRecordIsTheAnswerAndComesOnce() {
    marker(1, 0, 7);
    decision("d1", 3, 1, "left");
    decision("d2", 3, 1, "right");
    marker(2, 0, 7);
    decision("d1", 3, 2, "left");
    decision("d3", 3, 2, "left");
    assertEquals(List.of("d1=left", "d2=right", "d3=left"), shown);
    assertEquals(1, answers.repeated());
    assertEquals(0, answers.voided());
  }

  @Test
  void whatAnAttemptThatIsOverAppendsIsNoAnswer() {
    marker(1, 0, 7);
    marker(2, 0, 3);
    decision("d1", 3, 1, "left"); // of a key group that the second attempt covers
    decision("d2", 4, 1, "left"); // of one that it leaves alone
    decision("d1", 3, 2, "right");
    assertEquals(List.of("d2=left", "d1=right"), shown);
    assertEquals(1, answers.voided());
  }

  @Test
  void aReaderWhoComesLateLearnsFromRecordsWhatTheMarkersWouldHaveToldHim() {
    decision("d1", 3, 2, "right");
    decision("d1", 3, 1, "left");
    decision("d2", 3, 1, "left");
    assertEquals(List.of("d1=right"), shown);
    assertEquals(2, answers.voided());
  }

  @Test
  void whereDeliveryIsExactlyOnceEveryRecordIsAnAnswer() {
    decision("d1", Decision.NO_KEY_GROUP, 0, "left");
    decision("d2", Decision.NO_KEY_GROUP, 0, "right");
    assertEquals(List.of("d1=left", "d2=right"), shown);
    marker(1, 0, 7); // from now on delivery is at-least-once
    decision("d1", 3, 1, "left");
    decision("d3", Decision.NO_KEY_GROUP, 0, "left");
    assertEquals(List.of("d1=left", "d2=right"), shown);
  }

  @Test
  void oneIdInTwoSegmentsIsTwoDecisions() {
    answers.on(record(decisionOf("s1", "1d", 0, 1, "left"))).ifPresent(this::show);
    answers.on(record(decisionOf("s", "11d", 0, 1, "right"))).ifPresent(this::show);
    answers.on(record(decisionOf("s", "1d", 0, 1, "right"))).ifPresent(this::show);
    assertEquals(List.of("1d=left", "11d=right", "1d=right"), shown);
  }

  @Test
  void beyondTheWindowARepetitionComesAgain() {
    answers = new Answers(2);
    decision("d1", 0, 1, "left");
    decision("d2", 0, 1, "left");
    decision("d1", 0, 1, "left");
    decision("d3", 0, 1, "left");
    decision("d1", 0, 1, "left");
    assertEquals(List.of("d1=left", "d2=left", "d3=left", "d1=left"), shown);
    assertThrows(IllegalArgumentException.class, () -> new Answers(0));
  }

  @Test
  void whatIsNeitherDecisionNorMarkerIsRefused() {
    assertThrows(WireException.class, () -> answers.on(record(new byte[] {1, 2, 3})));
    assertThrows(WireException.class, () -> answers.on(record(null)));
    byte[] backwards = Wire.ATTEMPT.encode(new AttemptMarker(1, 5, 4));
    assertThrows(WireException.class, () -> answers.on(record(backwards)));
    byte[] endless = Wire.ATTEMPT.encode(new AttemptMarker(1, 0, Integer.MAX_VALUE));
    assertThrows(WireException.class, () -> answers.on(record(endless)));
  }

  private void marker(int attempt, int first, int last) {
    answers
        .on(record(Wire.ATTEMPT.encode(new AttemptMarker(attempt, first, last))))
        .ifPresent(this::show);
  }

  private void decision(String id, int keyGroup, int attempt, String arm) {
    answers.on(record(decisionOf("s", id, keyGroup, attempt, arm))).ifPresent(this::show);
  }

  private void show(Decision decision) {
    shown.add(decision.decisionId() + "=" + decision.arm());
  }

  private ConsumerRecord<byte[], byte[]> record(byte[] value) {
    return new ConsumerRecord<>("decisions", 0, offset++, null, value);
  }

  private static byte[] decisionOf(
      String segment, String id, int keyGroup, int attempt, String arm) {
    return Wire.DECISION.encode(
        new Decision(
            id,
            segment,
            0,
            attempt,
            1,
            arm,
            List.of(arm),
            List.of(1.0),
            PropensityKind.DETERMINISTIC,
            null,
            null,
            null,
            "ucb",
            null,
            null,
            null,
            null,
            null,
            0,
            null,
            -1,
            -1,
            null,
            null,
            DecisionWhy.EXPLOIT,
            false,
            null,
            null,
            null,
            null,
            keyGroup,
            false,
            null,
            null));
  }
}
