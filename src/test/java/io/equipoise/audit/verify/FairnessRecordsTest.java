package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.AuditKind;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Wire;
import io.equipoise.join.disclosure.KeyRing;
import io.equipoise.join.disclosure.SameVeil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

/** What waits, how long and in how much memory, and what older versions did not write. */
class FairnessRecordsTest {
  private static final long MINUTE = 60_000;
  private static final int FRAME = 10;
  private static final String SEGMENT = "s1";

  private final PlayedDeployment played = new PlayedDeployment(7, 500);
  private final MemoryLog log = played.log;
  private final Docket docket = new Docket();

  private FairnessRecords judge(boolean mayLag, long memoryBytes) {
    return new FairnessRecords(
        Map.of(),
        Map.of(),
        KeptRecords.of(log, LogTopic.AUDIT),
        true,
        mayLag,
        new SameVeil(KeyRing.none(), hash -> null),
        docket,
        new Budget(memoryBytes));
  }

  private Finding found() {
    return TamperedLog.of(docket.findings(), Invariant.I3);
  }

  /** Returns the decisions of a segment, a minute apart. */
  private List<Change> changes() {
    List<Change> changes = new ArrayList<>();
    for (LogRecord at : log.records(LogTopic.DECISIONS, MemoryLog.partitionOf(SEGMENT))) {
      Change change = Change.of(at(at, changes.size() * MINUTE));
      if (change.segment().equals(SEGMENT)) {
        changes.add(change);
      }
    }
    return changes;
  }

  private LogRecord at(LogRecord record, long timestamp) {
    return new LogRecord(
        log.slices(record.slice().topic()).get(record.slice().partition()),
        record.offset(),
        timestamp,
        record.key(),
        record.value());
  }

  private List<FairnessAudit> audits(Change change) {
    return log.records(LogTopic.AUDIT, MemoryLog.partitionOf(SEGMENT)).stream()
        .map(at -> Wire.AUDIT.decode(Payloads.value(at)))
        .filter(audit -> audit.segment().equals(SEGMENT) && audit.seq() == change.seq())
        .toList();
  }

  @Test
  void aTopicWithoutARecordDoesNotFillTheMemory() {
    FairnessRecords judge = judge(false, 20_000);
    int written = 0;
    for (Change change : changes()) {
      judge.passed(change.at().timestamp());
      judge.replayed(change, audits(change));
      written += audits(change).size();
    }
    assertTrue(written > 30, written + " do not fill it");
    long before = found().violations();
    assertTrue(before > 0 && before < written, before + " of " + written);
    judge.ended();
    assertEquals(written, found().violations());
  }

  @Test
  void whatAJobThatRunsHasNotAppendedYetIsNotMissed() {
    FairnessRecords judge = judge(true, 1 << 20);
    Change change =
        changes().stream().filter(it -> !audits(it).isEmpty()).findFirst().orElseThrow();
    judge.replayed(change, audits(change));
    judge.ended();
    assertEquals(0, found().violations());
    judge.passed(change.at().timestamp() + KeptRecords.MOST_APART_MILLIS);
    assertEquals(0, found().violations());
    judge.passed(change.at().timestamp() + KeptRecords.MOST_APART_MILLIS + 1);
    assertEquals(audits(change).size(), found().violations());
  }

  /** Version 2 told neither what was foregone nor sums; what it told is judged. */
  @Test
  void whatAnOlderVersionDidNotWriteIsNotJudged() throws IOException {
    int partition = MemoryLog.partitionOf(SEGMENT);
    for (LogRecord at : List.copyOf(log.records(LogTopic.AUDIT, partition))) {
      if (Wire.AUDIT.decode(Payloads.value(at)).kind() == AuditKind.DECISION) {
        log.replace(at, asOfVersion2(Payloads.value(at)));
      }
    }
    assertEquals(Verdict.OK, state().verdict(), state().toString());
    LogRecord at = log.records(LogTopic.AUDIT, partition).get(0);
    FairnessAudit told = Wire.AUDIT.decode(Payloads.value(at));
    AuditVerdict other =
        told.verdict() == AuditVerdict.FAIR ? AuditVerdict.UNFAIR : AuditVerdict.FAIR;
    log.replace(at, asOfVersion2(Wire.AUDIT.encode(Tamper.with(told, "verdict", other))));
    assertTrue(String.valueOf(state().why()).contains("verdict: the log says "), state()::toString);
  }

  private Finding state() {
    return TamperedLog.of(
        new Auditor(log, played.texts(), AuditorTest.PLAIN).judge(), Invariant.I3);
  }

  private static byte[] asOfVersion2(byte[] framed) throws IOException {
    Schema old;
    try (InputStream in = Wire.class.getResourceAsStream("/wire/v2/FairnessAudit.avsc")) {
      old = new Schema.Parser().parse(Objects.requireNonNull(in));
    }
    GenericRecord record =
        new GenericDatumReader<GenericRecord>(Wire.AUDIT.schema(), old)
            .read(
                null,
                DecoderFactory.get().binaryDecoder(framed, FRAME, framed.length - FRAME, null));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(
        ByteBuffer.allocate(FRAME)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(framed, 0, 2)
            .putLong(SchemaNormalization.parsingFingerprint64(old))
            .array());
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(old).write(record, encoder);
    encoder.flush();
    return out.toByteArray();
  }
}
