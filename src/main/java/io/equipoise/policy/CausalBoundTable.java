package io.equipoise.policy;

import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Causal bounds on E[R | x, do(a)] under a spec, ready to be looked up by context and arm.
 * Immutable.
 *
 * <p>All rows of one arm name the same features, so at most one row speaks of a context: its key is
 * the joint index of these features, mixed radix, the first the slowest.
 */
public final class CausalBoundTable {
  private static final int NONE = -1;

  private final double[] lower;
  private final double[] upper;
  private final List<ArmRows> arms = new ArrayList<>();

  /** The rows of one arm: which features they name, and their places by joint level. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record ArmRows(int[] places, int[] sizes, Map<Long, Integer> rows) {
    long key(int[] context) {
      long key = 0;
      for (int i = 0; i < places.length; i++) {
        key = key * sizes[i] + context[places[i]];
      }
      return key;
    }
  }

  private CausalBoundTable(SegmentSpec spec, List<CausalBoundRow> rows)
      throws CausalBoundException {
    lower = new double[rows.size()];
    upper = new double[rows.size()];
    Map<String, Integer> armIndex = new HashMap<>();
    List<Map<Long, Integer>> keys = new ArrayList<>();
    List<Set<String>> named = new ArrayList<>();
    for (Arm arm : spec.arms().list()) {
      armIndex.put(arm.id(), keys.size());
      keys.add(new HashMap<>());
      named.add(Set.of());
    }
    CausalBoundRowReader reader = new CausalBoundRowReader(spec);
    for (int row = 0; row < lower.length; row++) {
      CausalBoundRow given = rows.get(row);
      Integer arm = armIndex.get(given.arm());
      if (arm == null) {
        throw new CausalBoundException(row, "the spec has no arm " + given.arm());
      }
      checkRange(row, given, spec.reward().range());
      Set<String> variables = new TreeSet<>(given.context().keySet());
      if (!keys.get(arm).isEmpty() && !named.get(arm).equals(variables)) {
        throw new CausalBoundException(
            row,
            "rows of arm %s name %s and %s; all of one arm name the same variables"
                .formatted(given.arm(), named.get(arm), variables));
      }
      named.set(arm, variables);
      if (keys.get(arm).put(reader.key(row, given), row) != null) {
        throw new CausalBoundException(
            row, "two rows of arm " + given.arm() + " speak of " + given.context());
      }
      lower[row] = given.lower();
      upper[row] = given.upper();
    }
    for (int arm = 0; arm < keys.size(); arm++) {
      int[] places = reader.places(named.get(arm));
      arms.add(new ArmRows(places, reader.sizes(places), Map.copyOf(keys.get(arm))));
    }
  }

  /**
   * Reads rows under a spec; a row's place in the list is its number here.
   *
   * @throws CausalBoundException with the first invalid row. A row is invalid if it names an arm,
   *     feature or level that the spec lacks, or exceeds the range of rewards. It is invalid if
   *     another row of its arm has the same context, or if it leaves out a feature that matters to
   *     the reward under the spec's graph
   */
  public static CausalBoundTable of(SegmentSpec spec, List<CausalBoundRow> rows)
      throws CausalBoundException {
    return new CausalBoundTable(spec, rows);
  }

  /** Returns the number of rows. */
  public int size() {
    return lower.length;
  }

  /** Returns the row that speaks of an arm in a context, or -1 if none does. */
  public int row(int arm, int[] context) {
    ArmRows known = arms.get(arm);
    return known.rows().getOrDefault(known.key(context), NONE);
  }

  /** Returns L of a row. */
  public double lower(int row) {
    return lower[row];
  }

  /** Returns U of a row. */
  public double upper(int row) {
    return upper[row];
  }

  private static void checkRange(int row, CausalBoundRow given, NumberRange numberRange)
      throws CausalBoundException {
    if (!(given.lower() <= given.upper())
        || !numberRange.contains(given.lower())
        || !numberRange.contains(given.upper())) {
      throw new CausalBoundException(
          row,
          "[%s, %s] is no part of the range of rewards, [%s, %s]"
              .formatted(given.lower(), given.upper(), numberRange.low(), numberRange.high()));
    }
  }
}
