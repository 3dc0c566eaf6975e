package io.equipoise.policy;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PolicyCallTest {
  @AfterEach
  void forgetInterrupt() {
    boolean unused = Thread.interrupted();
  }

  @Test
  void anInterruptOfThePolicyIsDropped() {
    PolicyCall.run(() -> Thread.currentThread().interrupt());
    assertFalse(Thread.currentThread().isInterrupted());
    assertThrows(
        IllegalStateException.class,
        () ->
            PolicyCall.run(
                () -> {
                  Thread.currentThread().interrupt();
                  throw new IllegalStateException("of the policy");
                }));
    assertFalse(Thread.currentThread().isInterrupted());
  }

  @Test
  void anInterruptOfTheTaskStays() {
    Thread.currentThread().interrupt();
    assertTrue(PolicyCall.of(() -> Thread.currentThread().isInterrupted()));
    assertTrue(Thread.currentThread().isInterrupted());
  }
}
