package io.equipoise.segmentspec;

import java.util.List;

/**
 * Adds levels to the text of an earlier version that a later one has, so that a model which has
 * learned of them goes on under the earlier text; comments and all other characters stay.
 */
public final class LevelEdit {
  private LevelEdit() {}

  /**
   * Returns the text of {@code earlier} with all levels of {@code later}, behind its own. It has no
   * arm more: where it makes arms of all levels, they are listed.
   *
   * @throws IllegalArgumentException if the text does not list the levels of a variable
   */
  public static String keeping(SegmentSpec earlier, SegmentSpec later) {
    String text = earlier.text();
    for (SpecVariable variable : earlier.variables().all()) {
      List<String> missing = missing(variable, later.variables());
      if (variable.role() == VariableRole.ACTION && !missing.isEmpty()) {
        text = ArmEdit.listed(text, earlier);
      }
      for (String level : missing) {
        text = ArmEdit.withLevel(text, earlier.name(), variable.name(), level);
      }
    }
    return text;
  }

  /** Returns what a later version's variable of the same name and role has more. */
  private static List<String> missing(SpecVariable variable, Variables later) {
    boolean isKept =
        later.has(variable.name()) && later.named(variable.name()).role() == variable.role();
    return !isKept || variable.isNumeric()
        ? List.of()
        : later.named(variable.name()).levels().stream()
            .filter(it -> variable.indexOf(it) < 0)
            .toList();
  }
}
