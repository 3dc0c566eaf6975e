package io.equipoise.segment.state;

import io.equipoise.event.CausalBoundSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds sets of causal bounds by name and by hash. A set is available once it has all its rows. */
public interface BoundsRegistry {
  BoundsRegistry NONE = of();

  static BoundsRegistry of(CausalBoundSet... sets) {
    return new BoundsRegistry() {
      @Override
      public List<CausalBoundSet> offered(String name) {
        return Stream.of(sets).filter(set -> set.name().equals(name)).toList();
      }

      @Override
      public @Nullable CausalBoundSet byHash(String hash) {
        return Stream.of(sets).filter(set -> set.hash().equals(hash)).findAny().orElse(null);
      }
    };
  }

  /**
   * Returns the sets of a name that are not retired: the highest version first, then the lowest
   * hash. The sets are not checked against a spec.
   */
  List<CausalBoundSet> offered(String name);

  /** Returns a set by its hash, also a retired one, or null if it is not known. */
  @Nullable CausalBoundSet byHash(String hash);
}
