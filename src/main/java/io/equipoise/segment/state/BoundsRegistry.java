package io.equipoise.segment.state;

import io.equipoise.event.CausalBoundSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The sets of causal bounds that have all their rows, by name and by hash. */
public interface BoundsRegistry {
  /** Holds none. */
  BoundsRegistry NONE = of();

  /** Returns a registry with some sets. */
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
   * Returns the sets of a name that are not retired: the highest number first, of equal numbers the
   * lowest hash. Whether a spec can use them is not asked.
   */
  List<CausalBoundSet> offered(String name);

  /** Returns a set by its hash, retired ones too, or null where it is not (or no longer) known. */
  @Nullable CausalBoundSet byHash(String hash);
}
