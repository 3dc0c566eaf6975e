package io.equipoise.policy;

import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import io.equipoise.segmentspec.Variables;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Says where the levels of a spec's variables stand in a later spec that has them all, by name, and
 * perhaps others: level i of a variable is level {@code [place][i]} there. Immutable.
 *
 * <pre>
 * Bytes, big-endian, for features, actions and mediators:
 *   variables (i32), per variable: indices (i32), per index: the later one (i32)
 * </pre>
 */
public final class LevelMap {
  private static final int MAX_LEVELS = 1 << 20;

  private final int[][] features;
  private final int[][] actions;
  private final int[][] mediators;

  private LevelMap(int[][] features, int[][] actions, int[][] mediators) {
    this.features = features;
    this.actions = actions;
    this.mediators = mediators;
  }

  /**
   * Compares the variables of two specs.
   *
   * @return null if the later one lacks a variable or a level, or if anything else about a variable
   *     is another: role, place, range, cuts, what a missing value means
   */
  public static @Nullable LevelMap of(Variables before, Variables after) {
    if (before.all().size() != after.all().size()) {
      return null;
    }
    List<int[]> features = new ArrayList<>();
    List<int[]> actions = new ArrayList<>();
    List<int[]> mediators = new ArrayList<>();
    for (int place = 0; place < before.all().size(); place++) {
      SpecVariable variable = before.all().get(place);
      int[] moved = moved(variable, after.all().get(place));
      if (moved == null) {
        return null;
      }
      if (variable.role().isFeature()) {
        features.add(moved);
      } else if (variable.role() == VariableRole.ACTION) {
        actions.add(moved);
      } else if (variable.role() == VariableRole.MEDIATOR) {
        mediators.add(moved);
      }
    }
    return new LevelMap(array(features), array(actions), array(mediators));
  }

  private static int[][] array(List<int[]> maps) {
    return maps.toArray(new int[0][]);
  }

  private static int @Nullable [] moved(SpecVariable before, SpecVariable after) {
    boolean isSame =
        before.name().equals(after.name())
            && before.role() == after.role()
            && before.missing() == after.missing()
            && Objects.equals(before.range(), after.range())
            && Arrays.equals(before.cuts(), after.cuts());
    if (!isSame) {
      return null;
    }
    int[] moved = new int[CellLayout.size(before)];
    for (int level = 0; level < moved.length; level++) {
      moved[level] =
          level < before.levels().size()
              ? after.indexOf(before.levels().get(level))
              : after.undisclosed();
      if (moved[level] < 0) {
        return null;
      }
    }
    return moved;
  }

  /**
   * Compares the variables of two specs for a policy that refuses new levels of some variables.
   *
   * @param refusal returns why a policy refuses other levels of a variable, or null
   * @return null if the policy refuses a change, or if {@link #of} returns null
   */
  public static @Nullable LevelMap of(
      Variables before, Variables after, Function<SpecVariable, @Nullable String> refusal) {
    boolean isRefused =
        changed(before, after).stream().anyMatch(name -> refusal.apply(after.named(name)) != null);
    return isRefused ? null : of(before, after);
  }

  /**
   * Returns the names of variables that have other levels, or the same in another order, in the
   * order of their declaration.
   */
  public static List<String> changed(Variables before, Variables after) {
    List<String> changed = new ArrayList<>();
    for (SpecVariable variable : after.all()) {
      if (!before.has(variable.name())
          || !before.named(variable.name()).levels().equals(variable.levels())) {
        changed.add(variable.name());
      }
    }
    return changed;
  }

  /** Returns where a feature's level stands. */
  int feature(int place, int level) {
    return features[place][level];
  }

  /** Returns where an action's level stands. */
  int action(int place, int level) {
    return actions[place][level];
  }

  /** Returns where a mediator's level stands. */
  int mediator(int place, int level) {
    return mediators[place][level];
  }

  /** Returns where all levels of a feature stand; not to be written to. */
  public int[] feature(int place) {
    return features[place];
  }

  /** Returns where all levels of an action stand; not to be written to. */
  public int[] action(int place) {
    return actions[place];
  }

  /** Translates a context vector. */
  public int[] features(int[] context) {
    return translated(features, context);
  }

  /** Translates the levels of mediators; one that was not observed stays so. */
  public int[] mediators(int[] levels) {
    return translated(mediators, levels);
  }

  private static int[] translated(int[][] maps, int[] levels) {
    int[] moved = levels.clone();
    for (int place = 0; place < moved.length; place++) {
      if (moved[place] >= 0) {
        moved[place] = maps[place][moved[place]];
      }
    }
    return moved;
  }

  /** Returns where the levels stand after one more step. */
  public LevelMap then(LevelMap next) {
    return new LevelMap(
        then(features, next.features),
        then(actions, next.actions),
        then(mediators, next.mediators));
  }

  private static int[][] then(int[][] first, int[][] second) {
    int[][] both = new int[first.length][];
    for (int place = 0; place < both.length; place++) {
      int[] next = second[place];
      both[place] = Arrays.stream(first[place]).map(level -> next[level]).toArray();
    }
    return both;
  }

  /** Returns the number of bytes that {@link #appendTo} writes. */
  public int byteLength() {
    int length = 0;
    for (int[][] part : new int[][][] {features, actions, mediators}) {
      length += Integer.BYTES;
      for (int[] map : part) {
        length += Integer.BYTES * (1 + map.length);
      }
    }
    return length;
  }

  /** Appends the layout above. The buffer must be big-endian. */
  public void appendTo(ByteBuffer out) {
    for (int[][] part : new int[][][] {features, actions, mediators}) {
      out.putInt(part.length);
      for (int[] map : part) {
        out.putInt(map.length);
        for (int level : map) {
          out.putInt(level);
        }
      }
    }
  }

  /** Reads what {@link #appendTo} wrote; a length that cannot be is refused before allocation. */
  public static LevelMap readFrom(ByteBuffer in) {
    return new LevelMap(readPart(in), readPart(in), readPart(in));
  }

  private static int[][] readPart(ByteBuffer in) {
    int[][] part = new int[count(in)][];
    for (int place = 0; place < part.length; place++) {
      part[place] = new int[count(in)];
      for (int level = 0; level < part[place].length; level++) {
        part[place][level] = in.getInt();
        if (part[place][level] < 0 || part[place][level] > MAX_LEVELS) {
          throw new IllegalArgumentException("a level stands at " + part[place][level]);
        }
      }
    }
    return part;
  }

  private static int count(ByteBuffer in) {
    int count = in.getInt();
    if (count < 0 || count > in.remaining() / Integer.BYTES) {
      throw new IllegalArgumentException(count + " levels in " + in.remaining() + " bytes");
    }
    return count;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LevelMap that
        && Arrays.deepEquals(features, that.features)
        && Arrays.deepEquals(actions, that.actions)
        && Arrays.deepEquals(mediators, that.mediators);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(features);
  }

  @Override
  public String toString() {
    return Arrays.deepToString(features)
        + Arrays.deepToString(actions)
        + Arrays.deepToString(mediators);
  }
}
