package io.equipoise.policy.bestarm;

import io.equipoise.causal.Variable;
import io.equipoise.segmentspec.SpecVariable;
import java.util.List;

/**
 * Determines in which group and cell a person is, by the levels of a context vector. Those who do
 * not tell their group are in none; those who do not tell a variable of the cell are in no cell.
 */
final class SearchStrata {
  /** A person without a cell. */
  static final int NO_CELL = -1;

  private final int sensitive;
  private final int[] places;
  private final int[] sizes;

  /**
   * @param features the variables of a context vector, in order
   * @param cells the variables of a cell, the first slowest
   */
  SearchStrata(List<SpecVariable> features, String sensitive, List<Variable> cells) {
    List<String> names = features.stream().map(SpecVariable::name).toList();
    this.sensitive = names.indexOf(sensitive);
    places = cells.stream().mapToInt(variable -> names.indexOf(variable.name())).toArray();
    sizes = cells.stream().mapToInt(Variable::size).toArray();
  }

  /** Returns the group of a person, by the first and the second level of S. */
  int group(int[] person) {
    int level = person[sensitive];
    return level == CsrModel.S || level == CsrModel.S_PRIME ? level : CsrModel.UNKNOWN_GROUP;
  }

  /** Returns the number of a person's cell, or {@link #NO_CELL}. */
  int cell(int[] person) {
    int cell = 0;
    for (int i = 0; i < places.length; i++) {
      int level = person[places[i]];
      if (level < 0 || level >= sizes[i]) {
        return NO_CELL;
      }
      cell = cell * sizes[i] + level;
    }
    return cell;
  }
}
