package io.equipoise.policy.constraint;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.StateBlock;

/**
 * Remembers how a model's certificates share delta, so that versions of a spec together never give
 * out more than delta (docs/math/weighted-sums.md#delta-over-versions). Mutable; {@link #copy} is
 * deep.
 *
 * <p>Without a block the current version is taken for the first one.
 *
 * <pre>
 * Bytes, format 161, big-endian:
 *   0 format (u8)   1 arms of the first version (i32)   5 changes of the shares (i32)
 *   9 those shares in force, a hash (i64)
 * </pre>
 */
public final class DeltaShares extends StateBlock {
  /** The format code. */
  public static final byte FORMAT = (byte) 161;

  /** The key among the blocks of a segment. */
  public static final long KEY = -6;

  /** The key of the block about tables that are estimated, which have a part of delta of theirs. */
  public static final long TABLES = -7;

  /** The bytes of a block with its key. */
  public static final int KEYED_BYTES = 2 * Long.BYTES + 2 * Integer.BYTES + 1;

  /** The share of delta that the ellipsoid errs with; contrasts divide the rest. */
  public static final double ELLIPSOID = 0.1;

  private static final double OF_FIRST = 0.8;

  private int first = 1;
  private int changes;
  private long meaning;

  /** Makes a block to be read. */
  public DeltaShares() {}

  /**
   * Returns the share of what comes at a place: the first ones divide {@value #OF_FIRST} equally,
   * and each later one gets a share of the rest that nothing before or after it has. All shares add
   * up to 1, however many come.
   *
   * @param place from 0
   * @param first how many there were at first, at least 1
   */
  public static double share(int place, int first) {
    double next = place + 1.0;
    return place < first ? OF_FIRST / first : (1 - OF_FIRST) * first / (place * next);
  }

  /** Returns how many arms the first version of the model had, or those of the current one. */
  public static int first(ModelState modelState, int current) {
    return modelState.get(KEY) instanceof DeltaShares shares ? shares.first : current;
  }

  /**
   * Returns how often the model's cells, or its estimated tables, got other shares.
   *
   * @param key {@link #KEY} or {@link #TABLES}
   */
  public static int changes(ModelState modelState, long key) {
    return modelState.get(key) instanceof DeltaShares shares ? shares.changes : 0;
  }

  /**
   * Goes on under a version.
   *
   * @param key {@link #KEY} or {@link #TABLES}
   * @param arms of the version
   * @param meaning changes where the shares of cells, or of tables, do
   */
  public static void adopt(ModelState modelState, long key, int arms, long meaning) {
    DeltaShares shares = new DeltaShares();
    if (modelState.get(key) instanceof DeltaShares stored) {
      shares.first = stored.first;
      shares.changes = stored.meaning == meaning ? stored.changes : stored.changes + 1;
    } else {
      shares.first = Math.max(1, arms);
    }
    shares.meaning = meaning;
    modelState.put(key, shares);
  }

  @Override
  public DeltaShares copy() {
    return copyInto(new DeltaShares());
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(FORMAT);
    first = bytes.i32(first);
    bytes.check(first >= 1, "arms of the first version", first);
    changes = bytes.i32(changes);
    bytes.check(changes >= 0, "changes", changes);
    meaning = bytes.i64(meaning);
  }
}
