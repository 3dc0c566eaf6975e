package io.equipoise.join;

import io.equipoise.event.PriorSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sets of prior bounds that have all their rows, by name and by hash. */
public interface PriorBook {
  /** Holds none. */
  PriorBook NONE =
      new PriorBook() {
        @Override
        public List<PriorSet> offered(String name) {
          return List.of();
        }

        @Override
        public @Nullable PriorSet byHash(String hash) {
          return null;
        }
      };

  /**
   * Returns the sets of a name that are not retired: the highest number first, of equal numbers the
   * lowest hash. Whether a spec can use them is not asked.
   */
  List<PriorSet> offered(String name);

  /** Returns a set by its hash, retired ones too, or null where it is not (or no longer) known. */
  @Nullable PriorSet byHash(String hash);
}
