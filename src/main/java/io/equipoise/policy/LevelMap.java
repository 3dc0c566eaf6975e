package io.equipoise.policy;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.Stored;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import io.equipoise.segmentspec.Variables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Maps the levels of a spec's variables stand in a later spec, by name: level i of a variable is
 * level {@code [place][i]} there, -1 if it is gone, which only those of actions may be. Immutable
 * once read.
 *
 * <pre>
 * Bytes, big-endian, for features, actions and mediators:
 *   variables (i32), per variable: indices (i32), per index: the later one (i32), -1 where an
 *   action's is gone
 * </pre>
 */
public final class LevelMap extends Stored {
  private static final int MAX_LEVELS = 1 << 20;

  private int[][] features = {};
  private int[][] actions = {};
  private int[][] mediators = {};

  /** Makes a map without variables, to be read. */
  public LevelMap() {}

  private LevelMap(int[][] features, int[][] actions, int[][] mediators) {
    this.features = features;
    this.actions = actions;
    this.mediators = mediators;
  }

  /**
   * Compares the variables of two specs.
   *
   * @return null if the later one lacks a variable, or a level of another one than an action, or if
   *     anything else about a variable is another: role, place, range, cuts, what a missing value
   *     means
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
      if (moved[level] < 0 && before.role() != VariableRole.ACTION) {
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
      both[place] =
          Arrays.stream(first[place]).map(level -> level < 0 ? level : next[level]).toArray();
    }
    return both;
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    features = part(bytes, features, 0);
    actions = part(bytes, actions, -1);
    mediators = part(bytes, mediators, 0);
  }

  private static int[][] part(Layout bytes, int[][] maps, int least) throws LayoutException {
    int count = bytes.count(maps.length, Integer.BYTES);
    int[][] part = bytes.isReading() ? new int[count][] : maps;
    for (int place = 0; place < count; place++) {
      int levels = bytes.count(bytes.isReading() ? 0 : part[place].length, Integer.BYTES);
      if (bytes.isReading()) {
        part[place] = new int[levels];
      }
      for (int level = 0; level < levels; level++) {
        part[place][level] = bytes.i32(part[place][level]);
        bytes.check(
            part[place][level] >= least && part[place][level] <= MAX_LEVELS,
            "a level stands at",
            part[place][level]);
      }
    }
    return part;
  }

  @Override
  public String toString() {
    return Arrays.deepToString(features)
        + Arrays.deepToString(actions)
        + Arrays.deepToString(mediators);
  }
}
