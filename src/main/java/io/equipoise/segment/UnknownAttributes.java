package io.equipoise.segment;

import io.equipoise.event.CandidateArm;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.Nearest;
import io.equipoise.segmentspec.SpecVariable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts the contexts with an attribute that their spec does not declare, and logs each name once.
 * Such an attribute is ignored: if a feature store renames {@code gender}, its people would count
 * as undisclosed, and nobody would see why. Thread-safe.
 */
public final class UnknownAttributes {
  private static final int MOST_LOGGED = 100;
  private static final int MOST_CHARS = 64;

  private final Set<String> logged = ConcurrentHashMap.newKeySet();
  private final Runnable counter;
  private final Consumer<String> log;

  /**
   * Counts and logs nothing yet.
   *
   * @param counter is called for each such context
   * @param log receives at most {@value #MOST_LOGGED} lines
   */
  public UnknownAttributes(Runnable counter, Consumer<String> log) {
    this.counter = counter;
    this.log = log;
  }

  /** Checks the attributes of a context and of its candidates. */
  public void look(
      Map<String, ?> attributes, @Nullable List<CandidateArm> candidates, CompiledSpec spec) {
    boolean isUnknown = hasUnknown(attributes, spec);
    if (candidates != null) {
      for (CandidateArm candidate : candidates) {
        isUnknown |= hasUnknown(candidate.attributes(), spec);
      }
    }
    if (isUnknown) {
      counter.run();
    }
  }

  private boolean hasUnknown(Map<String, ?> attributes, CompiledSpec spec) {
    boolean isUnknown = false;
    for (String name : attributes.keySet()) {
      if (!spec.encoder().knows(name)) {
        isUnknown = true;
        String key = spec.spec().name() + "\n" + name;
        if (logged.size() < MOST_LOGGED && name.length() <= MOST_CHARS && logged.add(key)) {
          log.accept(message(name, spec));
        }
      }
    }
    return isUnknown;
  }

  private static String message(String name, CompiledSpec spec) {
    List<String> names = spec.spec().variables().all().stream().map(SpecVariable::name).toList();
    return "Contexts have the attribute %s, which is no variable of spec %s and is ignored. %s"
        .formatted(
            name,
            spec.spec().name(),
            Nearest.suggestion(name, names) + "The metric unknownAttributes counts them.");
  }
}
