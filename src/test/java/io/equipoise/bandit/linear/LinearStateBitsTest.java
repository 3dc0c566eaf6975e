package io.equipoise.bandit.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is learnt is a contract to the bit: across kernels, processes and releases. */
class LinearStateBitsTest {
  private static final String GOLDEN =
      "fcf8eae172e7f32fc157b242123182ffca1d711a3cfd67399c64f659becd981c";

  @Test
  void stateAndChoicesAreWhatTheyWere() {
    assertEquals(GOLDEN, LinearStateDigest.digest());
  }

  @Test
  void aProcessWithoutTheVectorModuleLearnsTheSame() throws Exception {
    assertEquals(GOLDEN, ChildJvm.output(List.of(), LinearStateDigest.class));
  }

  @Test
  void aProcessWithTheVectorModuleLearnsTheSame() throws Exception {
    assertEquals(GOLDEN, ChildJvm.output(ChildJvm.WITH_VECTORS, LinearStateDigest.class));
  }
}
