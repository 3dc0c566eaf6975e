package io.equipoise.cli;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts threads without which a service would live on and serve nothing. If one fails, the process
 * ends with exit code {@value #EXIT_CODE}, so that whoever started it notices and starts it again.
 */
public final class VitalThread {
  private static final Logger LOG = LoggerFactory.getLogger(VitalThread.class);
  private static final int EXIT_CODE = 70;

  private VitalThread() {}

  /** Returns a daemon thread that is not started. */
  public static Thread of(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler(VitalThread::end);
    return thread;
  }

  /** Halts: an orderly exit may need the memory or the locks whose lack ended the thread. */
  private static void end(Thread thread, Throwable failure) {
    try {
      LOG.error("Thread {} failed, so the process ends; start it again", thread.getName(), failure);
    } finally {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }
}
