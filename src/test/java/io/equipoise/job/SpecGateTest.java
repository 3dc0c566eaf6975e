package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.join.CompiledSpec;
import io.equipoise.join.TestSpecs;
import java.nio.charset.StandardCharsets;
import java.util.List;
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

  private static RawControl record(String key, @Nullable String text) {
    byte[] value = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    return new RawControl("specs", 0, 0, 0, key.getBytes(StandardCharsets.UTF_8), value);
  }
}
