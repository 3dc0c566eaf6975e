package io.equipoise.job;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** Collects what a class logs. */
public final class Said {
  private Said() {}

  /** What is done meanwhile. */
  public interface Action {
    void run() throws Exception;
  }

  /** Returns the lines, each after its level, that a class logs while an action runs. */
  public static List<String> by(Class<?> logging, Action action) throws Exception {
    List<String> said = new CopyOnWriteArrayList<>();
    AbstractAppender appender =
        new AbstractAppender("said", null, null, true, Property.EMPTY_ARRAY) {
          @Override
          public void append(LogEvent event) {
            said.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
          }
        };
    appender.start();
    Logger logger = (Logger) LogManager.getLogger(logging);
    logger.addAppender(appender);
    try {
      action.run();
    } finally {
      logger.removeAppender(appender);
    }
    return said;
  }
}
