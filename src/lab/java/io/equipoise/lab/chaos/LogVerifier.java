package io.equipoise.lab.chaos;

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
import io.equipoise.job.options.KafkaErrors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Verifies every guarantee from the committed topics alone, like {@code equipoise audit verify}.
 * The traffic must have ended and been processed.
 */
final class LogVerifier {
  /** Longer than the open transactions of a killed process in a chaos run. */
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
              config.maxClockSkew(),
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
      return new VerifiedLog(
          List.of("nothing could be checked: " + KafkaErrors.of(config).message(e)), 0, 0, 0);
    }
  }

  /** Treats invariants that could not be checked as violations: a run must prove its result. */
  static VerifiedLog summary(List<Finding> findings, Set<Invariant> unasked) {
    List<String> violations = new ArrayList<>();
    for (Finding finding : findings) {
      if (finding.verdict() != Verdict.OK && !unasked.contains(finding.invariant())) {
        String name = finding.verdict() == Verdict.VIOLATED ? "" : " not checked";
        String offender = finding.offender() == null ? "" : finding.offender() + ": ";
        violations.add(finding.invariant() + name + ": " + offender + finding.why());
      }
    }
    return new VerifiedLog(
        violations,
        checked(findings, Invariant.I1),
        checked(findings, Invariant.I2),
        checked(findings, Invariant.I3));
  }

  private static long checked(List<Finding> findings, Invariant invariant) {
    return findings.stream()
        .filter(finding -> finding.invariant() == invariant)
        .mapToLong(Finding::checked)
        .sum();
  }

  /**
   * Holds the findings.
   *
   * @param violations one line each, with the key of the first violation; empty if there is none
   * @param contexts that had to be decided once
   * @param rewards that had to be learned once
   * @param snapshots learning states that the replayed log had to reproduce, bit for bit
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
