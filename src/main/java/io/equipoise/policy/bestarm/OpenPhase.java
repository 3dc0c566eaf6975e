package io.equipoise.policy.bestarm;

import io.equipoise.policy.bestarm.PhaseRecord.Counters;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The phase that takes pulls: what of its quota is left and how many of its pulls are awaited.
 *
 * <pre>
 * Bytes, big-endian:
 *   0 place (i32)   4 awaited (i32)   8 late, missing, 0, 0, notSampled (5 x i64)
 *  48 v* (f64)  56 per type, per arm: nu (f64)  left (i32)
 * </pre>
 */
final class OpenPhase {
  private static final int HEADER_BYTES = 2 * Integer.BYTES + 6 * Long.BYTES;

  private final Phase phase;
  private final Allocation allocation;
  private final int[][] left;
  private int awaited;
  private Counters counters = Counters.NONE;

  OpenPhase(Phase phase, Allocation allocation, int[][] quota) {
    this.phase = phase;
    this.allocation = allocation;
    left = Arrays.stream(quota).map(int[]::clone).toArray(int[][]::new);
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

  /** Says whether all pulls are given out and at most so many are awaited. */
  boolean isDone(double mayBeAwaited) {
    return awaited <= mayBeAwaited && Arrays.stream(left).allMatch(row -> Urn.left(row) == 0);
  }

  int byteLength() {
    return byteLength(left.length, left[0].length);
  }

  private static int byteLength(int types, int arms) {
    return HEADER_BYTES + types * arms * (Double.BYTES + Integer.BYTES);
  }

  void appendTo(ByteBuffer out) {
    out.putInt(phase.place()).putInt(awaited);
    out.putLong(counters.late()).putLong(counters.missing()).putLong(0).putLong(0);
    out.putLong(counters.notSampled()).putDouble(allocation.level());
    for (int type = 0; type < left.length; type++) {
      for (int arm = 0; arm < left[type].length; arm++) {
        out.putDouble(allocation.shares()[type][arm]).putInt(left[type][arm]);
      }
    }
  }

  static OpenPhase readFrom(ByteBuffer in, Design design) {
    int types = design.settings().mode().types();
    int arms = design.model().arms();
    if (in.remaining() < byteLength(types, arms)) {
      throw new IllegalArgumentException("an open phase in " + in.remaining() + " bytes");
    }
    int place = in.getInt();
    int awaited = in.getInt();
    if (place < 0 || place >= design.plan().size()) {
      throw new IllegalArgumentException("the plan has no phase at place " + place);
    }
    long late = in.getLong();
    long missing = in.getLong();
    long dropped = in.getLong();
    long duplicates = in.getLong();
    if (dropped != 0 || duplicates != 0) {
      throw new IllegalArgumentException("an open phase whose reserved bytes are not 0");
    }
    Counters counters = new Counters(late, missing, in.getLong());
    double level = in.getDouble();
    double[][] shares = new double[types][arms];
    int[][] left = new int[types][arms];
    for (int type = 0; type < types; type++) {
      for (int arm = 0; arm < arms; arm++) {
        shares[type][arm] = in.getDouble();
        left[type][arm] = in.getInt();
      }
    }
    OpenPhase read = new OpenPhase(design.plan().get(place), new Allocation(level, shares), left);
    read.awaited = awaited;
    read.counters = counters;
    return read;
  }
}
