package io.equipoise.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.apache.logging.log4j.core.layout.PatternLayout;
import org.apache.logging.log4j.message.SimpleMessage;
import org.junit.jupiter.api.Test;

/** What a caller sends cannot forge, reorder or flood the log of the distribution. */
class LogLinesTest {
  private static final Properties SETTINGS = settings();

  private static Properties settings() {
    Properties settings = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of("flink-conf", "log4j.properties"))) {
      settings.load(reader);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return settings;
  }

  private static String line(String message) {
    PatternLayout layout =
        PatternLayout.newBuilder()
            .withPattern(SETTINGS.getProperty("appender.console.layout.pattern"))
            .build();
    return layout.toSerializable(
        Log4jLogEvent.newBuilder()
            .setLoggerName("a.b.C")
            .setLevel(Level.WARN)
            .setMessage(new SimpleMessage(message))
            .build());
  }

  @Test
  void aMessageIsOneLineOfVisibleCharacters() {
    String line = line("a\nb\u009b31mc\u202ed\u001b[2Je\u2028f é {} $");
    assertEquals(line.length() - 1, line.indexOf('\n'), line);
    assertTrue(line.endsWith("C - a\\nb?31mc?d?[2Je?f é {} $\n"), line);
  }

  @Test
  void aMessageIsBounded() {
    String line = line("x".repeat(100_000));
    assertTrue(line.length() < 4_100, () -> line.length() + " characters");
    assertFalse(line("x".repeat(3_000)).contains("..."));
  }

  @Test
  void theServerDoesNotLogHeadersOfCallers() {
    assertEquals("org.eclipse.jetty", SETTINGS.getProperty("logger.jetty.name"));
    assertEquals("ERROR", SETTINGS.getProperty("logger.jetty.level"));
  }
}
