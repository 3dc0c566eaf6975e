package io.equipoise.segment.state;

import io.equipoise.event.CausalBoundSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sets of causal bounds that have all their rows, by name and by hash. */
public interface BoundsRegistry {
  /** Holds none. */
  BoundsRegistry NONE =
      new BoundsRegistry() {
        @Override
        public List<CausalBoundSet> offered(String name) {
          return List.of();
        }

        @Override
        public @Nullable CausalBoundSet byHash(String hash) {
          return null;
        }
      };

  /** Returns a registry with one set. */
  static BoundsRegistry of(CausalBoundSet set) {
    return new BoundsRegistry() {
      @Override
      public List<CausalBoundSet> offered(String name) {
        return set.name().equals(name) ? List.of(set) : List.of();
      }

      @Override
      public @Nullable CausalBoundSet byHash(String hash) {
        return set.hash().equals(hash) ? set : null;
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
