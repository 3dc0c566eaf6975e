package io.equipoise.join;

import io.equipoise.bandit.LevelMap;
import io.equipoise.spec.Arm;
import io.equipoise.spec.OnIncompatibleChange;
import io.equipoise.spec.SpecVariable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How the model of a segment goes on under a spec that takes over. */
sealed interface Succession {

  /** Its statistics mean the same; so do pending decisions. */
  record Kept() implements Succession {}

  /** Its statistics mean the same, and there are more levels. */
  record Extended(LevelMap levels) implements Succession {}

  /** Its statistics would mean something else: it starts anew. */
  record Anew() implements Succession {}

  /** Says whether a spec's {@code on-incompatible-change} lets it take over so. */
  default boolean isAllowed(CompiledSpec next) {
    return !(this instanceof Anew)
        || next.spec().onIncompatibleChange() == OnIncompatibleChange.RESET;
  }

  /** Finds out from the state, and from the text of the spec before if it is known. */
  static Succession of(Turn turn, CompiledSpec next) {
    return isRedefined(turn, next) ? new Anew() : byMeaning(turn, next);
  }

  private static Succession byMeaning(Turn turn, CompiledSpec next) {
    String fingerprint = turn.head.fingerprint;
    if (fingerprint == null || fingerprint.equals(next.bandit().fingerprint())) {
      return new Kept();
    }
    CompiledSpec before = turn.spec;
    LevelMap levels =
        before == null || !fingerprint.equals(before.bandit().fingerprint())
            ? null
            : next.bandit().extensionOf(before.bandit());
    return levels == null ? new Anew() : new Extended(levels);
  }

  /** Says whether an arm's id would stand for other levels than it did under the running model. */
  private static boolean isRedefined(Turn turn, CompiledSpec next) {
    Map<String, List<String>> before = names(turn.spec);
    Heritage heritage = (Heritage) turn.state.blocks().get(Heritage.KEY);
    for (Map.Entry<String, List<String>> arm : names(next).entrySet()) {
      List<String> meant = before.get(arm.getKey());
      if (meant == null && heritage != null) {
        meant = heritage.retired(arm.getKey());
      }
      if (meant != null && !meant.equals(arm.getValue())) {
        return true;
      }
    }
    return false;
  }

  private static Map<String, List<String>> names(@Nullable CompiledSpec spec) {
    Map<String, List<String>> names = new HashMap<>();
    if (spec != null) {
      List<SpecVariable> actions = spec.spec().variables().actions();
      for (Arm arm : spec.spec().arms().list()) {
        names.put(arm.id(), Meanings.names(arm, actions));
      }
    }
    return names;
  }
}
