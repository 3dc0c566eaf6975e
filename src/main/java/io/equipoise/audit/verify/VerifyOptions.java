package io.equipoise.audit.verify;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses what an audit checks and the times that it allows.
 *
 * @param isFinal whether the job was stopped for good, so that no output is outstanding
 * @param maxClockSkew the job's maximum clock skew ({@code equipoise.time.max-clock-skew})
 * @param memoryBytes memory limit of one pass, bytes
 * @param mostIsolated how many segments are also replayed alone (I5); 0 skips I5
 * @param faults times at which something failed; empty skips I8
 * @param recovery maximum time until the first decision after a fault
 * @param witness the file of a concurrent reader; null skips I9
 * @param overdue contexts appended before this time must have a decision; null disables the check
 */
public record VerifyOptions(
    boolean isFinal,
    Duration maxClockSkew,
    long memoryBytes,
    int mostIsolated,
    List<Instant> faults,
    Duration recovery,
    @Nullable Path witness,
    @Nullable Instant overdue) {
  public VerifyOptions {
    faults = faults.stream().sorted().toList();
  }

  /** Creates options without an overdue time. */
  public VerifyOptions(
      boolean isFinal,
      Duration maxClockSkew,
      long memoryBytes,
      int mostIsolated,
      List<Instant> faults,
      Duration recovery,
      @Nullable Path witness) {
    this(isFinal, maxClockSkew, memoryBytes, mostIsolated, faults, recovery, witness, null);
  }
}
