package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.verify.Auditor;
import io.equipoise.audit.verify.Finding;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.audit.verify.MemoryLog;
import io.equipoise.audit.verify.Question;
import io.equipoise.event.AttemptMarker;
import io.equipoise.event.Decision;
import io.equipoise.event.ValidAttempts;
import io.equipoise.event.Wire;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Seeded schedules of kills, frozen jobs, lost buffers and broken starts. */
class AttemptSimulationTest {
  private static final int SCHEDULES = Tier.count(12, 2_000);
  private static final int STEPS = 500;

  private int repeated;
  private int recovered;
  private long voided;
  private int starts;
  private int rivals;

  @Test
  void noDecisionCarriesTwoArmsAndTheSurvivingHistoryIsAsGoodAsAnyOther() {
    for (int seed = 0; seed < SCHEDULES; seed++) {
      RestlessDeployment played = new RestlessDeployment(seed, STEPS);
      everyValidRecordCarriesTheArmThatWasShown(played, seed);
      for (Finding finding : judge(played).subList(0, 7)) {
        assertEquals(Verdict.OK, finding.verdict(), "seed " + seed + ": " + finding);
      }
      voided += played.answers.voided();
      starts += played.starts;
      rivals += played.rivals;
      assertEquals(0, played.ended, "seed " + seed + ": a dead job ended one that lived");
    }
    assertTrue(recovered > 0 && voided > 0 && rivals > 0, "the schedules are tame");
    Tier.found(getClass(), "starts", starts);
    Tier.found(getClass(), "answers given again", repeated);
    Tier.found(getClass(), "void records", voided);
  }

  static List<Finding> judge(RestlessDeployment played) {
    Question question =
        new Question(
            true,
            RestlessDeployment.MAX_RECORD_BYTES,
            Duration.ZERO,
            64 << 20,
            3,
            List.of(),
            Duration.ofSeconds(15),
            null);
    return new Auditor(played.log, played.texts(), question).judge();
  }

  private void everyValidRecordCarriesTheArmThatWasShown(RestlessDeployment played, int seed) {
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      ValidAttempts valid = new ValidAttempts();
      for (LogRecord at : played.log.records(LogTopic.DECISIONS, partition)) {
        if (AttemptMarker.isIn(at.value())) {
          valid.on(Wire.ATTEMPT.decode(at.value()));
          continue;
        }
        Decision decision = Wire.DECISION.decode(at.value());
        if (valid.on(decision)) {
          Decision shown = played.shown.get(decision.segment() + "/" + decision.decisionId());
          assertEquals(shown.arm(), decision.arm(), "seed " + seed + ": " + decision);
          boolean isFirst = shown.seq() == decision.seq() && shown.attempt() == decision.attempt();
          repeated += isFirst ? 0 : 1;
          recovered += decision.recovered() ? 1 : 0;
        }
      }
    }
  }
}
