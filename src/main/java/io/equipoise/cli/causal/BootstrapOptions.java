package io.equipoise.cli.causal;

import io.equipoise.causal.DistributionException;
import io.equipoise.causal.estimand.Bootstrap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Parses the options of intervals for the values of a formula. */
final class BootstrapOptions {
  @Option(
      names = "--bootstrap",
      paramLabel = "B",
      description =
          "Adds an approximate interval to every value, from this many resampled "
              + "tables; 500 is usual.")
  private @Nullable Integer replicates;

  @Option(
      names = "--bootstrap-delta",
      paramLabel = "DELTA",
      defaultValue = "0.05",
      description = "Error probability of this interval. Default: ${DEFAULT-VALUE}.")
  private double delta;

  @Option(
      names = "--bootstrap-seed",
      paramLabel = "SEED",
      defaultValue = "1",
      description = "Seed of the resampling. Default: ${DEFAULT-VALUE}.")
  private long seed;

  /** Returns the bootstrap for intervals, if requested. */
  Optional<Bootstrap> get() {
    if (replicates == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(new Bootstrap(replicates, delta, seed));
    } catch (IllegalArgumentException e) {
      throw new DistributionException("--bootstrap: " + e.getMessage());
    }
  }
}
