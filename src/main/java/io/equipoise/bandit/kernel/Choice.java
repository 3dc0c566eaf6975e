package io.equipoise.bandit.kernel;

import org.jspecify.annotations.Nullable;

/** Chooses kernels once, when they are first asked for. */
final class Choice {
  private static final String MODULE = "jdk.incubator.vector";
  private static final String VECTOR = "io.equipoise.bandit.kernel.vector.VectorKernels";

  static final Kernels BEST = choose();

  private Choice() {}

  private static Kernels choose() {
    Kernels vector = vector();
    return vector == null ? new ScalarKernels() : vector;
  }

  /** Returns vector kernels if the module was added and its vectors are wide enough to pay. */
  static @Nullable Kernels vector() {
    if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
      return null;
    }
    try {
      Class<?> vector = Class.forName(VECTOR);
      boolean isWide = (boolean) vector.getMethod("isWide").invoke(null);
      return isWide ? (Kernels) vector.getConstructor().newInstance() : null;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(VECTOR + " is not what it was built as", e);
    }
  }
}
