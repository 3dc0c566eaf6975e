package io.equipoise.audit.verify;

import io.equipoise.event.Decision;
import io.equipoise.event.Explanation;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.join.CompiledSpec;
import io.equipoise.join.DueSnapshot;
import io.equipoise.join.FeaturesOfContext;
import io.equipoise.join.Oracle;
import io.equipoise.join.OracleMismatchException;
import io.equipoise.join.SavedSegment;
import io.equipoise.join.disclosure.Revealer;
import io.equipoise.join.disclosure.SealedException;
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
  private final Texts texts;
  private final Oracle oracle;
  private final Docket docket;
  private final Set<String> parted = new HashSet<>();
  private final Set<String> stopped = new HashSet<>();

  OracleRun(Invariant invariant, Texts texts, Docket docket) {
    this(invariant, texts, docket, any -> {});
  }

  /**
   * Prepares a replay.
   *
   * @param explanations takes the fairness audits and experiment records of each change
   */
  OracleRun(Invariant invariant, Texts texts, Docket docket, Consumer<Explanation> explanations) {
    this.invariant = invariant;
    this.texts = texts;
    this.oracle = new Oracle(texts.specs(), texts.causalBounds(), explanations);
    this.docket = docket;
  }

  /** Begins a segment with a state that its log goes on from. */
  void begin(String segment, SavedSegment saved) {
    oracle.begin(segment, saved);
  }

  /**
   * Repeats a change, as it was before anything was hidden or left off; stops where that cannot be
   * had.
   *
   * @param context what stands at the origin of a decision, else null
   */
  void on(Change change, Revealer revealer, @Nullable ContextAt context) {
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
            oracle.onDecision(whole(revealer.reveal(decision), context));
          } else {
            oracle.onSegmentEvent(opened((SegmentEvent) change.record(), revealer));
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
  private static SegmentEvent opened(SegmentEvent segmentEvent, Revealer revealer) {
    try {
      return revealer.reveal(segmentEvent);
    } catch (SealedException e) {
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
      throw new OracleMismatchException(
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
    CompiledSpec spec = texts.specs().byHash(String.valueOf(decision.specHash()));
    if (spec == null) {
      throw new OracleMismatchException(
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
  @Nullable SegmentMetrics on(SegmentMetrics snapshot, Revealer revealer) {
    String key = Change.key(snapshot.segment(), snapshot.seq());
    boolean hasParted = parted.contains(snapshot.segment());
    SegmentMetrics written =
        repeat(
            snapshot.segment(),
            key,
            snapshot.redaction() != null,
            () -> oracle.onMetrics(revealer.reveal(snapshot)));
    if (!hasParted && !stopped.contains(snapshot.segment())) {
      docket.judged(invariant);
    }
    return written;
  }

  /** Returns the snapshot that must have been written behind the changes repeated, or null. */
  @Nullable DueSnapshot due(String segment) {
    return hasParted(segment) ? null : oracle.due(segment);
  }

  /** Says whether log and replay of a segment have parted. */
  boolean hasParted(String segment) {
    return parted.contains(segment);
  }

  /** Says that a segment cannot be replayed from here on. */
  void stop(String segment, String key, String why) {
    if (parted.add(segment)) {
      stopped.add(segment);
      docket.unjudged(invariant, key, why);
    }
  }

  /** A record that was tampered with may make the library fail anywhere; that is a verdict too. */
  private <T> @Nullable T repeat(String segment, String key, boolean isHidden, Supplier<T> step) {
    if (parted.contains(segment)) {
      return null;
    }
    try {
      return step.get();
    } catch (SealedException e) {
      if (e.isForged()) {
        parted.add(segment);
        docket.violated(invariant, key, String.valueOf(e.getMessage()));
      } else {
        stop(segment, key, String.valueOf(e.getMessage()));
      }
    } catch (OracleMismatchException e) {
      parted.add(segment);
      docket.violated(invariant, key, isHidden ? e.veiled() : String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      parted.add(segment);
      docket.violated(invariant, key, "it cannot be replayed: " + e);
    }
    return null;
  }
}
