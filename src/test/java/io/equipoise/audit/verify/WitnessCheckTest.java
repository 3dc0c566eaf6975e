package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.LogTopic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader saw a log of some thousand records; then somebody touched it. */
class WitnessCheckTest {
  private static final int RECORDS = 5_000;

  @TempDir private Path directory;

  private final MemoryLog log = new MemoryLog();
  private final List<String> lines = new ArrayList<>();

  @BeforeEach
  void watch() {
    for (int i = 0; i < RECORDS; i++) {
      log.append(LogTopic.DECISIONS, i % 2, i, MemoryLog.bytes("s"), MemoryLog.bytes("v" + i));
      if (i % 7 == 0) {
        log.skip(LogTopic.DECISIONS, i % 2);
      }
    }
    List<OffsetRange> slices = log.slices(LogTopic.DECISIONS);
    try (LogReader reader = log.read(slices)) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        lines.add(WitnessLine.of(at).text());
      }
    }
  }

  @Test
  void whatStandsAsItWasSeenIsFine() throws IOException {
    Finding finding = check();
    assertEquals(Verdict.OK, finding.verdict(), finding.toString());
    assertEquals(RECORDS, finding.checked());
  }

  @Test
  void whatWasAppendedBeforeAndAfterTheReaderLookedIsFine() throws IOException {
    lines.subList(0, 100).clear();
    lines.subList(lines.size() - 100, lines.size()).clear();
    assertEquals(Verdict.OK, check().verdict());
  }

  @Test
  void aWithdrawnRecordIsNamed() throws IOException {
    LogRecord record = log.records(LogTopic.DECISIONS, 1).get(1_500);
    log.remove(record);
    assertNames(record.place(), "withdrawn");
  }

  @Test
  void anotherRecordInItsPlaceIsNamed() throws IOException {
    LogRecord record = log.records(LogTopic.DECISIONS, 0).get(9);
    log.replace(record, MemoryLog.bytes("another"));
    assertNames(record.place(), "other bytes");
  }

  @Test
  void whatAReaderSawTwiceIsNamed() throws IOException {
    lines.add(200, lines.get(100));
    assertNames(place(lines.get(100)), "after offset");
  }

  @Test
  void whatAReaderSawOutOfOrderIsNamed() throws IOException {
    Collections.swap(lines, 100, 102);
    assertNames(place(lines.get(102)), "after offset");
  }

  @Test
  void whatAppearedBehindAReaderIsNamed() throws IOException {
    String unseen = lines.remove(3_000);
    assertNames(place(unseen), "had not seen it");
  }

  @Test
  void aTailThatWasWithdrawnIsNamedRecordByRecord() throws IOException {
    List<LogRecord> there = log.records(LogTopic.DECISIONS, 1);
    LogRecord first = there.get(there.size() - 100);
    log.truncate(LogTopic.DECISIONS, 1, first.offset());
    assertNames(first.place(), "withdrawn: its partition ends at offset " + first.offset());
    assertEquals(100, check().violations());
    assertEquals(RECORDS, check().checked());
  }

  @Test
  void whatAReaderSawAfterTheAuditBeganIsNotChecked() throws IOException {
    log.checkUpTo(LogTopic.DECISIONS, 0, 1_000);
    Finding finding = check();
    assertEquals(Verdict.OK, finding.verdict(), finding.toString());
    assertTrue(finding.checked() < RECORDS, finding.toString());
  }

  @Test
  void whatStandsBehindAnEndThatSomebodyChoseIsNotChecked() throws IOException {
    log.chooseEnd(LogTopic.DECISIONS, 0, 1_000);
    log.truncate(LogTopic.DECISIONS, 0, 2_000);
    assertEquals(Verdict.OK, check().verdict());
  }

  @Test
  void onlyWhatIsCheckedIsNamedWhereItsNeighborsDiffer() throws IOException {
    LogRecord last = log.records(LogTopic.DECISIONS, 0).get(9);
    log.checkUpTo(LogTopic.DECISIONS, 0, last.offset() + 1);
    log.replace(last, MemoryLog.bytes("another"));
    assertNames(last.place(), "other bytes");
    assertEquals(1, check().violations());
  }

  @Test
  void aWitnessWhoSawNothingThatIsThereProvesNothing() throws IOException {
    lines.clear();
    Finding finding = check();
    assertEquals(Verdict.NOT_CHECKED, finding.verdict());
    assertEquals(0, finding.checked());
  }

  @Test
  void aLineCutShortAtTheEndIsNotHeldAgainstAnybody() throws IOException {
    lines.add(lines.remove(lines.size() - 1).substring(0, 20));
    assertEquals(Verdict.OK, check().verdict());
  }

  @Test
  void aFileOfSomethingElseCannotBeChecked() throws IOException {
    lines.set(17, "damaged");
    assertThrows(InconclusiveException.class, this::check);
  }

  private void assertNames(String offender, String why) throws IOException {
    Finding finding = check();
    assertEquals(Verdict.VIOLATED, finding.verdict());
    assertEquals(offender, finding.offender());
    assertTrue(finding.why().contains(why), finding.why());
  }

  private static String place(String line) {
    WitnessLine parsed = WitnessLine.parse(line);
    return parsed == null ? "" : parsed.place();
  }

  private Finding check() throws IOException {
    Path file = directory.resolve("witness.tsv");
    List<String> all = new ArrayList<>(List.of(WitnessLine.HEADER));
    all.addAll(lines);
    Files.writeString(file, String.join("\n", all));
    FindingsCollector findings = new FindingsCollector();
    new WitnessCheck(findings).check(log, file);
    return TamperedLog.of(findings.findings(), Invariant.I9);
  }
}
