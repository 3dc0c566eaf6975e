package io.equipoise.policy.bestarm;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.Stored;
import io.equipoise.policy.bestarm.PhaseRecord.Counters;
import java.util.Arrays;
import java.util.List;

/**
 * Counts the quota that the running phase has left, and its pulls that are awaited.
 *
 * <pre>
 * Bytes, big-endian:
 *   0 place (i32)   4 awaited (i32)   8 late, missing, 0, 0, notSampled (5 x i64)
 *  48 v* (f64)  56 per type, per arm: nu (f64)  left (i32)
 * </pre>
 */
final class OpenPhase extends Stored {
  private final List<Phase> plan;
  private final int[][] left;
  private Phase phase;
  private Allocation allocation;
  private int awaited;
  private Counters counters = Counters.NONE;

  /** Makes a phase of an experiment, to be read. */
  OpenPhase(Design design) {
    plan = design.plan();
    phase = plan.get(0);
    int types = design.settings().mode().types();
    int arms = design.model().arms();
    allocation = new Allocation(0, new double[types][arms]);
    left = new int[types][arms];
  }

  OpenPhase(Phase phase, Allocation allocation, int[][] quota) {
    plan = List.of();
    this.phase = phase;
    this.allocation = allocation;
    left = Arrays.stream(quota).map(int[]::clone).toArray(int[][]::new);
  }

  int arms() {
    return left[0].length;
  }

  Phase phase() {
    return phase;
  }

  Allocation allocation() {
    return allocation;
  }

  Counters counters() {
    return counters;
  }

  void count(Counters more) {
    counters = more;
  }

  /** Takes a pull out of the urn; type * arms + arm, or {@link Urn#NOT_SAMPLED}. */
  int draw(int group, double u) {
    int cell = Urn.draw(left, group, u);
    if (cell != Urn.NOT_SAMPLED) {
      left[cell / left[0].length][cell % left[0].length]--;
      awaited++;
    }
    return cell;
  }

  /** Takes a pull of one type and arm out of the urn, and says whether there was one. */
  boolean take(int type, int arm) {
    if (type < 0 || type >= left.length || left[type][arm] == 0) {
      return false;
    }
    left[type][arm]--;
    awaited++;
    return true;
  }

  /** Returns how likely the next draw gives each arm to someone of a group. */
  double[] propensities(int group, int incumbent) {
    return Urn.propensities(left, group, incumbent);
  }

  /** One of this phase's pulls is done with. */
  void settle() {
    awaited--;
  }

  /** Returns whether all pulls are given out and at most so many are awaited. */
  boolean isDone(double mayBeAwaited) {
    return awaited <= mayBeAwaited && Arrays.stream(left).allMatch(row -> Urn.left(row) == 0);
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    int place = bytes.i32(phase.place());
    bytes.check(place >= 0 && place < plan.size(), "the plan has no phase at place", place);
    phase = bytes.isReading() ? plan.get(place) : phase;
    awaited = bytes.i32(awaited);
    long late = bytes.i64(counters.late());
    long missing = bytes.i64(counters.missing());
    for (int i = 0; i < 2; i++) {
      long reserved = bytes.i64(0);
      bytes.check(reserved == 0, "reserved bytes", reserved);
    }
    counters = new Counters(late, missing, bytes.i64(counters.notSampled()));
    allocation = new Allocation(bytes.f64(allocation.level()), allocation.shares());
    for (int type = 0; type < left.length; type++) {
      double[] shares = allocation.shares()[type];
      for (int arm = 0; arm < shares.length; arm++) {
        shares[arm] = bytes.f64(shares[arm]);
        left[type][arm] = bytes.i32(left[type][arm]);
      }
    }
  }
}
