package io.equipoise.tools.chaos;

import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.KafkaLog;
import io.equipoise.audit.verify.Auditor;
import io.equipoise.audit.verify.Finding;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.audit.verify.Invariant;
import io.equipoise.audit.verify.SpecCatalog;
import io.equipoise.audit.verify.VerifyOptions;
import io.equipoise.job.control.PublishedControls;
import io.equipoise.job.options.JobConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Verifies from the committed topics alone, as {@code equipoise audit verify} does, that every
 * promise was kept. The traffic has ended and was answered.
 */
final class LogVerifier {
  /** Longer than transactions of a killed process stay open in a chaos run. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final int PARTS_OF_HEAP = 4;
  private static final int MOST_ISOLATED = 100;

  private LogVerifier() {}

  /** Reads the deployment's topics to their ends, which do not move, and verifies them. */
  static VerifiedLog verify(JobConfig config) throws InterruptedException {
    try {
      PublishedControls controls = PublishedControls.read(config);
      VerifyOptions verifyOptions =
          new VerifyOptions(
              true,
              config.allowedSkew(),
              Runtime.getRuntime().maxMemory() / PARTS_OF_HEAP,
              MOST_ISOLATED,
              List.of(),
              Duration.ZERO,
              null);
      Auditor auditor =
          new Auditor(
              KafkaLog.open(config, Map.of(), PATIENCE), SpecCatalog.of(controls), verifyOptions);
      return summary(auditor.check(), auditor.unasked());
    } catch (InconclusiveException e) {
      return new VerifiedLog(List.of("nothing could be judged: " + e.getMessage()), 0, 0, 0);
    }
  }

  /** Takes what could not be judged for a violation: a run must prove what it claims. */
  static VerifiedLog summary(List<Finding> findings, Set<Invariant> unasked) {
    List<String> violations = new ArrayList<>();
    for (Finding finding : findings) {
      if (finding.verdict() != Verdict.OK && !unasked.contains(finding.invariant())) {
        String name = finding.verdict() == Verdict.VIOLATED ? "" : " not judged";
        String offender = finding.offender() == null ? "" : finding.offender() + ": ";
        violations.add(finding.invariant() + name + ": " + offender + finding.why());
      }
    }
    return new VerifiedLog(
        violations,
        judged(findings, Invariant.I1),
        judged(findings, Invariant.I2),
        judged(findings, Invariant.I3));
  }

  private static long judged(List<Finding> findings, Invariant invariant) {
    return findings.stream()
        .filter(finding -> finding.invariant() == invariant)
        .mapToLong(Finding::judged)
        .sum();
  }

  /**
   * What was found.
   *
   * @param violations one line each, with the key of the first offender; empty if all was kept
   * @param contexts that had to be answered once
   * @param rewards that had to be learned once
   * @param snapshots of the learning state that the replayed log had to reach, bit for bit
   */
  record VerifiedLog(List<String> violations, long contexts, long rewards, long snapshots) {
    VerifiedLog {
      violations = List.copyOf(violations);
    }

    boolean isGood() {
      return violations.isEmpty();
    }
  }
}
