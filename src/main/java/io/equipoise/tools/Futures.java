package io.equipoise.tools;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for futures of the local cluster; an error names the operation that it waited for. */
final class Futures {
  /** Longer than any single request on a loaded machine; ends the wait if a response is lost. */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  private Futures() {}

  static <T> T get(CompletableFuture<T> promise, String what) {
    return get(promise, PATIENCE, what);
  }

  static <T> T get(CompletableFuture<T> promise, Duration atMost, String what) {
    try {
      return promise.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(what + " failed", e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException(what + " took longer than " + atMost, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(what + " was interrupted", e);
    }
  }
}
