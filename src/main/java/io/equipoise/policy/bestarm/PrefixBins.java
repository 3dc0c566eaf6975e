package io.equipoise.policy.bestarm;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sums y w by (channel, sampled arm, target arm) in bins: bin b holds what enters with the clip of
 * phase b, so the numerator of phase l is the sum of bins 1 to l. Thresholds grow with l and are
 * all known beforehand, so a sample may come in any phase, and V need not be discrete. Mutable.
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
final class PrefixBins implements SampleSums {
  static final byte FORMAT = 98;
  private static final int TYPES = PullType.COUNT;
  private static final int HEADER_BYTES = 5 + TYPES * Long.BYTES;

  private final List<Channel> channels;
  private final int arms;
  private final int phases;
  private final long[] arrived = new long[TYPES];
  private final @Nullable Row[] rows;

  private static final class Row {
    private long n;
    private double factors;
    private double factorSquares;
    private final double[] bins;

    private Row(int size) {
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
    arms = channels.get(0).model().arms();
    rows = new Row[channels.size() * arms];
  }

  @Override
  public void add(int type, int group, int arm, int z, int v, double y) {
    arrived[type]++;
    for (int c = 0; c < channels.size(); c++) {
      Channel channel = channels.get(c);
      if (channel.takes(type, group)) {
        Row row = row(c * arms + arm);
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

  private Row row(int at) {
    Row row = rows[at];
    if (row == null) {
      row = new Row(arms * ofArm());
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
  public long arrived(int type) {
    return arrived[type];
  }

  @Override
  public void clear() {
    Arrays.fill(rows, null);
    Arrays.fill(arrived, 0);
  }

  @Override
  public Ipw evaluate(int channel, int l, BitSet wanted) {
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
      Row row = rows[c * arms + j];
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
  public Moments moments(int channel, int target) {
    Moments moments = Moments.blank(arms);
    for (int j = 0; j < arms; j++) {
      Row row = rows[channel * arms + j];
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
  public int byteLength() {
    int present = (int) Arrays.stream(rows).filter(row -> row != null).count();
    return HEADER_BYTES + present * rowBytes();
  }

  @Override
  public long greatestLength(Design design) {
    return HEADER_BYTES + (long) rows.length * rowBytes();
  }

  private int rowBytes() {
    return Integer.BYTES + Long.BYTES + (2 + arms * ofArm()) * Double.BYTES;
  }

  @Override
  public void appendTo(ByteBuffer out) {
    out.put(FORMAT).putInt((byteLength() - HEADER_BYTES) / rowBytes());
    for (long n : arrived) {
      out.putLong(n);
    }
    for (int at = 0; at < rows.length; at++) {
      Row row = rows[at];
      if (row != null) {
        out.putInt(at).putLong(row.n).putDouble(row.factors).putDouble(row.factorSquares);
        for (double bin : row.bins) {
          out.putDouble(bin);
        }
      }
    }
  }

  /** Reads what {@link #appendTo} wrote for the same channels and phases. */
  static PrefixBins readFrom(ByteBuffer in, List<Channel> channels, int phases) {
    PrefixBins read = new PrefixBins(channels, phases);
    if (in.remaining() < HEADER_BYTES) {
      throw new IllegalArgumentException("bins in " + in.remaining() + " bytes");
    }
    byte format = in.get();
    int present = in.getInt();
    for (int type = 0; type < TYPES; type++) {
      read.arrived[type] = in.getLong();
    }
    if (format != FORMAT || present < 0 || present > in.remaining() / read.rowBytes()) {
      throw new IllegalArgumentException(
          String.format("bins of format %d, %d rows in %d bytes", format, present, in.remaining()));
    }
    for (int i = 0; i < present; i++) {
      int at = in.getInt();
      if (at < 0 || at >= read.rows.length || read.rows[at] != null) {
        throw new IllegalArgumentException("bins have no row " + at + ", or have it twice");
      }
      Row row = read.row(at);
      row.n = in.getLong();
      row.factors = in.getDouble();
      row.factorSquares = in.getDouble();
      for (int bin = 0; bin < row.bins.length; bin++) {
        row.bins[bin] = in.getDouble();
      }
    }
    return read;
  }
}
