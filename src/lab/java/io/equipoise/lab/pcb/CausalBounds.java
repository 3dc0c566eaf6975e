package io.equipoise.lab.pcb;

import io.equipoise.causal.bounds.BoundFormula;
import io.equipoise.causal.bounds.BoundMode;
import io.equipoise.causal.bounds.BoundPart;
import io.equipoise.causal.bounds.BoundPlan;
import io.equipoise.causal.bounds.BoundPlanner;
import io.equipoise.causal.bounds.BoundQuery;
import io.equipoise.causal.bounds.BoundRecord;
import io.equipoise.causal.bounds.Confidence;
import io.equipoise.causal.estimand.Estimand;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Bounds E[Y | do(x1, x2), u1, u2] from a log, in several ways. */
enum CausalBounds {
  /** From 0 to 1. */
  NONE,
  /** The columns lb and ub of the paper, which exclude the truth at four places. */
  TABLE1,
  /** Least and greatest P(y | x1, x2, u1, u2, i1, S=1) over i1, on shares. */
  SOUND,
  /** The same without u2, of which y is independent given the rest: more rows per cell. */
  SOUND_POOLED,
  /** The same, with confidence intervals for the sampling of rows. */
  SOUND_POOLED_CI;

  private static final List<String> ARM = List.of("X1", "X2");
  private static final List<String> CONTEXT = List.of("U1", "U2");
  private static final BoundQuery QUERY = BoundQuery.of("Y", ARM, CONTEXT);

  /** Bounds of one mean reward. */
  record Interval(double lower, double upper) {
    double width() {
      return upper - lower;
    }

    boolean contains(double value) {
      return lower <= value && value <= upper;
    }
  }

  boolean isSound() {
    return this != NONE && this != TABLE1;
  }

  List<Interval> of(LoggedRounds log) {
    if (this == NONE) {
      return Collections.nCopies(PcbPlace.PLACES, new Interval(0, 1));
    }
    Confidence confidence = this == SOUND_POOLED_CI ? Confidence.DEFAULT : Confidence.NONE;
    return intervals(plan().evaluate(log.evidence(), confidence));
  }

  /** Returns the bounds of E[Y | do(x1, x2)] for each arm; SOUND ones use a census of U1. */
  List<Interval> withoutContext(LoggedRounds log) {
    BoundQuery query = BoundQuery.of("Y", ARM, List.of());
    BoundPlan plan =
        switch (this) {
          case NONE -> null;
          case TABLE1 -> unpooled(query, ARM);
          case SOUND, SOUND_POOLED, SOUND_POOLED_CI ->
              BoundPlanner.of(LoggedWorld.graph()).withCensus(List.of("U1")).plan(query);
        };
    return plan == null
        ? Collections.nCopies(PcbPlace.ARMS, new Interval(0, 1))
        : intervals(plan.evaluate(log.withCensus(), Confidence.NONE));
  }

  private BoundPlan plan() {
    return switch (this) {
      case TABLE1 -> BoundPlanner.of(LoggedWorld.graph()).plan(QUERY, BoundMode.TABLE1);
      case SOUND -> unpooled(QUERY, List.of("X1", "X2", "U1", "U2"));
      default -> BoundPlanner.of(LoggedWorld.graph()).plan(QUERY);
    };
  }

  private static BoundPlan unpooled(BoundQuery query, List<String> given) {
    List<String> all = new ArrayList<>(given);
    all.add("I1");
    BoundFormula extremes =
        new BoundFormula.Extremes(
            "I1", new BoundFormula.Value(Estimand.probability(List.of("Y"), all, true)));
    return new BoundPlan(
        LoggedWorld.graph().fingerprint(),
        query,
        BoundMode.SOUND,
        List.of(new BoundPart(List.of("I1"), extremes)));
  }

  private static List<Interval> intervals(List<BoundRecord> records) {
    return records.stream().map(it -> new Interval(it.lower(), it.upper())).toList();
  }
}
