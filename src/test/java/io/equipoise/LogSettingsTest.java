package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.cli.QuietLog;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.flink.streaming.api.operators.collect.CollectResultFetcher;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.ConfigurationSource;
import org.apache.logging.log4j.core.config.properties.PropertiesConfigurationFactory;
import org.junit.jupiter.api.Test;

/** Reads the log settings of the distribution. */
class LogSettingsTest {
  /** It warns, with a stack trace, whenever a small job of the verb bounds has ended. */
  @Test
  void aCountingJobThatSucceedsPrintsNoStackTrace() {
    System.clearProperty(QuietLog.LEVEL); // a verb of a suite before may have set it
    ConfigurationSource source =
        Objects.requireNonNull(
            ConfigurationSource.fromUri(Path.of("flink-conf/log4j.properties").toUri()));
    Configuration settings =
        new PropertiesConfigurationFactory().getConfiguration(new LoggerContext("test"), source);
    settings.initialize();
    String name = CollectResultFetcher.class.getName();
    assertEquals(Level.ERROR, settings.getLoggerConfig(name).getLevel());
    assertEquals(Level.WARN, settings.getLoggerConfig("org.apache.flink").getLevel());
  }
}
