package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.LogTopic;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Logs that nobody tampered with: whatever happened, the auditor must find nothing. */
@Tag("slow")
class AuditorTest {
  private static final int LOGS = Tier.count(12, 2_000);
  static final VerifyOptions PLAIN =
      new VerifyOptions(true, Duration.ZERO, 64 << 20, 3, List.of(), Duration.ofSeconds(15), null);

  @Test
  void windowsThatDoNotCloseAreNotedWhereEventTimeStandsStill() {
    PlayedDeployment played = new PlayedDeployment(7, 200).stuck();
    Finding stuck = rewards(played);
    assertEquals(Verdict.NOT_CHECKED, stuck.verdict(), stuck.toString());
    assertTrue(String.valueOf(stuck.why()).contains("event time stands still"), stuck.toString());
    assertEquals(Verdict.OK, rewards(played.ended()).verdict());
  }

  @Test
  void theAdoptionOfASpecThatWasRetiredLongBeforeIsNamed() {
    PlayedDeployment played = new PlayedDeployment(7, 100).ended();
    String hash = played.specs.get(1).spec().hash();
    played.retired.put(hash, played.log.first(LogTopic.DECISIONS, any -> true).timestamp());
    assertEquals(Verdict.OK, replayed(played).verdict());
    played.retired.put(hash, 0L);
    Finding found = replayed(played);
    assertEquals(Verdict.VIOLATED, found.verdict(), found.toString());
    assertTrue(String.valueOf(found.why()).contains("had been retired"), found.toString());
  }

  private static Finding replayed(PlayedDeployment played) {
    return TamperedLog.of(new Auditor(played.log, played.texts(), PLAIN).check(), Invariant.I3);
  }

  private static Finding rewards(PlayedDeployment played) {
    return TamperedLog.of(new Auditor(played.log, played.texts(), PLAIN).check(), Invariant.I2);
  }

  @Test
  void anHonestLogViolatesNothingWhereverItEnds() {
    Map<Invariant, Long> checked = new EnumMap<>(Invariant.class);
    for (int seed = 0; seed < LOGS; seed++) {
      PlayedDeployment played = new PlayedDeployment(seed, 30 + 10 * (seed % 40));
      if (seed % 3 == 0) {
        played.ended();
      }
      List<Finding> findings = new Auditor(played.log, played.texts(), PLAIN).check();
      for (Finding finding : findings.subList(0, 7)) {
        boolean isEmpty = finding.verdict() == Verdict.NOT_CHECKED && finding.checked() == 0;
        assertTrue(isEmpty || finding.verdict() == Verdict.OK, "seed " + seed + ": " + finding);
        checked.merge(finding.invariant(), finding.checked(), Long::sum);
      }
    }
    checked.forEach(
        (invariant, count) -> {
          assertTrue(count > 0, "nothing was checked of " + invariant);
          Tier.found(AuditorTest.class, invariant + " checked", count);
        });
  }
}
