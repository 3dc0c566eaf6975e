package io.equipoise.tools.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.Decision;
import io.equipoise.event.Place;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchRecord;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.simulation.SplitMix;
import io.equipoise.tools.simulate.SimulationSpecs;
import io.equipoise.watch.ForgedRecords;
import io.equipoise.watch.LoggedRecord;
import io.equipoise.watch.WatchRefusal;
import io.equipoise.watch.WatchRefusedException;
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
  private static final CompiledSpec OTHER =
      SimulationSpecs.of("{name: ucb, explore: {share: 0.5, over: all}}");
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
  void aMonitorGoesOnWhileALaterRegistrationIsReplayed() throws Exception {
    List<Integer> alone = stepsOfGroups(topics(log.records, groups), 0);
    assertTrue(alone.size() >= 2, alone::toString);
    int first = alone.get(0);
    assertEquals(alone, stepsOfGroups(topics(log.records, groups), first));
  }

  /** Returns the steps in which the monitor gets records; registers a challenger after one. */
  private static List<Integer> stepsOfGroups(WatchTopics topics, int registeredAfter)
      throws InterruptedException {
    List<Integer> steps = new ArrayList<>();
    boolean isChallengerSeen = false;
    try (WatchRun run = topics.start(200, () -> 0)) {
      for (int step = 1; step < 80; step++) {
        for (WatchRecord record : run.step(Duration.ZERO)) {
          isChallengerSeen |= record.id().equals(challenger.id());
          if (record.id().equals(groups.id())) {
            steps.add(step);
          }
        }
        if (step == registeredAfter) {
          topics.append(challenger);
        }
      }
    }
    assertEquals(registeredAfter > 0, isChallengerSeen);
    return steps;
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
    changed.set(changed.indexOf(aReward()), ForgedRecords.flipped(aReward()));
    WatchTopics other = topics(changed, groups);
    other.watch.addAll(written);
    assertEquals(
        WatchRefusal.EVIDENCE_DIFFERS,
        assertThrows(WatchRefusedException.class, () -> other.written(500)).code());
    assertEquals(List.of(), differences(whole, written));
    assertTrue(differences(other, written).get(0).startsWith("EVIDENCE_DIFFERS: "));
  }

  @Test
  void aFalseEndIsFound() throws Exception {
    WatchTopics topics = topics(log.records, groups);
    List<WatchRecord> ended = new ArrayList<>(topics.written(500));
    ended.add(groups.with(new WatchEnded(WatchEnd.CHAMPION_CHANGED, "")));
    assertEquals(1, differences(topics, ended).size());
  }

  @Test
  void recordsThatARunHasNotWrittenYetAreNoDifference() throws Exception {
    WatchTopics topics = topics(log.records, groups);
    List<WatchRecord> written = topics.written(500);
    assertEquals(List.of(), differences(topics, written.subList(0, written.size() - 1)));
  }

  @Test
  void aLostSeqIsTheEndThatTheLogGives() {
    List<LoggedRecord> torn = new ArrayList<>(log.records.subList(0, 400));
    long lost = torn.remove(300).output().seq();
    WatchTopics topics = topics(torn, groups);
    WatchEnded gap = new WatchEnded(WatchEnd.LOG_GAP, "seq " + lost + " is missing in the log");
    assertEquals(List.of(), differences(topics, List.of(groups.with(gap))));
    WatchEnded other = new WatchEnded(WatchEnd.LOG_GAP, "seq 7 is missing in the log");
    assertEquals(1, differences(topics, List.of(groups.with(other))).size());
  }

  @Test
  void aMissingChampionEndsItsChallengerAndNothingElse() throws Exception {
    WatchRecord orphan =
        WatchRecord.of(WatchedLog.SEGMENT, new WatchedLog(OTHER).challenger(OTHER, 100, Map.of()));
    List<WatchRecord> written = topics(log.records, orphan, groups).written(500);
    assertEquals(orphan.id(), written.get(0).id());
    assertEquals(WatchEnd.FAILED, Objects.requireNonNull(written.get(0).ended()).reason());
    assertTrue(written.stream().anyMatch(it -> it.id().equals(groups.id())));
  }

  @Test
  void aRegistrationThatAPersonEndsIsReplayedNoMore() throws Exception {
    WatchTopics topics = topics(log.records, challenger, groups);
    try (WatchRun run = topics.start(200, () -> 0)) {
      run.step(Duration.ZERO);
      topics.append(challenger.with(new WatchEnded(WatchEnd.WITHDRAWN, "")));
      for (int step = 0; step < 40; step++) {
        run.step(Duration.ZERO).forEach(it -> assertEquals(groups.id(), it.id()));
      }
      assertFalse(topics.isLogClosed());
      topics.append(groups.with(new WatchEnded(WatchEnd.WITHDRAWN, "")));
      assertEquals(List.of(), run.step(Duration.ZERO));
      assertTrue(topics.isLogClosed());
    }
  }

  @Test
  void recordsThatMayBeWithdrawnStopARun() {
    List<LoggedRecord> records = new ArrayList<>(log.records.subList(0, 400));
    records.replaceAll(it -> ForgedRecords.ofWriterEpoch(it, 1));
    WatchTopics topics = topics(records, groups);
    assertEquals(
        WatchRefusal.NOT_EXACTLY_ONCE,
        assertThrows(WatchRefusedException.class, () -> topics.written(500)).code());
  }

  @Test
  void aPausedPartitionHidesNoGap() throws Exception {
    LoggedRecord decision =
        log.records.stream()
            .filter(it -> it.output() instanceof Decision)
            .findFirst()
            .orElseThrow();
    Decision of = (Decision) decision.output();
    List<LoggedRecord> ahead = new ArrayList<>();
    for (long seq = 3; seq < 10_600; seq++) {
      Place place = new Place(WatchedLog.SEGMENT, 0, seq);
      ahead.add(ForgedRecords.decision(decision, place, of.versions(), of.reason(), of.features()));
    }
    long[] now = {0};
    try (SegmentFollower follower = topics(ahead).follower(5000, () -> now[0])) {
      for (int poll = 0; poll < 5; poll++) {
        assertEquals(List.of(), follower.poll(Duration.ZERO));
      }
      now[0] = SegmentFollower.PATIENCE.toNanos() + 1;
      assertEquals(1L, follower.gap());
    }
  }

  private static List<String> differences(WatchTopics topics, List<WatchRecord> written) {
    WatchLedger ledger = new WatchLedger();
    ledger.on(groups, 0);
    written.forEach(record -> ledger.on(record, 0));
    List<LedgerEntry> entries = List.copyOf(ledger.all());
    try (SegmentRun run = topics.segment(entries, 500, () -> 0)) {
      return WatchVerifyCommand.differences(run, entries);
    }
  }

  /** Returns a reward that was learned after the registration. */
  private static LoggedRecord aReward() {
    return log.records.stream()
        .skip(600)
        .filter(it -> it.output() instanceof SegmentEvent event && event.learned())
        .findFirst()
        .orElseThrow();
  }
}
