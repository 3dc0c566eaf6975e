package io.equipoise.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.ChallengerEvidence;
import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.GroupsEvidence;
import io.equipoise.event.GroupsRegistration;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Versions;
import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchRecord;
import io.equipoise.event.WatchedQuantity;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.simulate.SimulationSpecs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A fair champion, whose log a challenger without a constraint would turn into more reward. */
@Tag("slow")
class SegmentWatchTest {
  private static final CompiledSpec FAIR =
      SimulationSpecs.of("{name: f-ucb, explore: {share: 0.6, over: all}}");
  private static final CompiledSpec GREEDY =
      SimulationSpecs.of("{name: ucb, explore: {share: 0.2, over: all}}");
  private static final int PEOPLE = 3260;
  private static final int BEFORE = 200;

  private static WatchedLog log;

  @BeforeAll
  static void play() {
    log = new WatchedLog(FAIR).play(PEOPLE);
  }

  private static ChallengerRegistration candidate(CompiledSpec spec) {
    return log.challenger(spec, BEFORE, Map.of());
  }

  private static ChallengerRegistration with(
      ChallengerRegistration of, double certifiedShare, double maxViolation) {
    return new ChallengerRegistration(
        of.name(),
        of.specHash(),
        of.specText(),
        of.championHash(),
        of.number(),
        of.batch(),
        of.alpha(),
        of.share(),
        of.margin(),
        certifiedShare,
        maxViolation,
        of.maxGaps(),
        of.trainFrom(),
        of.partition(),
        of.startOffset(),
        of.registeredAt(),
        of.modelKept());
  }

  private static WatchEvidence last(List<WatchRecord> results, String id) {
    WatchEvidence last = null;
    for (WatchRecord result : results) {
      last = result.evidence() != null && result.id().equals(id) ? result.evidence() : last;
    }
    return Objects.requireNonNull(last);
  }

  private static ChallengerEvidence challenger(List<WatchRecord> results, String id) {
    return Objects.requireNonNull(last(results, id).ofChallenger());
  }

  @Test
  void theChampionAsItsOwnChallengerDiffersByExactlyNothing() {
    SegmentWatch watch = log.watch();
    watch.add(WatchedLog.named("same", candidate(FAIR)));
    List<WatchRecord> results = log.results(watch, 256);
    ChallengerEvidence same = challenger(results, "same");
    long rows = last(results, "same").rows();
    assertEquals(0, same.difference());
    assertEquals(-31.0 / rows, same.differenceLow(), 6.0 / rows);
    assertEquals(1, same.meanWeight(), 1e-12);
    assertEquals((double) rows, same.effectiveRows(), 1e-6);
    assertEquals(same.championCertifiedShare(), same.certifiedShare());
    assertEquals(same.championMean(), same.ips());
    assertNull(same.rowsToPass());
    assertEquals(List.of("reward"), same.failing());
    assertEquals(rows / 10.0, (double) last(results, "same").missing(), rows / 50.0);
  }

  @Test
  void aBetterChallengerPassesOnceItsFairnessConditionsHoldToo() {
    SegmentWatch watch = log.watch();
    watch.add(WatchedLog.named("free", with(candidate(GREEDY), 0, 1)));
    watch.add(WatchedLog.named("certified", candidate(GREEDY)));
    watch.add(WatchedLog.named("bounded", with(candidate(GREEDY), 0, 0.01)));
    watch.add(
        WatchedLog.named(
            "equal", with(log.challenger(GREEDY, BEFORE, Map.of("gender", .1)), 0, 1)));
    List<WatchRecord> results = log.results(watch, 256);
    ChallengerEvidence free = challenger(results, "free");
    assertTrue(free.passes(), free.toString());
    assertEquals(List.of(), free.failing());
    assertTrue(free.gateLow() >= 0 && free.gateLow() <= free.difference());
    assertTrue(free.differenceLow() < free.difference());
    assertTrue(free.differenceHigh() > free.difference());
    assertEquals(0L, free.rowsToPass());
    assertEquals(List.of("certified-share"), challenger(results, "certified").failing());
    assertEquals(List.of("max-violation"), challenger(results, "bounded").failing());
    ChallengerEvidence equal = challenger(results, "equal");
    assertEquals(List.of("max-gap gender"), equal.failing());
    assertEquals("f", equal.gaps().get(0).level());
    assertTrue(equal.gaps().get(0).low() < -.3 && equal.gaps().get(0).high() < 0);
    long turned =
        results.stream()
            .filter(it -> it.id().equals("free") && it.evidence() != null)
            .filter(it -> it.evidence().rows() % 1000 != 0)
            .count();
    assertTrue(turned >= 1, "the record of the look at which it passed");
  }

  @Test
  void batchesThreadsAndOtherChallengersChangeNoResult() {
    List<List<WatchRecord>> all = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      for (int batch : new int[] {1, 256, log.records.size()}) {
        SegmentWatch watch = log.watch();
        watch.add(WatchedLog.named("one", candidate(GREEDY)));
        watch.add(WatchedLog.named("groups", WatchedLog.genders(BEFORE)));
        if (batch == 256) {
          watch.add(WatchedLog.named("other", candidate(FAIR)));
        }
        List<WatchRecord> results = new ArrayList<>();
        for (int from = 0; from < log.records.size(); from += batch) {
          int to = Math.min(log.records.size(), from + batch);
          results.addAll(watch.on(log.records.subList(from, to), threads));
        }
        results.removeIf(it -> it.id().equals("other"));
        all.add(results);
      }
    } finally {
      threads.shutdownNow();
    }
    assertFalse(all.get(0).isEmpty());
    assertEquals(all.get(0), all.get(1));
    assertEquals(all.get(0), all.get(2));
  }

  @Test
  void aChangedRewardOfOneDecisionChangesTheEvidence() {
    List<List<WatchRecord>> all = new ArrayList<>();
    List<LoggedRecord> forged = new ArrayList<>(log.records);
    forged.replaceAll(it -> it.output().seq() == forgedSeq() ? ForgedRecords.flipped(it) : it);
    for (List<LoggedRecord> records : List.of(log.records, forged)) {
      SegmentWatch watch = log.watch();
      watch.add(WatchedLog.named("one", candidate(GREEDY)));
      all.add(watch.on(records, Runnable::run));
    }
    assertNotEquals(all.get(0), all.get(1));
  }

  private static long forgedSeq() {
    return log.records.stream()
        .map(LoggedRecord::output)
        .filter(it -> it.seq() > 2000 && it instanceof SegmentEvent event && event.learned())
        .findFirst()
        .orElseThrow()
        .seq();
  }

  @Test
  void aNewSpecOfTheSegmentEndsItsCandidatesAndNoMonitor() {
    CompiledSpec next = SimulationSpecs.of("{name: f-ucb, explore: {share: 0.7, over: all}}");
    WatchedLog changed = new WatchedLog(FAIR).play(300);
    ChallengerRegistration registration = changed.challenger(GREEDY, 100, Map.of());
    ChallengerRegistration waiting = changed.challenger(GREEDY, 300, Map.of());
    changed.publish(next).play(1300);
    SegmentWatch watch = changed.watch();
    watch.add(WatchedLog.named("one", registration));
    watch.add(WatchedLog.named("waiting", waiting));
    watch.add(WatchedLog.named("groups", WatchedLog.genders(100)));
    List<WatchRecord> results = changed.results(watch, 64);
    List<WatchRecord> ofOne = results.stream().filter(it -> it.id().equals("one")).toList();
    assertEquals(adopted(changed, next), ofOne.get(ofOne.size() - 1).ended());
    assertTrue(
        results.contains(
            WatchedLog.named("waiting", waiting)
                .with(under(next.spec().hash(), seqOf(changed, 300)))),
        "registered before the adoption, and tested from the first decision after it");
    assertTrue(last(results, "groups").rows() >= 1000);
    SegmentWatch late = changed.watch();
    late.add(WatchedLog.named("late", changed.challenger(GREEDY, 100, Map.of())));
    assertEquals(
        under(FAIR.spec().hash(), seqOf(changed, 100)), changed.results(late, 64).get(0).ended());
  }

  private static WatchEnded adopted(WatchedLog log, CompiledSpec spec) {
    String hash = spec.spec().hash();
    long seq =
        log.records.stream()
            .map(LoggedRecord::output)
            .filter(
                it ->
                    it instanceof SegmentEvent event
                        && event.type() == SegmentEventType.SPEC_ADOPTED
                        && hash.equals(event.specHash()))
            .findFirst()
            .orElseThrow()
            .seq();
    return under(hash, seq);
  }

  private static WatchEnded under(String hash, long seq) {
    String why = "the segment is under spec %s at seq %d".formatted(hash, seq);
    return new WatchEnded(WatchEnd.CHAMPION_CHANGED, why, hash);
  }

  /** Returns the seq of the decision at an offset of the partition. */
  private static long seqOf(WatchedLog log, long offset) {
    return log.records.stream()
        .filter(it -> it.output() instanceof Decision && it.offset() == offset)
        .findFirst()
        .orElseThrow()
        .output()
        .seq();
  }

  @Test
  void aChallengerWithoutExactPropensitiesEnds() {
    SegmentWatch watch = log.watch();
    watch.add(
        WatchedLog.named(
            "one",
            candidate(
                SimulationSpecs.of(
                    "{name: lin-ts, features: [intercept, one-hot: income, one-hot: offer]}"))));
    assertEquals(WatchEnd.ESTIMATED_PROPENSITIES, ended(log.results(watch, 64).get(0)).reason());
  }

  @Test
  void moreWaitingDecisionsThanAllowedEndTheRegistrations() {
    SegmentWatch watch = new SegmentWatch(log, 3, 1);
    watch.add(WatchedLog.named("one", candidate(GREEDY)));
    watch.add(WatchedLog.named("groups", WatchedLog.genders(BEFORE)));
    List<WatchRecord> results = log.results(watch, 64);
    assertEquals(2, results.size());
    assertEquals(WatchEnd.TOO_MANY_PENDING, ended(results.get(0)).reason());
  }

  @Test
  void aChallengerNeedsTheTextOfTheSpecThatDecides() {
    SegmentWatch watch = new SegmentWatch(new WatchedLog(GREEDY), 3, 1);
    watch.add(WatchedLog.named("one", candidate(GREEDY)));
    assertFalse(watch.isOver());
    WatchEnded end = ended(watch.on(List.of(), Runnable::run).get(0));
    assertEquals(WatchEnd.FAILED, end.reason());
    assertTrue(end.message().endsWith(" is not on the specs topic"), end.message());
    assertTrue(watch.isOver());
  }

  private static WatchEnded ended(WatchRecord record) {
    return Objects.requireNonNull(record.ended());
  }

  @Test
  void groupsThatEarnAlikeRaiseNoAlarmAndOthersDo() {
    WatchedLog unequal = new WatchedLog(GREEDY).play(2300);
    SegmentWatch watch = unequal.watch();
    watch.add(WatchedLog.named("groups", WatchedLog.genders(BEFORE)));
    List<WatchRecord> results = unequal.results(watch, 256);
    GroupsEvidence groups = Objects.requireNonNull(last(results, "groups").ofGroups());
    assertEquals(1, groups.tests().size());
    assertEquals("f", groups.tests().get(0).level());
    assertTrue(groups.tests().get(0).alarm() && groups.tests().get(0).flagged());
    assertTrue(groups.tests().get(0).high() < -.02, groups.toString());
    assertEquals(
        last(results, "groups").rows(),
        groups.tests().get(0).rows() + groups.tests().get(0).otherRows());
    assertTrue(last(results, "groups").leftOut() > 0, "people who disclose no gender");
    SegmentWatch fair = log.watch();
    fair.add(WatchedLog.named("groups", WatchedLog.genders(BEFORE)));
    GroupsEvidence none = Objects.requireNonNull(last(log.results(fair, 256), "groups").ofGroups());
    assertFalse(none.tests().get(0).alarm(), none.toString());
  }

  @Test
  void aWindowThatClosesWithoutARewardIsAMissingReward() {
    long timeouts =
        log.records.stream()
            .filter(
                it ->
                    it.output() instanceof SegmentEvent event
                        && event.type() == SegmentEventType.REWARD_TIMEOUT)
            .count();
    SegmentWatch watch = log.watch();
    watch.add(WatchedLog.named("one", log.challenger(FAIR, 0, Map.of())));
    List<WatchRecord> results = log.results(watch, 256);
    assertTrue(timeouts > 0);
    assertTrue(last(results, "one").missing() <= timeouts);
    assertTrue(last(results, "one").missing() > timeouts * 8 / 10);
  }

  @Test
  void noMoreDecisionsWaitThanAllowedBeforeARegistrationStarts() {
    SegmentWatch watch = new SegmentWatch(log, 3, 1);
    watch.add(WatchedLog.named("groups", WatchedLog.genders(PEOPLE - 1)));
    for (LoggedRecord record : log.records.subList(0, 2000)) {
      assertEquals(List.of(), watch.on(List.of(record), Runnable::run));
      assertTrue(watch.pending() <= 3, () -> watch.pending() + " wait");
    }
  }

  @Test
  void droppedDecisionsOfTheLogSettleTheirRows() {
    CompiledSpec narrow = spec(FAIR, "reward-window: 1d", "reward-window: 1d, max-pending: 5");
    WatchedLog crowded = new WatchedLog(narrow).play(400);
    SegmentWatch watch = crowded.watch();
    watch.add(WatchedLog.named("groups", WatchedLog.genders(0)));
    crowded.results(watch, 64);
    assertTrue(watch.pending() <= 5, () -> watch.pending() + " wait");
  }

  private static CompiledSpec spec(CompiledSpec of, String piece, String other) {
    return CompiledSpec.of(SpecParser.parse(of.spec().text().replace(piece, other)));
  }

  @Test
  void anotherRangeOfRewardsEndsAMonitorOfRewardsAndNoneOfArms() {
    CompiledSpec wider =
        spec(
            FAIR,
            "reward: {range: [0, 1]}",
            "reward: {range: [0, 2]}\non-incompatible-change: reset");
    WatchedLog changed = new WatchedLog(FAIR).play(300).publish(wider).play(300);
    SegmentWatch watch = changed.watch();
    watch.add(WatchedLog.named("rewards", WatchedLog.genders(100)));
    watch.add(
        WatchedLog.named(
            "arms",
            new GroupsRegistration(
                List.of("gender"),
                WatchedQuantity.ARM,
                List.of("offer=large"),
                .02,
                .05,
                100_000,
                0,
                100,
                0)));
    List<WatchRecord> ends =
        changed.results(watch, 64).stream().filter(it -> it.ended() != null).toList();
    assertEquals(List.of("rewards"), ends.stream().map(WatchRecord::id).toList());
    WatchEnded end = ended(ends.get(0));
    assertEquals(WatchEnd.CHAMPION_CHANGED, end.reason());
    assertTrue(end.message().contains("reward.range"), end.message());
  }

  @Test
  void aRefusedContextUnderAnotherSpecEndsACandidateToo() {
    List<LoggedRecord> records = new ArrayList<>(log.records);
    records.replaceAll(
        it ->
            it.output() instanceof Decision decision && it.offset() == BEFORE
                ? ForgedRecords.decision(
                    it,
                    decision.place(),
                    new Versions("0d".repeat(16), 2L, null, null, null),
                    DecisionReason.DEADLINE_EXCEEDED,
                    null)
                : it);
    SegmentWatch watch = log.watch();
    watch.add(WatchedLog.named("one", candidate(GREEDY)));
    WatchEnded end = ended(watch.on(records, Runnable::run).get(0));
    assertEquals(WatchEnd.CHAMPION_CHANGED, end.reason());
    assertEquals("0d".repeat(16), end.adopted());
  }

  @Test
  void aDecisionWithoutFeaturesIsLeftOutAndCounted() {
    List<LoggedRecord> records = new ArrayList<>(log.records.subList(0, 3000));
    records.replaceAll(
        it ->
            it.output() instanceof Decision decision && it.offset() == BEFORE + 50
                ? ForgedRecords.decision(
                    it, decision.place(), decision.versions(), decision.reason(), null)
                : it);
    SegmentWatch watch = log.watch();
    watch.add(WatchedLog.named("one", candidate(GREEDY)));
    List<WatchRecord> results = watch.on(records, Runnable::run);
    assertEquals(1, last(results, "one").leftOut());
  }
}
