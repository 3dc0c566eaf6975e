package io.equipoise.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.audit.verify.Tamper;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.Place;
import io.equipoise.event.Propensities;
import io.equipoise.event.Source;
import io.equipoise.event.Versions;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.event.WriterEpochMarker;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
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
  void whatAWriterEpochThatIsOverAppendsIsNoAnswer() {
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

  /** Who sent the second one waits for an answer, too. */
  @Test
  void aRepeatedContextIsAnsweredOnceEach() {
    decision("d1", 0, 1, "left");
    repeated("d1", 7);
    repeated("d1", 8);
    repeated("d1", 7); // after a failure
    assertEquals(List.of("d1=left", "d1=left", "d1=left"), shown);
    assertEquals(1, answers.repeated());
  }

  /**
   * The job forgets an id after {@code join.dedup-window}, and never remembers one without a spec:
   * who sent the next context with it waits for an answer, too.
   */
  @Test
  void aContextWithAForgottenIdIsAnsweredByItsOwnDecision() {
    decision("d1", 0, 1, "left");
    Decision first = Wire.DECISION.decode(decisionOf("s", "d1", 0, 1, "right"));
    byte[] anew = Wire.DECISION.encode(Tamper.with(first, "source.offset", 7L));
    answers.on(record(anew)).ifPresent(this::show);
    decision("d1", 0, 2, "left"); // both after a failure
    answers.on(record(anew)).ifPresent(this::show);
    assertEquals(List.of("d1=left", "d1=right"), shown);
    assertEquals(1, answers.repeated());
    assertEquals(1, answers.voided());
  }

  private void repeated(String id, long contextOffset) {
    Decision first = Wire.DECISION.decode(decisionOf("s", id, 0, 1, "left"));
    Decision again = Tamper.with(first, "reason", DecisionReason.REPEATED);
    again = Tamper.with(again, "source.offset", contextOffset);
    answers.on(record(Wire.DECISION.encode(again))).ifPresent(this::show);
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
    assertThrows(WireException.class, () -> answers.on(record((byte[]) null)));
    WriterEpochMarker backwards = new WriterEpochMarker(1, 5, 4);
    assertThrows(WireException.class, () -> answers.on(record(backwards.headers())));
    WriterEpochMarker endless = new WriterEpochMarker(1, 0, Integer.MAX_VALUE);
    assertThrows(WireException.class, () -> answers.on(record(endless.headers())));
    Headers without = new WriterEpochMarker(1, 0, 7).headers().remove(WriterEpochMarker.RUN);
    assertThrows(WireException.class, () -> answers.on(record(without)));
  }

  private void marker(int writerEpoch, int first, int last) {
    WriterEpochMarker marker = new WriterEpochMarker(writerEpoch, first, last);
    answers.on(record(marker.headers())).ifPresent(this::show);
  }

  private void decision(String id, int keyGroup, int writerEpoch, String arm) {
    answers.on(record(decisionOf("s", id, keyGroup, writerEpoch, arm))).ifPresent(this::show);
  }

  private void show(Decision decision) {
    shown.add(decision.decisionId() + "=" + decision.arm());
  }

  private ConsumerRecord<byte[], byte[]> record(byte[] value) {
    return new ConsumerRecord<>("decisions", 0, offset++, null, value);
  }

  private ConsumerRecord<byte[], byte[]> record(Headers headers) {
    ConsumerRecord<byte[], byte[]> record = record((byte[]) null);
    headers.forEach(record.headers()::add);
    return record;
  }

  private static byte[] decisionOf(
      String segment, String id, int keyGroup, int writerEpoch, String arm) {
    return Wire.DECISION.encode(
        new Decision(
            id,
            new Place(segment, writerEpoch, 1),
            new Source("contexts", 0, 0),
            0,
            Versions.NONE,
            "ucb",
            arm,
            DecisionReason.EXPLOIT,
            null,
            false,
            null,
            List.of(),
            Propensities.SURE,
            null,
            null,
            null,
            null,
            keyGroup,
            false,
            null));
  }
}
