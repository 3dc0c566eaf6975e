package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Holds few contexts, whichever decisions ask for theirs. */
class ContextCursorTest {
  private static final long SEED = 5;
  private static final int STEPS = 2_000;

  /** Of about a thousand contexts, 350 bytes each. */
  private static final long LITTLE = 10_000;

  /** Every test has a copy. */
  private static final MemoryLog LOG = new PlayedDeployment(SEED, STEPS).ended().log;

  private final MemoryLog log = LOG.copy();
  private final List<Decision> decisions = decisions();
  private final InputRecords inputs = new InputRecords(log);

  private List<Decision> decisions() {
    List<Decision> all = new ArrayList<>();
    try (LogReader reader = log.read(log.slices(LogTopic.DECISIONS))) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        all.add(Wire.DECISION.decode(Payloads.value(at)));
      }
    }
    assertTrue(all.size() > 700, "too few decisions: " + all.size());
    return all;
  }

  private ContextCursor cursor(Predicate<String> isAsked) {
    return new ContextCursor(log, isAsked, inputs, new MemoryBudget(LITTLE));
  }

  private static void assertOf(Decision decision, ContextCursor contexts) {
    ContextAt.Here here = assertInstanceOf(ContextAt.Here.class, contexts.take(decision));
    assertEquals(decision.decisionId(), here.context().decisionId());
    assertEquals(decision.segment(), here.context().segment());
  }

  /** Asks about a part of the decisions, and passes all. */
  private void pass(int from, int to) {
    try (ContextCursor contexts = cursor(segment -> true)) {
      for (int i = 0; i < decisions.size(); i++) {
        if (i >= from && i < to && decisions.get(i).isChosen()) {
          assertOf(decisions.get(i), contexts);
        }
        contexts.passed(decisions.get(i));
      }
    }
  }

  @Test
  void littleMemoryIsEnoughWhereFeaturesWereTurnedOffInTheMiddle() {
    pass(decisions.size() / 2, decisions.size());
  }

  @Test
  void littleMemoryIsEnoughWhereFeaturesWereTurnedOnAgain() {
    pass(0, decisions.size() / 3);
    pass(decisions.size() / 3, decisions.size() / 2);
  }

  @Test
  void littleMemoryIsEnoughWhereOneDecisionFarInAsks() {
    int last = decisions.size() - 1;
    while (!decisions.get(last).isChosen()) {
      last--;
    }
    pass(last, last + 1);
  }

  @Test
  void whatNobodyAsksAboutIsNotHeld() {
    try (ContextCursor contexts = cursor("s1"::equals)) {
      for (Decision decision : decisions) {
        if (decision.segment().equals("s1")) {
          if (decision.isChosen()) {
            assertOf(decision, contexts);
          }
          contexts.passed(decision);
        }
      }
    }
  }

  @Test
  void whatHasEndedIsHeldNoMore() {
    MemoryBudget memoryBudget = new MemoryBudget(LITTLE);
    Decision early =
        decisions.stream().skip(15).filter(Decision::isChosen).findFirst().orElseThrow();
    for (int round = 0; round < 10; round++) {
      try (ContextCursor contexts = new ContextCursor(log, segment -> true, inputs, memoryBudget)) {
        assertOf(early, contexts);
        for (int segment = 0; segment < 7; segment++) {
          contexts.ended("s" + segment);
        }
      }
    }
  }

  @Test
  void aContextThatIsAskedForOutOfOrderIsFoundAllTheSame() {
    try (ContextCursor contexts = cursor(segment -> true)) {
      for (int i = decisions.size() / 2; i < decisions.size(); i++) {
        contexts.passed(decisions.get(i));
      }
      assertOf(decisions.get(0), contexts);
      assertOf(decisions.get(0), contexts);
    }
  }

  /** As after a topic of contexts was deleted and created again. */
  @Test
  void contextsThatAreAskedForAgainAreNotReadOneByOne() {
    AtomicInteger reads = new AtomicInteger();
    CommittedLog counted = counted(reads);
    try (ContextCursor contexts =
        new ContextCursor(
            counted, segment -> true, new InputRecords(counted), new MemoryBudget(LITTLE))) {
      decisions.forEach(contexts::passed);
      decisions.stream().filter(Decision::isChosen).forEach(it -> assertOf(it, contexts));
    }
    int partitions = log.slices(LogTopic.CONTEXTS).size();
    assertTrue(reads.get() <= 3 * partitions + 1, reads + " reads of " + partitions);
  }

  private CommittedLog counted(AtomicInteger reads) {
    return new CommittedLog() {
      @Override
      public List<OffsetRange> slices(LogTopic topic) {
        return log.slices(topic);
      }

      @Override
      public LogReader read(List<OffsetRange> slices) {
        reads.incrementAndGet();
        return log.read(slices);
      }

      @Override
      public Map<OffsetRange, Long> endsNow(List<OffsetRange> slices) {
        return log.endsNow(slices);
      }
    };
  }
}
