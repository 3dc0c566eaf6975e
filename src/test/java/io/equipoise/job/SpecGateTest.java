package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Wire;
import io.equipoise.join.CompiledSpec;
import io.equipoise.join.TestSpecs;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.flink.streaming.util.ProcessFunctionTestHarnesses;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // closing a harness is interruptible
class SpecGateTest {
  private static final String JOIN = "{window: 60s, early: 30s, dedup: 60s}";

  @Test
  void whatAnOperatorShouldKnowOfASpecIsLoggedWhenItIsLetThrough() throws Exception {
    List<String> said = new CopyOnWriteArrayList<>();
    AbstractAppender appender =
        new AbstractAppender("said", null, null, true, Property.EMPTY_ARRAY) {
          @Override
          public void append(LogEvent event) {
            said.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
          }
        };
    appender.start();
    Logger logger = (Logger) LogManager.getLogger(SpecGate.class);
    logger.addAppender(appender);
    String text = TestSpecs.text("linucb, constraint: hard", 1, JOIN, "{range: [0, 1]}", "refuse");
    CompiledSpec spec = TestSpecs.compiled(text);
    String key = SpecText.keyOf(spec.spec().name(), spec.spec().hash());
    try (var harness =
        ProcessFunctionTestHarnesses.forProcessFunction(
            new SpecGate(new CatalogueLimit(1 << 20)))) {
      harness.processElement(record(key, text), 0);
      harness.processElement(record(key, null), 0);
      assertEquals(2, harness.extractOutputValues().size());
    } finally {
      logger.removeAppender(appender);
    }
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
                "refuse")
            .replace("seed: 11", "seed: eleven");
    try (var harness =
        ProcessFunctionTestHarnesses.forProcessFunction(new SpecGate(new CatalogueLimit(16)))) {
      harness.processElement(record("test/" + "0".repeat(64), text), 0);
      assertTrue(harness.extractOutputValues().isEmpty());
      var refused = Objects.requireNonNull(harness.getSideOutput(SpecGate.REFUSED));
      assertEquals(1, refused.size());
      DeadLetter letter = Wire.DEAD_LETTER.decode(refused.remove().getValue().payload().bytes());
      String[] faults = letter.message().split("\n", -1);
      assertEquals(3, faults.length, letter.message());
      assertTrue(faults[0].startsWith("seed, line 4: "), faults[0]);
      assertTrue(faults[1].startsWith("policy.features: no term that shows S "), faults[1]);
      assertTrue(faults[2].startsWith("arms: 2 arms that take "), faults[2]);
    }
  }

  private static RawControl record(String key, @Nullable String text) {
    byte[] value = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    return new RawControl("specs", 0, 0, 0, key.getBytes(StandardCharsets.UTF_8), value);
  }
}
