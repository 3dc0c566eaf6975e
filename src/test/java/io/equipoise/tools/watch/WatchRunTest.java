package io.equipoise.tools.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.JoinedDecision;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchRecord;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.simulation.SplitMix;
import io.equipoise.tools.simulate.SimulationSpecs;
import io.equipoise.watch.LoggedRecord;
import io.equipoise.watch.WatchedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WatchRunTest {
  private static final CompiledSpec CHAMPION =
      SimulationSpecs.of("{name: ucb, explore: {share: 0.6, over: all}}");
  private static final int PEOPLE = 2300;

  private static WatchedLog log;
  private static WatchRecord challenger;
  private static WatchRecord groups;

  @BeforeAll
  static void play() {
    log = new WatchedLog(CHAMPION).play(PEOPLE);
    challenger =
        WatchRecord.of(WatchedLog.SEGMENT, log.challenger(CHAMPION, 100, Map.of("gender", .5)));
    groups = WatchRecord.of(WatchedLog.SEGMENT, WatchedLog.genders(100));
  }

  private static WatchTopics topics(List<LoggedRecord> records, WatchRecord... watch) {
    WatchTopics topics = new WatchTopics(log, records);
    topics.watch.addAll(List.of(watch));
    return topics;
  }

  @Test
  void aRunThatWasKilledAnywhereWritesTheRecordsThatAreMissing() throws Exception {
    List<WatchRecord> all = topics(log.records, challenger, groups).written(500);
    assertTrue(all.size() >= 4, () -> "written: " + all.size());
    SplitMix random = new SplitMix(3);
    for (int kill = 0; kill < 3; kill++) {
      int kept = (int) (random.nextDouble() * (all.size() + 1));
      WatchTopics topics = topics(log.records, challenger, groups);
      topics.watch.addAll(all.subList(0, kept));
      assertEquals(all.subList(kept, all.size()), topics.written(500), "kept " + kept);
    }
  }

  @Test
  void theRecordsDoNotDependOnHowThePollsCutTheTopics() throws Exception {
    assertEquals(
        topics(log.records, challenger, groups).written(5000),
        topics(log.records, challenger, groups).written(97));
  }

  @Test
  void aLaterRegistrationLeavesTheEvidenceOfTheOthersAsItIs() throws Exception {
    List<WatchRecord> alone = topics(log.records, groups).written(500);
    WatchTopics topics = topics(log.records, groups);
    topics.watch.addAll(alone);
    topics.watch.add(challenger);
    List<WatchRecord> fresh = topics.written(500);
    assertFalse(fresh.isEmpty());
    assertTrue(fresh.stream().allMatch(it -> it.id().equals(challenger.id())));
  }

  @Test
  void aWithdrawnRegistrationGetsNoMoreRecords() throws Exception {
    WatchTopics topics = topics(log.records, challenger, groups);
    topics.watch.add(challenger.with(new WatchEnded(WatchEnd.WITHDRAWN, "")));
    List<WatchRecord> fresh = topics.written(500);
    assertFalse(fresh.isEmpty());
    assertTrue(fresh.stream().allMatch(it -> it.id().equals(groups.id())));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSeqThatDoesNotComeEndsTheRegistrations(boolean isBusy) throws Exception {
    List<LoggedRecord> torn = new ArrayList<>(log.records.subList(0, 400));
    long lost = torn.remove(300).output().seq();
    long[] now = {0};
    WatchTopics topics = topics(torn, groups);
    topics.isBusy = isBusy;
    try (WatchRun run = topics.start(5000, () -> now[0])) {
      for (int step = 0; step < 10; step++) {
        assertEquals(List.of(), run.step(Duration.ZERO));
      }
      now[0] = SegmentFollower.PATIENCE.toNanos() + 1;
      List<WatchRecord> ended = run.step(Duration.ZERO);
      assertEquals(
          List.of(
              groups.with(
                  new WatchEnded(WatchEnd.LOG_GAP, "seq " + lost + " is missing in the log"))),
          ended);
      assertEquals(List.of(), run.step(Duration.ZERO));
    }
  }

  @Test
  void aChangedRewardIsFoundByARunAndByTheVerb() throws Exception {
    WatchTopics whole = topics(log.records, groups);
    List<WatchRecord> written = whole.written(500);
    List<LoggedRecord> changed = new ArrayList<>(log.records);
    changed.set(changed.indexOf(aReward()), flipped(aReward()));
    WatchTopics other = topics(changed, groups);
    other.watch.addAll(written);
    assertThrows(EvidenceDiffersException.class, () -> other.written(500));
    assertEquals(List.of(), differences(whole, written));
    assertTrue(differences(other, written).get(0).startsWith("EVIDENCE_DIFFERS: "));
  }

  private static List<String> differences(WatchTopics topics, List<WatchRecord> written) {
    WatchLedger ledger = new WatchLedger();
    ledger.on(groups, 0);
    written.forEach(record -> ledger.on(record, 0));
    List<String> differences = new ArrayList<>();
    List<WatchLedger.Entry> entries = List.copyOf(ledger.all());
    try (SegmentRun run = topics.segment(entries, 500, () -> 0)) {
      assertEquals(written.size(), WatchVerifyCommand.compare(run, entries, differences));
    }
    return differences;
  }

  /** Returns a reward that was learned after the registration. */
  private static LoggedRecord aReward() {
    return log.records.stream()
        .skip(600)
        .filter(it -> it.output() instanceof SegmentEvent event && event.learned())
        .findFirst()
        .orElseThrow();
  }

  private static LoggedRecord flipped(LoggedRecord record) {
    SegmentEvent event = (SegmentEvent) record.output();
    JoinedDecision decision = Objects.requireNonNull(event.decision());
    double learned = Objects.requireNonNull(decision.learnedReward());
    return new LoggedRecord(
        new SegmentEvent(
            event.type(),
            event.place(),
            event.eventTime(),
            event.versions(),
            new JoinedDecision(
                decision.id(),
                decision.hash(),
                decision.seq(),
                decision.arm(),
                decision.propensity(),
                decision.propensities(),
                decision.features(),
                decision.mediators(),
                1 - learned,
                decision.reason()),
            event.reward(),
            event.adoption(),
            event.previousBoundsHash(),
            event.modelRetained(),
            event.abortReason(),
            event.assumption(),
            event.refutedBounds(),
            event.redaction()),
        record.offset());
  }
}
