package io.equipoise.policy.linear;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.StateBlock;
import io.equipoise.segmentspec.Forget;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the mean reward of each value of the sensitive attribute, of one arm or of all
 * (Fair-LinUCB, section 4.1: the cumulative mean reward of a group). Mutable; {@link #copy} is
 * deep. Weights and sums are state, valid at {@code round}: discounting and the window are applied
 * when rounds pass.
 *
 * <pre>
 * Bytes, format 32, big-endian:
 *   0 format (u8)   1 flags (u8; bit 0: has a window)   2 values (i32)   6 round (i64)
 *  14 per value: weight (f64)  sum (f64)   [window, one feature: the value]
 * </pre>
 */
public final class GroupMeans extends StateBlock {
  /** The format of today; codes up to 47 are kept for others of this class. */
  public static final byte FORMAT = 32;

  private static final int VALUE_BYTES = 2 * Double.BYTES;

  private final double[] scratch = new double[1];
  private double[] weight;
  private double[] sum;
  private @Nullable ObservationWindow window;
  private long round;

  /** Makes means without values, to be read. */
  public GroupMeans() {
    this(0, (ObservationWindow) null);
  }

  /** Starts without a reward. */
  GroupMeans(int values, Forget forgetting) {
    this(values, forgetting.rounds() > 0 ? new ObservationWindow(1) : null);
  }

  private GroupMeans(int values, @Nullable ObservationWindow window) {
    weight = new double[values];
    sum = new double[values];
    this.window = window;
  }

  public int values() {
    return weight.length;
  }

  public boolean isEmpty() {
    for (double each : weight) {
      if (each > 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns the number of rewards of a value, discounted where the means are. */
  public double weight(int value) {
    return weight[value];
  }

  /** Returns the mean reward of a value; NaN before the first. */
  public double mean(int value) {
    return weight[value] > 0 ? sum[value] / weight[value] : Double.NaN;
  }

  /** Returns the mean reward of all values of a side; NaN before the first. */
  public double mean(SensitiveGroups groups, int side) {
    double weights = 0;
    double sums = 0;
    for (int value = 0; value < weight.length; value++) {
      if (groups.side(value) == side) {
        weights += weight[value];
        sums += sum[value];
      }
    }
    return weights > 0 ? sums / weights : Double.NaN;
  }

  void observe(int value, double reward, long at, Forget forgetting) {
    advance(at, forgetting);
    weight[value]++;
    sum[value] += reward;
    if (window != null) {
      scratch[0] = value;
      window.add(at, reward, scratch);
    }
  }

  /** Lets rounds pass. */
  void advance(long at, Forget forgetting) {
    if (at <= round || forgetting.isNothing()) {
      return;
    }
    if (forgetting.discount() < 1) {
      double factor = StrictMath.pow(forgetting.discount(), (double) (at - round));
      for (int value = 0; value < weight.length; value++) {
        weight[value] *= factor;
        sum[value] *= factor;
      }
    }
    round = at;
    while (window != null && window.size() > 0 && window.round(0) <= at - forgetting.rounds()) {
      window.features(0, scratch);
      int value = (int) scratch[0];
      weight[value]--;
      sum[value] = weight[value] == 0 ? 0 : sum[value] - window.reward(0);
      window.removeOldest();
    }
  }

  /** Forgets all rewards. */
  public void reset() {
    Arrays.fill(weight, 0);
    Arrays.fill(sum, 0);
    while (window != null && window.size() > 0) {
      window.removeOldest();
    }
  }

  @Override
  public GroupMeans copy() {
    GroupMeans copy = new GroupMeans(weight.length, window == null ? null : window.copy());
    System.arraycopy(weight, 0, copy.weight, 0, weight.length);
    System.arraycopy(sum, 0, copy.sum, 0, sum.length);
    copy.round = round;
    return copy;
  }

  @Override
  public boolean isChangedByRewardsOnly() {
    return true;
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(FORMAT);
    int flags = bytes.i8(window == null ? 0 : 1);
    bytes.check((flags & ~1) == 0, "unknown flags", flags);
    int values = bytes.i32(weight.length);
    round = bytes.i64(round);
    bytes.check(values >= 0, "values", values);
    bytes.fits((long) values * VALUE_BYTES);
    weight = bytes.room(weight, values);
    sum = bytes.room(sum, values);
    for (int value = 0; value < values; value++) {
      weight[value] = bytes.f64(weight[value]);
      sum[value] = bytes.f64(sum[value]);
    }
    window = bytes.isReading() && flags == 1 ? new ObservationWindow(1) : window;
    if (window != null) {
      bytes.part(window);
    }
  }
}
