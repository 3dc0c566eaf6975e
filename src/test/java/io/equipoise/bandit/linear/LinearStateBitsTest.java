package io.equipoise.bandit.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is learnt is a contract to the bit: across kernels, processes and releases. */
class LinearStateBitsTest {
  private static final String GOLDEN =
      "50eb45d987786b8b5309d83e649efa085c7d7bcfbdc38f169c76246723ff81cb";

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
