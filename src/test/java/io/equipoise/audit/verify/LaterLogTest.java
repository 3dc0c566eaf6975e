package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.LaterLog;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.LogTopic;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A savepoint says from where on inputs are checked, and may say what cannot be. */
class LaterLogTest {
  private static final String CONTEXTS = MemoryLog.TOPICS.contexts();

  private final MemoryLog log = new PlayedDeployment(3, 200).log;

  @Test
  void inputsBeginWhereTheSavepointHadReadThemAndOutputsAreWhole() {
    LaterLog later = new LaterLog(log, Map.of(CONTEXTS + "/1", 7L), "here");
    assertEquals(0, later.slices(LogTopic.CONTEXTS).get(0).begin());
    OffsetRange cut = later.slices(LogTopic.CONTEXTS).get(1);
    assertEquals(7, cut.begin());
    assertEquals(log.slices(LogTopic.CONTEXTS).get(1).reach(), cut.reach());
    assertEquals(log.slices(LogTopic.DECISIONS), later.slices(LogTopic.DECISIONS));
  }

  @Test
  void offsetsBeyondTheEndAreOfAnotherCluster() {
    Map<String, Long> beyond = Map.of(CONTEXTS + "/0", 1_000_000L);
    InconclusiveException refused =
        assertThrows(InconclusiveException.class, () -> new LaterLog(log, beyond, "here"));
    assertTrue(String.valueOf(refused.getMessage()).contains("offset 1000000, but it ends at"));
  }

  @Test
  void offsetsBeforeWhatRetentionHasLeftAreRefused() {
    log.retain(LogTopic.CONTEXTS, 1, 10);
    Map<String, Long> early = Map.of(CONTEXTS + "/1", 7L);
    InconclusiveException refused =
        assertThrows(InconclusiveException.class, () -> new LaterLog(log, early, "here"));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("up to offset 7, and retention has removed"));
    assertEquals(
        10,
        new LaterLog(log, Map.of(CONTEXTS + "/1", 10L), "here")
            .slices(LogTopic.CONTEXTS)
            .get(1)
            .begin());
  }

  @Test
  void partitionsThatTheDeploymentHasNotAreOfAnother() {
    Map<String, Long> other = Map.of("other.contexts/0", 3L);
    InconclusiveException refused =
        assertThrows(InconclusiveException.class, () -> new LaterLog(log, other, "here"));
    assertTrue(String.valueOf(refused.getMessage()).contains("[other.contexts/0]"));
  }
}
