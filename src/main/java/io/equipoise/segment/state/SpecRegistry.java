package io.equipoise.segment.state;

import org.jspecify.annotations.Nullable;

/** Finds the active spec of a segment, and every known spec by its hash. */
public interface SpecRegistry {
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

  /** Returns the newest active spec that covers a segment, or null if none does. */
  @Nullable CompiledSpec select(String segment);

  /** Returns a spec by its hash, or null if it is not known. */
  @Nullable CompiledSpec byHash(String hash);
}
