package io.equipoise.policy.bestarm;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sums y w by (channel, sampled arm, target arm) in bins: bin b holds what enters with the clip of
 * phase b, so the numerator of phase l is the sum of bins 1 to l. Thresholds grow with l and are
 * all known beforehand, so a sample may come in any phase, and V need not be discrete. Mutable:
 * rows and the numbers of arrived samples are state; estimates are computed from them at each call.
 *
 * <p>The sums depend on the order of samples in their last bits. The last bin holds what no phase
 * takes. The two sums after an arm's bins, and the two after n, are those of {@link Moments}.
 *
 * <pre>
 * Bytes, format 98, big-endian:
 *   0 format (u8)   1 rows (i32)   5 per type: arrived (i64)
 *  29 per row, ascending: row (i32)  n (i64)  factors, factor squares (2 x f64)
 *     per arm: phases + 1 bins, cross, squares (f64)
 * </pre>
 */
final class PrefixBins extends SampleSums {
  static final byte FORMAT = 98;
  private static final int TYPES = PullType.COUNT;
  private static final int HEADER_BYTES = 5 + TYPES * Long.BYTES;

  private final List<Channel> channels;
  private final int arms;
  private final int phases;
  private final long[] arrived = new long[TYPES];
  private final @Nullable BinRow[] rows;

  private static final class BinRow {
    private long n;
    private double factors;
    private double factorSquares;
    private final double[] bins;

    private BinRow(int size) {
      bins = new double[size];
    }
  }

  /**
   * Starts empty.
   *
   * @param phases n(T): the greatest l that will ever be asked for
   */
  PrefixBins(List<Channel> channels, int phases) {
    this.channels = channels;
    this.phases = phases;
    arms = channels.get(0).model.arms();
    rows = new BinRow[channels.size() * arms];
  }

  @Override
  void add(int type, int group, int arm, int z, int v, double y) {
    arrived[type]++;
    for (int c = 0; c < channels.size(); c++) {
      Channel channel = channels.get(c);
      if (channel.takes(type, group)) {
        BinRow row = row(c * arms + arm);
        double factor = channel.factor(z);
        row.n++;
        row.factors += factor;
        row.factorSquares += factor * factor;
        for (int k = 0; k < arms; k++) {
          if (channel.reaches(k, arm)) {
            double weight = channel.weight(k, arm, z, v);
            int bin = bin(Math.abs(weight), channel.divergence(k, arm));
            int first = k * ofArm();
            row.bins[first + bin - 1] += y * weight;
            row.bins[first + phases + 1] += y * factor * weight;
            row.bins[first + phases + 2] += y * weight * weight;
          }
        }
      }
    }
  }

  /** Bins, and two more sums. */
  private int ofArm() {
    return phases + 3;
  }

  private BinRow row(int at) {
    BinRow row = rows[at];
    if (row == null) {
      row = new BinRow(arms * ofArm());
      rows[at] = row;
    }
    return row;
  }

  /**
   * Returns the first phase whose clip admits a weight, phases + 1 if none does. The quotient only
   * guesses; the comparison that decides is the one that a clip makes.
   */
  private int bin(double weight, double divergence) {
    double guess = Math.ceil(weight / Channel.clip(divergence, 1));
    int bin = (int) Math.max(1, Math.min(phases + 1, guess));
    while (bin > 1 && weight <= Channel.clip(divergence, bin - 1)) {
      bin--;
    }
    while (bin <= phases && weight > Channel.clip(divergence, bin)) {
      bin++;
    }
    return bin;
  }

  @Override
  long arrived(int type) {
    return arrived[type];
  }

  @Override
  void clear() {
    Arrays.fill(rows, null);
    Arrays.fill(arrived, 0);
  }

  @Override
  Ipw evaluate(int channel, int l, BitSet wanted) {
    Ipw estimates = Ipw.blank(arms);
    for (int k = wanted.nextSetBit(0); k >= 0; k = wanted.nextSetBit(k + 1)) {
      estimate(channel, k, l, estimates);
    }
    return estimates;
  }

  private void estimate(int c, int k, int l, Ipw into) {
    Channel channel = channels.get(c);
    double weighted = 0;
    double normalizer = 0;
    double kept = 0;
    double cut = 0;
    for (int j = 0; j < arms; j++) {
      BinRow row = rows[c * arms + j];
      if (row == null || !channel.reaches(k, j)) {
        continue;
      }
      double divergence = channel.divergence(k, j);
      normalizer += row.n / divergence;
      double part = 0;
      for (int bin = 0; bin <= phases; bin++) {
        double value = row.bins[k * ofArm() + bin];
        if (bin < l) {
          part += value;
          kept += Math.abs(value) / divergence;
        } else {
          cut += Math.abs(value) / divergence;
        }
      }
      weighted += part / divergence;
    }
    into.put(k, weighted, normalizer, kept, cut);
  }

  @Override
  Moments moments(int channel, int target) {
    Moments moments = Moments.blank(arms);
    for (int j = 0; j < arms; j++) {
      BinRow row = rows[channel * arms + j];
      if (row == null) {
        continue;
      }
      moments.n()[j] = row.n;
      moments.factors()[j] = row.factors;
      moments.factorSquares()[j] = row.factorSquares;
      int first = target * ofArm();
      for (int bin = 0; bin <= phases; bin++) {
        moments.sum()[j] += row.bins[first + bin];
      }
      moments.cross()[j] = row.bins[first + phases + 1];
      moments.squares()[j] = row.bins[first + phases + 2];
    }
    return moments;
  }

  @Override
  long greatestLength(Design design) {
    return HEADER_BYTES + (long) rows.length * rowBytes();
  }

  private int rowBytes() {
    return Integer.BYTES + Long.BYTES + (2 + arms * ofArm()) * Double.BYTES;
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(FORMAT);
    int present = bytes.i32(present(rows));
    bytes.i64s(arrived);
    bytes.check(present >= 0, "rows", present);
    bytes.fits((long) present * rowBytes());
    int at = -1;
    for (int left = present; left > 0; left--) {
      at = row(bytes, rows, at);
      BinRow row = row(at);
      row.n = bytes.i64(row.n);
      row.factors = bytes.f64(row.factors);
      row.factorSquares = bytes.f64(row.factorSquares);
      bytes.f64s(row.bins);
    }
  }
}
