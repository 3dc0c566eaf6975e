package io.equipoise.segment.log;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The answers that earlier attempts of the job had written when their state was lost. Someone may
 * have read them, so a context that has one gets it again.
 */
public interface RecoveredDecisions {
  /** Where an answer is visible only once its state cannot be lost any more. */
  RecoveredDecisions NONE = context -> null;

  /** Takes out the answer that a context was given, or returns null where it was given none. */
  @Nullable Decision take(ContextEvent context);

  /**
   * Returns the earliest of a segment's answers whose contexts have not arrived again, or null if
   * there is none. Drops those before it that the restored state contains. An answer that gave the
   * segment no state is none of them.
   *
   * @param isKnown whether the segment's state knows the decision of an id
   */
  default @Nullable Decision next(String segment, Predicate<String> isKnown) {
    return null;
  }
}
