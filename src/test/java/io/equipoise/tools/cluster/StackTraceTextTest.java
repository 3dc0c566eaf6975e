package io.equipoise.tools.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class StackTraceTextTest {
  private static final String REFUSED =
      """
      2026-11-29 09:42:56 ERROR CliFrontend - Error while running the command.
      org.apache.flink.client.program.ProgramInvocationException: The main method failed: x
      \tat org.apache.flink.client.program.PackagedProgram.callMainMethod(PackagedProgram.java:3)
      Caused by: io.equipoise.job.options.StartRefusedException: The start is refused:
        equipoise.delivery: is exactly-once, but a.decisions has others
        and a second fault
      \tat io.equipoise.job.start.DeliveryCheck.refuseOther(DeliveryCheck.java:80)
      \t... 9 more
      """;

  @Test
  void aRefusalIsReportedInOurWordsAlone() {
    String words =
        "The start is refused:\n"
            + "  equipoise.delivery: is exactly-once, but a.decisions has others\n"
            + "  and a second fault";
    assertEquals(Optional.of(words), StackTraceText.own(REFUSED));
    assertEquals(words, StackTraceText.rootCause(REFUSED));
  }

  @Test
  void anExceptionOfOthersIsReportedWithoutItsClass() {
    String trace = "a.b.C: x\n\tat d.e(F.java:1)\nCaused by: a.b.DException: why\n\t... 2 more";
    assertEquals("why", StackTraceText.rootCause(trace));
    assertEquals(Optional.empty(), StackTraceText.own(trace));
    assertEquals("java.lang.Error", StackTraceText.rootCause("java.lang.Error\n\tat d.e(F.java)"));
  }
}
