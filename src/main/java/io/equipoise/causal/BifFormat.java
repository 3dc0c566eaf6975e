package io.equipoise.causal;

import java.util.function.Predicate;

/**
 * Reads discrete Bayesian networks in the Interchange Format (BIF 0.15, Cozman 1998), as in the
 * bnlearn repository.
 *
 * <p>Blocks are {@code network}, {@code variable} and {@code probability}; {@code property} lines
 * are ignored. Commas and the {@code |} after the child are optional, as in the format. A {@code
 * table} of a child with parents varies the child slowest and the last parent fastest; {@code
 * (levels) p, p;} gives one row, {@code default} all missing rows. Rows must sum to 1 within {@link
 * Cpt#ROW_TOLERANCE}. Errors are {@link DistributionException}s with line and column. A network
 * with more than {@value #MAX_CELLS} probabilities is rejected before they are allocated.
 */
public final class BifFormat {
  /** Tolerance of row sums in a network with rounded numbers. */
  public static final double PRINTED_TOLERANCE = 1e-6;

  static final int MAX_CELLS = 1 << 22;

  private BifFormat() {}

  public static KnownDistributions read(String text) {
    return read(text, Cpt.ROW_TOLERANCE);
  }

  /**
   * Reads a network with rounded numbers, whose row sums may differ more from 1: rows of bnlearn's
   * hepar2 differ by 1e-7. Nothing is renormalized.
   */
  public static KnownDistributions read(String text, double rowTolerance) {
    return new BifReader(text, rowTolerance).network();
  }

  /** As {@link #readWhole(String, double, Predicate)}, for a network with exact numbers. */
  public static KnownDistributions readWhole(String text, Predicate<String> isReplaced) {
    return readWhole(text, Cpt.ROW_TOLERANCE, isReplaced);
  }

  /**
   * As {@link #read(String, double)}, but rejects a text that was cut: a network that lacks a table
   * would say that a variable has no causes.
   *
   * @param isReplaced whether the table of a variable comes from elsewhere, and may be missing
   */
  public static KnownDistributions readWhole(
      String text, double rowTolerance, Predicate<String> isReplaced) {
    BifReader reader = new BifReader(text, rowTolerance);
    KnownDistributions network = reader.network();
    reader.requireTables(isReplaced);
    return network;
  }
}
