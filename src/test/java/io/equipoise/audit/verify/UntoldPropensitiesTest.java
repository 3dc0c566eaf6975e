package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.bandit.MemoryBlocks;
import io.equipoise.event.Decision;
import io.equipoise.event.IdHash;
import io.equipoise.event.Outcome;
import io.equipoise.event.OutcomeKind;
import io.equipoise.event.Wire;
import io.equipoise.join.Entry;
import io.equipoise.join.Propensities;
import io.equipoise.join.SavedSegment;
import io.equipoise.join.SegmentHead;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UntoldPropensitiesTest {
  private final Docket docket = new Docket();
  private final UntoldPropensities judge = new UntoldPropensities(docket);
  private final MemoryLog log = new MemoryLog();

  @Test
  void decisionsOfEarlierVersionsMayBeSettledWithoutThem() throws IOException {
    byte[] earlier = decisionOfTheFirstVersion();
    Decision decision = Wire.DECISION.decode(earlier);
    judge.on(Change.of(put(LogTopic.DECISIONS, earlier)));
    judge.on(silent(decision.seq() + 1, decision.seq()));
    assertEquals(0, violations());
  }

  @Test
  void decisionsFromTheFirstOfALaterVersionOnMayNot() throws IOException {
    Decision decision = Wire.DECISION.decode(decisionOfTheFirstVersion());
    judge.on(Change.of(put(LogTopic.DECISIONS, Wire.DECISION.encode(decision))));
    judge.on(silent(decision.seq() + 1, decision.seq() - 1));
    judge.on(silent(decision.seq() + 2, null));
    assertEquals(0, violations(), "of a decision before, and of none");
    judge.on(silent(decision.seq() + 3, decision.seq()));
    assertEquals(1, violations());
  }

  @Test
  void whatASavepointKeepsIsToldFrom() {
    SavedSegment saved =
        new SavedSegment(
            new SegmentHead(),
            new MemoryBlocks(),
            null,
            Map.of(
                IdHash.of("earlier"), awaiting(4, Propensities.UNKNOWN),
                IdHash.of("later"), awaiting(5, Propensities.SURE)));
    judge.begin(saved);
    judge.on(silent(6, 4L));
    assertEquals(0, violations());
    judge.on(silent(7, 5L));
    assertEquals(1, violations());
  }

  private static Entry awaiting(long seq, Propensities propensities) {
    return new Entry.Awaiting(
        0, 0, 0, 0, seq, 0, 0, 1, propensities, new int[0], new double[0], List.of(), null);
  }

  private long violations() {
    Finding finding = TamperedLog.of(docket.findings(), Invariant.I3);
    return finding.violations();
  }

  private Change silent(long seq, @Nullable Long decided) {
    Outcome expired =
        new Outcome(
            OutcomeKind.EXPIRED,
            "a",
            0,
            0,
            seq,
            null,
            null,
            decided,
            null,
            1,
            null,
            null,
            null,
            null,
            Map.of(),
            null,
            false,
            null,
            null,
            null,
            null,
            null,
            null,
            List.of(),
            null,
            null,
            null,
            null,
            null,
            List.of(),
            null,
            null,
            null);
    return Change.of(put(LogTopic.OUTCOMES, Wire.OUTCOME.encode(expired)));
  }

  private LogRecord put(LogTopic topic, byte[] value) {
    log.append(topic, 0, 1, null, value);
    List<LogRecord> in = log.records(topic, 0);
    return in.get(in.size() - 1);
  }

  private static byte[] decisionOfTheFirstVersion() throws IOException {
    for (String line : Files.readAllLines(Path.of("src/test/resources/savepoint-v1/topics.txt"))) {
      if (line.startsWith(".decisions ")) {
        return Base64.getDecoder().decode(line.split(" ", -1)[2]);
      }
    }
    throw new AssertionError("the first savepoint has no decision");
  }
}
