package io.equipoise.policy;

import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.VariableRole;
import io.equipoise.segmentspec.Variables;
import org.jspecify.annotations.Nullable;

/**
 * Levels that a model over features does not see. A level of a variable that the features show
 * changes their number, so that what was learned means something else; one of a sensitive variable
 * changes what is audited and constrained, and one of an action what is remembered of arms.
 */
public final class UnseenLevels {
  private UnseenLevels() {}

  /**
   * Returns where levels stand in a later spec that only has more levels of context variables and
   * mediators that no feature shows; else null.
   */
  public static @Nullable LevelMap map(Variables before, Variables after, FeatureMap features) {
    for (String name : LevelMap.changed(before, after)) {
      VariableRole variableRole = after.named(name).role();
      boolean isUnseen =
          variableRole == VariableRole.CONTEXT || variableRole == VariableRole.MEDIATOR;
      if (!isUnseen || features.variables().contains(name)) {
        return null;
      }
    }
    return LevelMap.of(before, after);
  }
}
