package io.equipoise.lab.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.equipoise.audit.verify.Finding;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.audit.verify.Invariant;
import io.equipoise.lab.chaos.LogVerifier.VerifiedLog;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LogVerifierTest {
  private static Finding finding(Invariant invariant, Verdict verdict, long checked, String why) {
    return new Finding(invariant, verdict, checked, 0, "segment s, seq 7", why);
  }

  @Test
  void whatIsViolatedIsNamedWithItsOffender() {
    VerifiedLog verified =
        LogVerifier.summary(
            List.of(
                finding(Invariant.I1, Verdict.OK, 12, "fine"),
                finding(Invariant.I2, Verdict.OK, 9, "fine"),
                finding(Invariant.I3, Verdict.VIOLATED, 3, "another digest")),
            Set.of());
    assertEquals(
        new VerifiedLog(List.of("I3: segment s, seq 7: another digest"), 12, 9, 3), verified);
    assertFalse(verified.isGood());
  }

  @Test
  void whatCouldNotBeCheckedIsNoProofUnlessNobodyAsked() {
    List<Finding> findings =
        List.of(
            finding(Invariant.I5, Verdict.NOT_CHECKED, 0, "the log has lost its beginning"),
            new Finding(Invariant.I8, Verdict.NOT_CHECKED, 0, 0, null, "nobody asked"));
    assertEquals(
        List.of("I5 not checked: segment s, seq 7: the log has lost its beginning"),
        LogVerifier.summary(findings, Set.of(Invariant.I8)).violations());
  }
}
