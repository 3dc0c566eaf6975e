package io.equipoise.policy.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * In the steady state a round allocates nothing. Each test has a JVM of its own, which has compiled
 * nothing else before.
 */
@Tag("slow")
class SteadyRoundsTest {
  /** No compiler has a hand in it: what is written allocates nothing. */
  @Test
  void interpretedRoundsAllocateNothing() throws Exception {
    assertAllocated(0, ChildJvm.output(List.of("-Xint"), SteadyRounds.class, "0"));
  }

  @Test
  void compiledRoundsAllocateNothing() throws Exception {
    String printed = ChildJvm.output(List.of(), SteadyRounds.class, "60");
    assertAllocated(SteadyRounds.NEXT_TO_NOTHING, printed);
  }

  private static void assertAllocated(double mostBytes, String printed) {
    List<String> lines = printed.lines().toList();
    assertEquals(4, lines.size(), printed);
    for (String line : lines) {
      double bytes = Double.parseDouble(line.substring(line.indexOf(' ')));
      assertTrue(bytes <= mostBytes, printed);
    }
  }
}
