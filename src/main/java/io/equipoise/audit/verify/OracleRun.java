package io.equipoise.audit.verify;

import io.equipoise.event.Decision;
import io.equipoise.event.Explanation;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.privacy.CiphertextException;
import io.equipoise.privacy.Unredactor;
import io.equipoise.segment.replay.DueSnapshot;
import io.equipoise.segment.replay.FeaturesOfContext;
import io.equipoise.segment.replay.ReplayMismatchException;
import io.equipoise.segment.replay.ReplayOracle;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SegmentSnapshot;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Replays the log through the replay oracle once. After a difference, it skips the rest of that
 * segment, because it proves nothing more.
 *
 * <p>State: the oracle with the state of every segment, and the segments that are skipped. {@code
 * stopped} contains those of {@code diverged} that were left unchecked without a violation.
 */
final class OracleRun {
  private final Invariant invariant;
  private final SpecCatalog specCatalog;
  private final ReplayOracle replayOracle;
  private final FindingsCollector findings;
  private final Set<String> diverged = new HashSet<>();
  private final Set<String> stopped = new HashSet<>();

  OracleRun(Invariant invariant, SpecCatalog specCatalog, FindingsCollector findings) {
    this(invariant, specCatalog, findings, any -> {});
  }

  /**
   * Prepares a replay.
   *
   * @param explanations receives the fairness audits and experiment records of each change
   */
  OracleRun(
      Invariant invariant,
      SpecCatalog specCatalog,
      FindingsCollector findings,
      Consumer<Explanation> explanations) {
    this.invariant = invariant;
    this.specCatalog = specCatalog;
    this.replayOracle =
        new ReplayOracle(specCatalog.specs(), specCatalog.causalBounds(), explanations);
    this.findings = findings;
  }

  /** Starts a segment with its state in a savepoint. */
  void begin(String segment, SegmentSnapshot saved) {
    replayOracle.begin(segment, saved);
  }

  /**
   * Replays a change without its redaction and with its omitted features; stops the segment if
   * these are not available.
   *
   * @param context the origin of a decision; null for a segment event
   */
  void on(Change change, Unredactor unredactor, @Nullable ContextAt context) {
    if (change.record() instanceof Decision decision
        && decision.lacksFeatures()
        && context instanceof ContextAt.Gone) {
      stop(
          change.segment(),
          change.key(),
          "it omits its features (equipoise.privacy.features), and its context at "
              + decision.source()
              + " is no longer there; name a later savepoint by --from");
      return;
    }
    replay(
        change.segment(),
        change.key(),
        isRedacted(change.record()),
        () -> {
          if (change.record() instanceof Decision decision) {
            replayOracle.onDecision(whole(unredactor.reveal(decision), context));
          } else {
            replayOracle.onSegmentEvent(opened((SegmentEvent) change.record(), unredactor));
          }
          return change;
        });
  }

  private static boolean isRedacted(Record record) {
    return record instanceof Decision decision
        ? decision.redaction() != null
        : ((SegmentEvent) record).redaction() != null;
  }

  /** Redacted fields of a segment event repeat those of its decision, so a replay works without. */
  private static SegmentEvent opened(SegmentEvent segmentEvent, Unredactor unredactor) {
    try {
      return unredactor.reveal(segmentEvent);
    } catch (CiphertextException e) {
      if (e.isForged()) {
        throw e;
      }
      return segmentEvent;
    }
  }

  private Decision whole(Decision decision, @Nullable ContextAt context) {
    if (!decision.lacksFeatures()) {
      return decision;
    }
    if (context instanceof ContextAt.Missing missing) {
      throw new ReplayMismatchException(
          "it omits its features, and its origin %s %s"
              .formatted(decision.source(), missing.what()));
    }
    if (!(context instanceof ContextAt.Here here)) {
      return decision; // the oracle rejects it
    }
    CompiledSpec spec = specCatalog.specs().byHash(String.valueOf(decision.specHash()));
    if (spec == null) {
      throw new ReplayMismatchException(
          "it omits its features, and its spec %s is not on the specs topic"
              .formatted(decision.specHash()));
    }
    return FeaturesOfContext.in(decision, here.context(), spec);
  }

  /**
   * Compares the state with a snapshot of the same seq.
   *
   * @return the snapshot of the replay, without redaction; null if it could not be compared or
   *     differs
   */
  @Nullable SegmentMetrics on(SegmentMetrics snapshot, Unredactor unredactor) {
    String key = Change.key(snapshot.segment(), snapshot.seq());
    boolean hadDiverged = diverged.contains(snapshot.segment());
    SegmentMetrics written =
        replay(
            snapshot.segment(),
            key,
            snapshot.redaction() != null,
            () -> replayOracle.onMetrics(unredactor.reveal(snapshot)));
    if (!hadDiverged && !stopped.contains(snapshot.segment())) {
      findings.checked(invariant);
    }
    return written;
  }

  /** Returns the snapshot that must follow the replayed changes, or null. */
  @Nullable DueSnapshot due(String segment) {
    return hasDiverged(segment) ? null : replayOracle.due(segment);
  }

  /** Returns how many decisions of a segment still wait although they were due before a time. */
  long overdue(String segment, long time) {
    return hasDiverged(segment) ? 0 : replayOracle.overdue(segment, time);
  }

  /** Returns whether log and replay of a segment differ. */
  boolean hasDiverged(String segment) {
    return diverged.contains(segment);
  }

  /** Stops the replay of a segment that cannot be continued. */
  void stop(String segment, String key, String why) {
    if (diverged.add(segment)) {
      stopped.add(segment);
      findings.unchecked(invariant, key, why);
    }
  }

  /** A forged record may make the oracle fail anywhere; that is a violation too. */
  private <T> @Nullable T replay(String segment, String key, boolean isRedacted, Supplier<T> step) {
    if (diverged.contains(segment)) {
      return null;
    }
    try {
      return step.get();
    } catch (CiphertextException e) {
      if (e.isForged()) {
        diverged.add(segment);
        findings.violated(invariant, key, String.valueOf(e.getMessage()));
      } else {
        stop(segment, key, String.valueOf(e.getMessage()));
      }
    } catch (ReplayMismatchException e) {
      diverged.add(segment);
      findings.violated(invariant, key, isRedacted ? e.veiled() : String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      diverged.add(segment);
      findings.violated(invariant, key, "it cannot be replayed: " + e);
    }
    return null;
  }
}
