package io.equipoise.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/**
 * Runs trials on two threads, or as many as asked for. A trial depends on its number alone and
 * results are kept in order, so the number of threads changes nothing.
 */
public final class Parallel {
  private static final int THREADS = 2;

  private Parallel() {}

  /**
   * Returns the results of trials 0 to this, exclusive.
   *
   * @param trial called from several threads
   * @param onDone called after each trial, from several threads
   * @throws IllegalStateException if a trial failed
   */
  public static <T> List<T> trials(int count, IntFunction<T> trial, Runnable onDone) {
    return trials(count, THREADS, trial, onDone);
  }

  /** Does the same on so many threads. */
  public static <T> List<T> trials(
      int count, int threadCount, IntFunction<T> trial, Runnable onDone) {
    ExecutorService threads = Executors.newFixedThreadPool(threadCount);
    try {
      List<Future<T>> pending = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int number = i;
        pending.add(
            threads.submit(
                () -> {
                  T result = trial.apply(number);
                  onDone.run();
                  return result;
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> result : pending) {
        results.add(result.get());
      }
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while trials were running", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a trial failed", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }
}
