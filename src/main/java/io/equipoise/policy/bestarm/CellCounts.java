package io.equipoise.policy.bestarm;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts samples and sums rewards by (type, group, arm, cell, level of V): exact, whatever the
 * order in which samples come, and open to any later clip. Mutable: the rows are state; estimates
 * are computed from them at each call.
 *
 * <p>Rewards are kept to 1e-9. Rows of (arm, type, group) exist once a sample of theirs has come.
 *
 * <pre>
 * Bytes, format 97, big-endian:
 *   0 format (u8)   1 rows (i32)
 *   5 per row, ascending: row (i32)  per place z * levels + v: n (i64)  sum of rewards / 1e-9 (i64)
 * </pre>
 */
final class CellCounts extends SampleSums {
  static final byte FORMAT = 97;
  private static final int HEADER_BYTES = 5;
  private static final double UNIT = 1e9;
  private static final int GROUPS = 3;
  private static final int STRATA = PullType.COUNT * GROUPS;

  private final List<Channel> channels;
  private final CsrModel model;
  private final int places;
  private final @Nullable CountRow[] rows;

  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record CountRow(long[] n, long[] sum) {}

  CellCounts(List<Channel> channels) {
    this.channels = channels;
    model = channels.get(0).model;
    places = model.cells() * model.levels();
    rows = new CountRow[model.arms() * STRATA];
  }

  @Override
  void add(int type, int group, int arm, int z, int v, double y) {
    int at = (arm * PullType.COUNT + type) * GROUPS + group + 1;
    CountRow row = row(at);
    int place = z * model.levels() + v;
    row.n[place]++;
    row.sum[place] += (long) Math.rint(y * UNIT);
  }

  private CountRow row(int at) {
    CountRow row = rows[at];
    if (row == null) {
      row = new CountRow(new long[places], new long[places]);
      rows[at] = row;
    }
    return row;
  }

  @Override
  long arrived(int type) {
    long arrived = 0;
    for (int at = 0; at < rows.length; at++) {
      CountRow row = rows[at];
      if (row != null && typeOf(at) == type) {
        arrived += Arrays.stream(row.n).sum();
      }
    }
    return arrived;
  }

  @Override
  void clear() {
    Arrays.fill(rows, null);
  }

  @Override
  Ipw evaluate(int channel, int l, BitSet arms) {
    Channel taken = channels.get(channel);
    Rewards rewards = rewards(taken);
    Ipw estimates = Ipw.blank(model.arms());
    for (int k = arms.nextSetBit(0); k >= 0; k = arms.nextSetBit(k + 1)) {
      rewards.estimate(taken, k, l, estimates);
    }
    return estimates;
  }

  /**
   * The level of a reward of 0 need not be known, so only counts by cell enter without a reward.
   */
  @Override
  Moments moments(int channel, int target) {
    Channel taken = channels.get(channel);
    Moments moments = Moments.blank(model.arms());
    for (int at = 0; at < rows.length; at++) {
      CountRow row = rows[at];
      int sampled = at / STRATA;
      if (row == null || !taken.takes(typeOf(at), at % GROUPS - 1)) {
        continue;
      }
      for (int place = 0; place < places; place++) {
        int z = place / model.levels();
        double factor = taken.factor(z);
        if (row.n[place] > 0) {
          moments.addSamples(sampled, row.n[place], factor);
        }
        if (row.sum[place] > 0 && taken.reaches(target, sampled)) {
          double weight = taken.weight(target, sampled, z, place % model.levels());
          moments.addRewards(sampled, row.sum[place] / UNIT, factor, weight);
        }
      }
    }
    return moments;
  }

  /** Gathers the samples of a channel: how many of each arm, and where rewards were seen. */
  private Rewards rewards(Channel channel) {
    Rewards rewards = new Rewards(model.arms(), model.levels());
    for (int at = 0; at < rows.length; at++) {
      CountRow row = rows[at];
      if (row == null || !channel.takes(typeOf(at), at % GROUPS - 1)) {
        continue;
      }
      for (int place = 0; place < places; place++) {
        if (row.n[place] > 0) {
          rewards.add(at / STRATA, place, row.n[place], row.sum[place] / UNIT);
        }
      }
    }
    return rewards;
  }

  private static int typeOf(int at) {
    return at / GROUPS % PullType.COUNT;
  }

  /** Each arm for each type; natural pulls in all groups, the others in their own. */
  @Override
  long greatestLength(Design design) {
    int strata = design.settings().mode() == Mode.NATURAL ? GROUPS : GROUPS + 2;
    return HEADER_BYTES + (long) model.arms() * strata * rowBytes();
  }

  private int rowBytes() {
    return Integer.BYTES + 2 * Long.BYTES * places;
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(FORMAT);
    int at = -1;
    for (int left = bytes.count(present(rows), rowBytes()); left > 0; left--) {
      at = row(bytes, rows, at);
      CountRow row = row(at);
      for (int place = 0; place < places; place++) {
        row.n[place] = bytes.i64(row.n[place]);
        row.sum[place] = bytes.i64(row.sum[place]);
      }
    }
  }
}
