package io.equipoise.segment.log;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Provides the decisions that earlier writer epochs published before their state was lost. Someone
 * may have read them, so a context that has one gets it again.
 */
public interface RecoveredDecisions {
  /** Has no decisions; for output that becomes visible only with the state that contains it. */
  RecoveredDecisions NONE = context -> null;

  /** Removes and returns the recovered decision on a context, or returns null if there is none. */
  @Nullable Decision take(ContextEvent context);

  /**
   * Returns the earliest recovered decision of a segment whose context has not arrived again, or
   * null if there is none. Drops those before it that the restored state contains. Skips decisions
   * that gave the segment no state.
   *
   * @param isKnown whether the segment's state knows the decision of an id
   */
  default @Nullable Decision next(String segment, Predicate<String> isKnown) {
    return null;
  }
}
