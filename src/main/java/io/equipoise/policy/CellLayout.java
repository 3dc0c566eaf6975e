package io.equipoise.policy;

import io.equipoise.segmentspec.Arms;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.Variables;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.IntBinaryOperator;

/**
 * Determines which cell an observation falls into. A cell is one joint value w of W.
 *
 * <p>The block key is the joint index of W's context variables in context order, 0 if there are
 * none. Within a block come W's action variables, then its mediators Z, in declaration order. All
 * indices are mixed radix, the first variable slowest. A variable that may be undisclosed has one
 * index more than disclosed levels: people who do not tell have cells of their own.
 */
public final class CellLayout {
  /** Keeps a block far below what one state access should move. */
  static final int MAX_CELLS_A_BLOCK = 1 << 20;

  private final int[] contextPlaces;
  private final int[] contextSizes;
  private final int[] actionPlaces;
  private final int[] actionSizes;
  private final int[] mediatorPlaces;
  private final int[] mediatorSizes;
  private final int[] firstCell;
  private final int mediatorCells;
  private final double blocks;
  private final int cells;

  public CellLayout(Variables variables, Arms arms, Collection<String> w) {
    List<SpecVariable> actions = variables.actions();
    contextPlaces = places(variables.features(), w);
    contextSizes = sizes(variables.features(), contextPlaces);
    mediatorPlaces = places(variables.mediators(), w);
    mediatorSizes = sizes(variables.mediators(), mediatorPlaces);
    actionPlaces = places(actions, w);
    actionSizes = sizes(actions, actionPlaces);
    blocks = product(contextSizes);
    double inBlock = product(actionSizes) * product(mediatorSizes);
    if (inBlock > MAX_CELLS_A_BLOCK || blocks > Long.MAX_VALUE) {
      throw new ArithmeticException(
          String.format(
              "W has %.3g cells in each of %.3g blocks, more than %d or 2^63",
              inBlock, blocks, MAX_CELLS_A_BLOCK));
    }
    cells = (int) inBlock;
    mediatorCells = (int) product(mediatorSizes);
    firstCell = new int[arms.size()];
    for (int arm = 0; arm < firstCell.length; arm++) {
      firstCell[arm] = firstCell(arms.get(arm).levels());
    }
  }

  /** Returns the cell, at z = 0, of an arm with these levels of the action variables. */
  public int firstCell(int[] levels) {
    int part = 0;
    for (int i = 0; i < actionPlaces.length; i++) {
      part = part * actionSizes[i] + levels[actionPlaces[i]];
    }
    return part * mediatorCells;
  }

  /**
   * Returns how many indices a variable has: its levels, and one for "undisclosed" if it may be.
   */
  public static int size(SpecVariable variable) {
    return Math.max(variable.levels().size(), variable.undisclosed() + 1);
  }

  public long blockKey(int[] context) {
    long key = 0;
    for (int i = 0; i < contextPlaces.length; i++) {
      key = key * contextSizes[i] + context[contextPlaces[i]];
    }
    return key;
  }

  /** Returns the cell of an arm at z = 0; the arm's other cells follow. */
  public int firstCell(int arm) {
    return firstCell[arm];
  }

  /** Returns whether a feature is a variable of W. */
  public boolean hasContext(int place) {
    return Arrays.binarySearch(contextPlaces, place) >= 0;
  }

  /** Returns how many first cells the arms have between them. */
  public int rows() {
    return (int) Arrays.stream(firstCell).distinct().count();
  }

  /** Returns |Z|, 1 if there are no mediators in W. */
  public int mediatorCells() {
    return mediatorCells;
  }

  public int cellsPerBlock() {
    return cells;
  }

  /** Returns |W|. */
  public double cells() {
    return blocks * cells;
  }

  /** Returns the joint index z of the mediators, or -1 where one of Z is not observed. */
  public int mediatorCell(int[] mediators) {
    int z = 0;
    for (int i = 0; i < mediatorPlaces.length; i++) {
      int level = mediators[mediatorPlaces[i]];
      if (level < 0) {
        return -1;
      }
      z = z * mediatorSizes[i] + level;
    }
    return z;
  }

  /** Returns the key, in a layout with more levels, of what has {@code key} here. */
  public long keyIn(CellLayout larger, LevelMap levels, long key) {
    return moved(key, contextPlaces, contextSizes, larger.contextSizes, levels::feature);
  }

  /** Returns the cell, in a layout with other levels, of what is in {@code cell} here, or -1. */
  public int cellIn(CellLayout larger, LevelMap levels, int cell) {
    long action =
        moved(cell / mediatorCells, actionPlaces, actionSizes, larger.actionSizes, levels::action);
    long z =
        moved(
            cell % mediatorCells,
            mediatorPlaces,
            mediatorSizes,
            larger.mediatorSizes,
            levels::mediator);
    return action < 0 ? -1 : (int) (action * larger.mediatorCells + z);
  }

  /**
   * Takes a mixed-radix index apart, the last variable first, and puts it together in others; -1
   * where a level is gone.
   */
  private static long moved(
      long index, int[] places, int[] sizes, int[] largerSizes, IntBinaryOperator level) {
    long left = index;
    long moved = 0;
    long unit = 1;
    for (int i = places.length - 1; i >= 0; i--) {
      int there = level.applyAsInt(places[i], (int) (left % sizes[i]));
      if (there < 0) {
        return -1;
      }
      moved += unit * there;
      left /= sizes[i];
      unit *= largerSizes[i];
    }
    return moved;
  }

  private static int[] places(List<SpecVariable> variables, Collection<String> w) {
    int[] places = new int[variables.size()];
    int count = 0;
    for (int place = 0; place < places.length; place++) {
      if (w.contains(variables.get(place).name())) {
        places[count++] = place;
      }
    }
    return Arrays.copyOf(places, count);
  }

  private static int[] sizes(List<SpecVariable> variables, int[] places) {
    int[] sizes = new int[places.length];
    for (int i = 0; i < places.length; i++) {
      sizes[i] = size(variables.get(places[i]));
    }
    return sizes;
  }

  private static double product(int[] sizes) {
    double product = 1;
    for (int size : sizes) {
      product *= size;
    }
    return product;
  }
}
