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
 * One replay of the log through the plain library. Where log and replay part, what comes after in
 * that segment says nothing more and is passed over.
 */
final class OracleRun {
  private final Invariant invariant;
  private final SpecCatalog specCatalog;
  private final ReplayOracle replayOracle;
  private final FindingsCollector findingsCollector;
  private final Set<String> parted = new HashSet<>();
  private final Set<String> stopped = new HashSet<>();

  OracleRun(Invariant invariant, SpecCatalog specCatalog, FindingsCollector findingsCollector) {
    this(invariant, specCatalog, findingsCollector, any -> {});
  }

  /**
   * Prepares a replay.
   *
   * @param explanations takes the fairness audits and experiment records of each change
   */
  OracleRun(
      Invariant invariant,
      SpecCatalog specCatalog,
      FindingsCollector findingsCollector,
      Consumer<Explanation> explanations) {
    this.invariant = invariant;
    this.specCatalog = specCatalog;
    this.replayOracle =
        new ReplayOracle(specCatalog.specs(), specCatalog.causalBounds(), explanations);
    this.findingsCollector = findingsCollector;
  }

  /** Begins a segment with a state that its log goes on from. */
  void begin(String segment, SegmentSnapshot saved) {
    replayOracle.begin(segment, saved);
  }

  /**
   * Repeats a change, as it was before anything was hidden or left off; stops where that cannot be
   * had.
   *
   * @param context what stands at the origin of a decision, else null
   */
  void on(Change change, Unredactor unredactor, @Nullable ContextAt context) {
    if (change.record() instanceof Decision decision
        && decision.lacksFeatures()
        && context instanceof ContextAt.Gone) {
      stop(
          change.segment(),
          change.key(),
          "it leaves its features off (equipoise.privacy.features), and its context at %s/%d/%d is"
                  .formatted(
                      decision.contextTopic(),
                      decision.contextPartition(),
                      decision.contextOffset())
              + " not there any more; name a later savepoint by --from");
      return;
    }
    repeat(
        change.segment(),
        change.key(),
        isHidden(change.record()),
        () -> {
          if (change.record() instanceof Decision decision) {
            replayOracle.onDecision(whole(unredactor.reveal(decision), context));
          } else {
            replayOracle.onSegmentEvent(opened((SegmentEvent) change.record(), unredactor));
          }
          return change;
        });
  }

  private static boolean isHidden(Record record) {
    return record instanceof Decision decision
        ? decision.redaction() != null
        : ((SegmentEvent) record).redaction() != null;
  }

  /** What a segment event hides repeats its decision's features: a replay can do without. */
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
          "it leaves its features off, and its origin %s/%d/%d %s"
              .formatted(
                  decision.contextTopic(),
                  decision.contextPartition(),
                  decision.contextOffset(),
                  missing.what()));
    }
    if (!(context instanceof ContextAt.Here here)) {
      return decision; // the oracle says that it cannot go on
    }
    CompiledSpec spec = specCatalog.specs().byHash(String.valueOf(decision.specHash()));
    if (spec == null) {
      throw new ReplayMismatchException(
          "it leaves its features off, and names spec %s, which nobody has"
              .formatted(decision.specHash()));
    }
    return FeaturesOfContext.in(decision, here.context(), spec);
  }

  /**
   * Compares the state with a snapshot of the same seq.
   *
   * @return the plain snapshot that the replay writes in its place, null where it could not be
   *     compared or differs
   */
  @Nullable SegmentMetrics on(SegmentMetrics snapshot, Unredactor unredactor) {
    String key = Change.key(snapshot.segment(), snapshot.seq());
    boolean hasParted = parted.contains(snapshot.segment());
    SegmentMetrics written =
        repeat(
            snapshot.segment(),
            key,
            snapshot.redaction() != null,
            () -> replayOracle.onMetrics(unredactor.reveal(snapshot)));
    if (!hasParted && !stopped.contains(snapshot.segment())) {
      findingsCollector.judged(invariant);
    }
    return written;
  }

  /** Returns the snapshot that must have been written behind the changes repeated, or null. */
  @Nullable DueSnapshot due(String segment) {
    return hasParted(segment) ? null : replayOracle.due(segment);
  }

  /** Says whether log and replay of a segment have parted. */
  boolean hasParted(String segment) {
    return parted.contains(segment);
  }

  /** Says that a segment cannot be replayed from here on. */
  void stop(String segment, String key, String why) {
    if (parted.add(segment)) {
      stopped.add(segment);
      findingsCollector.unchecked(invariant, key, why);
    }
  }

  /** A record that was tampered with may make the library fail anywhere; that is a verdict too. */
  private <T> @Nullable T repeat(String segment, String key, boolean isHidden, Supplier<T> step) {
    if (parted.contains(segment)) {
      return null;
    }
    try {
      return step.get();
    } catch (CiphertextException e) {
      if (e.isForged()) {
        parted.add(segment);
        findingsCollector.violated(invariant, key, String.valueOf(e.getMessage()));
      } else {
        stop(segment, key, String.valueOf(e.getMessage()));
      }
    } catch (ReplayMismatchException e) {
      parted.add(segment);
      findingsCollector.violated(
          invariant, key, isHidden ? e.veiled() : String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      parted.add(segment);
      findingsCollector.violated(invariant, key, "it cannot be replayed: " + e);
    }
    return null;
  }
}
