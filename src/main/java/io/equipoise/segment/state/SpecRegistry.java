package io.equipoise.segment.state;

import org.jspecify.annotations.Nullable;

/** The specs in force, by segment and by hash. */
public interface SpecRegistry {
  /** Holds none. */
  SpecRegistry NONE =
      new SpecRegistry() {
        @Override
        public @Nullable CompiledSpec select(String segment) {
          return null;
        }

        @Override
        public @Nullable CompiledSpec byHash(String hash) {
          return null;
        }
      };

  /** Returns a registry with one spec, for every segment. */
  static SpecRegistry of(CompiledSpec spec) {
    return new SpecRegistry() {
      @Override
      public CompiledSpec select(String segment) {
        return spec;
      }

      @Override
      public @Nullable CompiledSpec byHash(String hash) {
        return hash.equals(spec.spec().hash()) ? spec : null;
      }
    };
  }

  /** Returns the newest spec that covers a segment, or null where none does. */
  @Nullable CompiledSpec select(String segment);

  /** Returns a spec by its hash, or null where it is not (or no longer) known. */
  @Nullable CompiledSpec byHash(String hash);
}
