package io.equipoise.audit.verify;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an audit is asked.
 *
 * @param isFinal whether the job was stopped for good, so that nothing may be on its way any more
 * @param allowedSkew the job's option of that name
 * @param memoryBytes what one pass may hold; see the judges for what comes on top
 * @param mostIsolated how many segments are replayed alone too (I5); 0 leaves I5 unasked
 * @param faults when something was killed; none leaves I8 unasked
 * @param recovery how long the first answer to what is sent after a fault may take
 * @param witness what a reader saw, or null, which leaves I9 unasked
 * @param overdue a context that was appended before it must have been answered; null if none is
 *     overdue
 */
public record VerifyOptions(
    boolean isFinal,
    Duration allowedSkew,
    long memoryBytes,
    int mostIsolated,
    List<Instant> faults,
    Duration recovery,
    @Nullable Path witness,
    @Nullable Instant overdue) {
  public VerifyOptions {
    faults = faults.stream().sorted().toList();
  }

  /** Asks without a time from which on contexts are overdue. */
  public VerifyOptions(
      boolean isFinal,
      Duration allowedSkew,
      long memoryBytes,
      int mostIsolated,
      List<Instant> faults,
      Duration recovery,
      @Nullable Path witness) {
    this(isFinal, allowedSkew, memoryBytes, mostIsolated, faults, recovery, witness, null);
  }
}
