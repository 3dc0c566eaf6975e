package io.equipoise.bandit.kernel;

/** Chooses kernels once, when they are first asked for. */
final class Choice {
  private static final String MODULE = "jdk.incubator.vector";
  private static final String VECTOR = "io.equipoise.bandit.kernel.vector.VectorKernels";

  static final Kernels BEST = choose();

  private Choice() {}

  /** Returns vector kernels if the module was added and its vectors are wide enough to pay. */
  private static Kernels choose() {
    if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
      return new ScalarKernels();
    }
    try {
      Class<?> vector = Class.forName(VECTOR);
      return (boolean) vector.getMethod("isWide").invoke(null)
          ? (Kernels) vector.getConstructor().newInstance()
          : new ScalarKernels();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(VECTOR + " is not what it was built as", e);
    }
  }
}
