package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Wire;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.RawControl;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.state.CompiledSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.apache.flink.streaming.util.ProcessFunctionTestHarnesses;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // closing a harness is interruptible
class SpecValidationTest {
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";

  @Test
  void whatAnOperatorShouldKnowOfASpecIsLoggedWhenItIsLetThrough() throws Exception {
    String text = TestSpecs.text("linucb, constraint: hard", 1, JOIN, "{range: [0, 1]}", "reject");
    CompiledSpec spec = TestSpecs.compiled(text);
    String key = spec.spec().key();
    List<String> said =
        Said.by(
            SpecValidation.class,
            () -> {
              try (var harness =
                  ProcessFunctionTestHarnesses.forProcessFunction(
                      new SpecValidation(new CatalogLimit(1 << 20)))) {
                harness.processElement(record(key, text), 0);
                harness.processElement(record(key, null), 0);
                assertEquals(2, harness.extractOutputValues().size());
              }
            });
    assertEquals(2, said.size(), said.toString());
    assertTrue(said.get(1).startsWith("WARN Spec " + key + ": lock-in: "), said.get(1));
  }

  @Test
  void aBadSpecIsRefusedOnceWithTheFaultsOfItsTextAndOfCompiling() throws Exception {
    String text =
        TestSpecs.text(
                "linucb, constraint: hard, features: [{one-hot: X}]",
                1,
                JOIN,
                "{range: [0, 1]}",
                "reject")
            .replace("seed: 11", "seed: eleven");
    try (var harness =
        ProcessFunctionTestHarnesses.forProcessFunction(new SpecValidation(new CatalogLimit(16)))) {
      harness.processElement(record("test/" + "0".repeat(32), text), 0);
      assertTrue(harness.extractOutputValues().isEmpty());
      var refused = Objects.requireNonNull(harness.getSideOutput(ValidationFunction.REFUSED));
      assertEquals(1, refused.size());
      DeadLetter letter = Wire.DEAD_LETTER.decode(refused.remove().getValue().payload().bytes());
      String[] faults = letter.message().split("\n", -1);
      assertEquals(4, faults.length, letter.message());
      assertTrue(faults[0].startsWith("seed, line 4: "), faults[0]);
      assertTrue(
          faults[1].startsWith("policy.features, line 24: no term that shows S "), faults[1]);
      assertTrue(faults[2].startsWith("arms, line 12: 2 arms that take "), faults[2]);
      assertTrue(faults[3].startsWith("variables, line 5: names and longest levels "), faults[3]);
    }
  }

  private static RawControl record(String key, @Nullable String text) {
    byte[] value = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    return new RawControl("specs", 0, 0, 0, key.getBytes(StandardCharsets.UTF_8), value);
  }
}
