package io.equipoise.segmentspec;

import java.util.List;

/**
 * Adds levels of a later version to the text of an earlier one, so that a model which has learned
 * them continues under the earlier text; comments and all other characters stay.
 */
public final class LevelEdit {
  private LevelEdit() {}

  /**
   * Returns the text of {@code earlier} with all levels of {@code later} after its own. It gets no
   * further arms: if it makes arms of all levels, they are listed.
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

  /** Returns the levels that only a later version's variable of the same name and role has. */
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
