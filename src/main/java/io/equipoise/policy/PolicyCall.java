package io.equipoise.policy;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls the code of a policy, which may be of a jar of someone else. */
public final class PolicyCall {
  private PolicyCall() {}

  /**
   * Returns what a policy says, and drops an interrupt that its code leaves on the thread: the next
   * wait of the task would fail and restart the job, for every input like this one.
   */
  public static <T extends @Nullable Object> T of(Supplier<T> asked) {
    boolean wasInterrupted = Thread.currentThread().isInterrupted();
    try {
      return asked.get();
    } finally {
      if (!wasInterrupted) {
        boolean unused = Thread.interrupted();
      }
    }
  }

  /** As {@link #of}, for what returns nothing. */
  public static void run(Runnable asked) {
    boolean unused =
        of(
            () -> {
              asked.run();
              return true;
            });
  }
}
