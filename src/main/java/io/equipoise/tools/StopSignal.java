package io.equipoise.tools;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets the main thread wait for a termination signal (SIGTERM, SIGINT). The process keeps running
 * until {@link #close}, at most four minutes: a stop with a savepoint may take two, and closing
 * too.
 */
public final class StopSignal implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile boolean hasFailed;
  private volatile @Nullable Runnable lastWords;
  private final Thread hook = new Thread(this::onShutdown, "equipoise-stop");

  /** Starts to listen. */
  public StopSignal() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Waits for the signal with a timeout; returns whether it came. */
  public boolean await(Duration atMost) throws InterruptedException {
    return requested.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Makes the process end with exit code 1. Without it, the code is that of the signal. */
  public void fail() {
    hasFailed = true;
  }

  /**
   * Ends the process with exit code 1 as soon as the signal comes: nothing has to be saved yet.
   *
   * @param words printed before; null to wait for {@link #close} again
   */
  public void endAtOnce(@Nullable Runnable words) {
    lastWords = words;
  }

  /** Lets the process end, or stops listening if it is not ending. */
  @Override
  public void close() {
    done.countDown();
    if (requested.getCount() > 0) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        requested.countDown(); // the shutdown has begun
      }
    }
  }

  private void onShutdown() {
    requested.countDown();
    Runnable words = lastWords;
    if (words != null) {
      words.run();
      Runtime.getRuntime().halt(1);
    }
    try {
      if (!done.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS) || hasFailed) {
        Runtime.getRuntime().halt(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
