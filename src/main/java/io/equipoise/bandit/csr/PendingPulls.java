package io.equipoise.bandit.csr;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Remembers decisions until their windows close; a keyed state of its own where there are many. */
public interface PendingPulls {
  /** Returns a decision that is remembered, or null. */
  @Nullable Pull get(String id);

  /** Remembers a decision, or replaces what is known of it. */
  void put(Pull pull);

  void remove(String id);

  /** Returns those whose deadline is not after a time, by deadline, then by number. */
  List<Pull> due(long time);
}
