package io.equipoise.policy.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is learned is a contract to the bit: across processes and releases. */
@Tag("slow")
class LinearStateBitsTest {
  private static final String GOLDEN =
      "e4ea5f26c36d63fce0cc4030276f31ae6c287164492c3794724d58cab4ff1f77";

  @Test
  void stateAndChoicesAreWhatTheyWere() {
    assertEquals(GOLDEN, LinearStateDigest.digest());
  }

  @Test
  void aNewProcessLearnsTheSame() throws Exception {
    assertEquals(GOLDEN, ChildJvm.output(List.of(), LinearStateDigest.class));
  }
}
