package io.equipoise.audit.verify;

import io.equipoise.event.Decision;
import io.equipoise.event.Outcome;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.join.Oracle;
import io.equipoise.join.OracleMismatchException;
import io.equipoise.join.SavedSegment;
import io.equipoise.join.disclosure.Revealer;
import io.equipoise.join.disclosure.SealedException;
import java.util.HashSet;
import java.util.Set;

/**
 * One replay of the log through the plain library. Where log and replay part, what comes after in
 * that segment says nothing more and is passed over.
 */
final class OracleRun {
  private final Invariant invariant;
  private final Oracle oracle;
  private final Docket docket;
  private final Set<String> parted = new HashSet<>();
  private final Set<String> stopped = new HashSet<>();

  OracleRun(Invariant invariant, Texts texts, Docket docket) {
    this.invariant = invariant;
    this.oracle = new Oracle(texts.specs(), texts.priors());
    this.docket = docket;
  }

  /** Begins a segment with a state that its log goes on from. */
  void begin(String segment, SavedSegment saved) {
    oracle.begin(segment, saved);
  }

  /** Repeats a change, as it was before anything was hidden; stops where that cannot be had. */
  void on(Change change, Revealer revealer) {
    repeat(
        change.segment(),
        change.key(),
        () -> {
          if (change.record() instanceof Decision decision) {
            oracle.onDecision(revealer.reveal(decision));
          } else {
            oracle.onOutcome((Outcome) change.record());
          }
        });
  }

  /** Compares the state with a snapshot of the same seq. */
  void on(SegmentMetrics snapshot, Revealer revealer) {
    String key = Change.key(snapshot.segment(), snapshot.shard(), snapshot.seq());
    boolean hasParted = parted.contains(snapshot.segment());
    repeat(snapshot.segment(), key, () -> oracle.onMetrics(revealer.reveal(snapshot)));
    if (!hasParted && !stopped.contains(snapshot.segment())) {
      docket.judged(invariant);
    }
  }

  /** Says that a segment cannot be replayed from here on. */
  void stop(String segment, String key, String why) {
    if (parted.add(segment)) {
      stopped.add(segment);
      docket.unjudged(invariant, key, why);
    }
  }

  /** A record that was tampered with may make the library fail anywhere; that is a verdict too. */
  private void repeat(String segment, String key, Runnable step) {
    if (parted.contains(segment)) {
      return;
    }
    try {
      step.run();
    } catch (SealedException e) {
      if (e.isForged()) {
        parted.add(segment);
        docket.violated(invariant, key, String.valueOf(e.getMessage()));
      } else {
        stop(segment, key, String.valueOf(e.getMessage()));
      }
    } catch (OracleMismatchException e) {
      parted.add(segment);
      docket.violated(invariant, key, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      parted.add(segment);
      docket.violated(invariant, key, "it cannot be replayed: " + e);
    }
  }
}
