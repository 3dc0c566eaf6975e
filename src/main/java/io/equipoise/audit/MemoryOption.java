package io.equipoise.audit;

import io.equipoise.cli.OptionValues.AtLeastOne;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Limits the memory of one pass over a log: the option {@code --memory}. */
final class MemoryOption {
  private static final long MEGABYTE = 1 << 20;
  private static final int PARTS_OF_HEAP = 4;

  @Option(
      names = "--memory",
      paramLabel = "MB",
      converter = AtLeastOne.class,
      description =
          "Memory of one pass over the log, without models and pending decisions. "
              + "With less memory, verify takes more passes. Default: a quarter of the "
              + "heap.")
  private @Nullable Long megabytes;

  long bytes() {
    return megabytes == null
        ? Runtime.getRuntime().maxMemory() / PARTS_OF_HEAP
        : megabytes * MEGABYTE;
  }
}
