package io.equipoise.job;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.Auditor;
import io.equipoise.audit.verify.Finding;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.audit.verify.MemoryLog;
import io.equipoise.audit.verify.VerifyOptions;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.ValidWriterEpochs;
import io.equipoise.event.Wire;
import io.equipoise.event.WriterEpochMarker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Seeded schedules of kills, frozen jobs, lost buffers and broken starts. */
class WriterEpochSimulationTest {
  private static final int SCHEDULES = Tier.count(3, 2_000);
  private static final int FEWER = Tier.count(2, 500);
  private static final int STEPS = 500;

  private int repeated;
  private int recovered;

  /** Decisions of ids that an earlier context had. */
  private int forgotten;

  private long voided;
  private int starts;
  private int rivals;

  @Test
  void noDecisionCarriesTwoArmsAndTheSurvivingHistoryIsAsGoodAsAnyOther() {
    for (int seed = 0; seed < SCHEDULES; seed++) {
      RestlessDeployment played = played(seed, execution -> true);
      voided += played.answers.voided();
      starts += played.starts;
      rivals += played.rivals;
      assertEquals(0, played.ended, "seed " + seed + ": a dead job ended one that lived");
    }
    assertTrue(recovered > 0 && voided > 0 && rivals > 0, "the schedules are tame");
    assertTrue(forgotten > 0, "no answered id was evicted before its context came again");
    Tier.found(getClass(), "starts", starts);
    Tier.found(getClass(), "answers given again", repeated);
    Tier.found(getClass(), "void records", voided);
  }

  @Test
  void whatLeavesItsFeaturesOffIsRecoveredAndCheckedByItsContext() {
    int learned = 0;
    for (int seed = 0; seed < FEWER; seed++) {
      for (Decision decision : decisions(played(seed, execution -> false))) {
        assertNull(decision.features());
        learned += decision.recovered() && decision.isChosen() ? 1 : 0;
      }
    }
    assertTrue(learned > 0, "no answer was taken over");
  }

  @Test
  void whetherFeaturesAreToldMayChangeAtEveryRestart() {
    int toldLater = 0;
    int leftOffLater = 0;
    for (int seed = 0; seed < FEWER; seed++) {
      RestlessDeployment played = played(seed, execution -> execution % 2 == 0);
      for (Decision decision : decisions(played)) {
        Decision shown = shown(played, decision);
        if (decision.recovered() && decision.isChosen() && shown != null) {
          toldLater += shown.lacksFeatures() && !decision.lacksFeatures() ? 1 : 0;
          leftOffLater += !shown.lacksFeatures() && decision.lacksFeatures() ? 1 : 0;
        }
      }
    }
    assertTrue(toldLater > 0 && leftOffLater > 0, toldLater + ", " + leftOffLater);
  }

  /** Plays a schedule, in which every answer must hold and every invariant of the log. */
  private RestlessDeployment played(int seed, IntPredicate tellsFeatures) {
    RestlessDeployment played = new RestlessDeployment(seed, STEPS, tellsFeatures);
    everyValidRecordCarriesTheArmThatWasShown(played, seed);
    for (Finding finding : check(played).subList(0, 7)) {
      assertEquals(Verdict.OK, finding.verdict(), "seed " + seed + ": " + finding);
    }
    return played;
  }

  /** Returns all decisions that were written, void ones too. */
  private static List<Decision> decisions(RestlessDeployment played) {
    List<Decision> decisions = new ArrayList<>();
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      for (LogRecord at : played.log.records(LogTopic.DECISIONS, partition)) {
        if (!at.isMarker()) {
          decisions.add(Wire.DECISION.decode(at.value()));
        }
      }
    }
    return decisions;
  }

  /** Returns the answer that people saw. */
  private static @Nullable Decision shown(RestlessDeployment played, Decision decision) {
    return played.shown.get(RestlessDeployment.contextOf(decision));
  }

  static List<Finding> check(RestlessDeployment played) {
    VerifyOptions verifyOptions =
        new VerifyOptions(
            true, Duration.ZERO, 64 << 20, 3, List.of(), Duration.ofSeconds(15), null);
    return new Auditor(played.log, played.texts(), verifyOptions).check();
  }

  private void everyValidRecordCarriesTheArmThatWasShown(RestlessDeployment played, int seed) {
    Map<String, Decision> firsts = new HashMap<>();
    Map<String, Set<String>> arms = new HashMap<>();
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      ValidWriterEpochs valid = new ValidWriterEpochs();
      for (LogRecord at : played.log.records(LogTopic.DECISIONS, partition)) {
        if (at.isMarker()) {
          valid.on(WriterEpochMarker.of(at.headers()));
          continue;
        }
        Decision decision = Wire.DECISION.decode(at.value());
        if (valid.on(decision)) {
          Decision shown = requireNonNull(shown(played, decision));
          String id = decision.segment() + "/" + decision.decisionId();
          boolean isNarrow = decision.segment().equals(RestlessDeployment.NARROW_SEGMENT);
          if (!decision.isRepeated()) {
            Decision first = firsts.putIfAbsent(id, shown);
            if (first != null && first != shown && decision.isChosen()) {
              assertTrue(isNarrow, "seed " + seed + ": " + decision);
              forgotten++;
            }
            arms.computeIfAbsent(id, any -> new HashSet<>()).add(String.valueOf(decision.arm()));
          }
          if (isNarrow && shown.isRepeated()) { // its id may have been evicted earlier this time
            String arm = String.valueOf(decision.arm());
            assertTrue(arms.getOrDefault(id, Set.of()).contains(arm), "seed " + seed + decision);
            continue;
          }
          assertEquals(shown.arm(), decision.arm(), "seed " + seed + ": " + decision);
          boolean isFirst =
              shown.seq() == decision.seq() && shown.writerEpoch() == decision.writerEpoch();
          repeated += isFirst ? 0 : 1;
          recovered += decision.recovered() ? 1 : 0;
        }
      }
    }
  }
}
