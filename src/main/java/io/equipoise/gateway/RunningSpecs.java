package io.equipoise.gateway;

import io.equipoise.event.Decision;
import io.equipoise.segment.state.CompiledSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the specs that a segment may run under: that of its last decision, and the one in force,
 * which it adopts at its next input or has rejected. Thread-safe.
 *
 * <p>A segment keeps its spec when it rejects a newer one, and its decisions go on to name it. So
 * the gateway refuses an input only if the job would refuse it under both.
 */
final class RunningSpecs {
  /** Segments beyond this number are taken to run under the spec in force. */
  private static final int MOST_SEGMENTS = 100_000;

  private final SpecFollower specs;

  /**
   * Hash of the spec of the last decision, by segment, the segment that decided last at the end.
   */
  private final Map<String, String> last =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > MOST_SEGMENTS;
        }
      };

  RunningSpecs(SpecFollower specs) {
    this.specs = specs;
  }

  void decided(Decision decision) {
    String hash = decision.specHash();
    if (hash != null) {
      synchronized (last) {
        last.put(decision.segment(), hash);
      }
    }
  }

  /** Returns the specs that a segment may run under, that of its last decision first. */
  List<CompiledSpec> of(String segment) {
    ServedSpecs served = specs.specs();
    @Nullable String hash;
    synchronized (last) {
      hash = last.get(segment);
    }
    @Nullable CompiledSpec running = hash == null ? null : served.byHash(hash);
    @Nullable CompiledSpec selected = served.select(segment);
    if (running == null || running.equals(selected)) {
      return selected == null ? List.of() : List.of(selected);
    }
    return selected == null ? List.of(running) : List.of(running, selected);
  }

  /** Returns at most so many segments that keep a spec which is not in force, with that spec. */
  Map<String, CompiledSpec> behind(int most) {
    ServedSpecs served = specs.specs();
    Map<String, CompiledSpec> behind = new TreeMap<>();
    synchronized (last) {
      for (Map.Entry<String, String> it : last.entrySet()) {
        CompiledSpec spec = served.byHash(it.getValue());
        if (spec != null && !served.inForce().contains(spec.spec()) && behind.size() < most) {
          behind.put(it.getKey(), spec);
        }
      }
    }
    return behind;
  }
}
