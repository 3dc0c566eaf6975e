package io.equipoise.segmentspec;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How an arm is chosen.
 *
 * @param indexScale the scale of the exploration bonus, Huang et al. 2022, eq. 6
 * @param declaredSet the variables of W for {@link SeparatingRule#DECLARED}, else empty
 * @param safe arms known to be fair: those for which one of the maps holds in all of its entries
 *     (action variable to allowed levels). Empty if none are known
 * @param causalBounds the bounds that the index is clipped into, or null for none
 * @param family the settings that only policies of one family have
 */
public record PolicySpec(
    PolicyName name,
    double indexScale,
    SeparatingRule separating,
    List<String> declaredSet,
    List<Map<String, List<String>>> safe,
    Ties ties,
    @Nullable CausalBoundsSpec causalBounds,
    FamilySpec family) {
  /** Copies all the way down and keeps the order of the spec. */
  public PolicySpec {
    declaredSet = List.copyOf(declaredSet);
    List<Map<String, List<String>>> copies = new ArrayList<>();
    for (Map<String, List<String>> rule : safe) {
      Map<String, List<String>> copy = new LinkedHashMap<>();
      rule.forEach((action, levels) -> copy.put(action, List.copyOf(levels)));
      copies.add(Collections.unmodifiableMap(copy));
    }
    safe = List.copyOf(copies);
  }

  /** The settings of a family of policies. */
  public sealed interface FamilySpec
      permits TabularSpec, LinearSpec, LogisticSpec, OamSpec, ExperimentSpec {}

  /** Puts together a policy that has no separating set. */
  static PolicySpec of(
      PolicyName name, Ties ties, @Nullable CausalBoundsSpec causalBounds, FamilySpec family) {
    return new PolicySpec(
        name, 1, SeparatingRule.ALL, List.of(), List.of(), ties, causalBounds, family);
  }

  /** Returns the settings of a policy over cells, else null. */
  public @Nullable TabularSpec tabular() {
    return family instanceof TabularSpec tabular ? tabular : null;
  }

  /** Returns the settings of a policy with linear rewards, else null. */
  public @Nullable LinearSpec linear() {
    return family instanceof LinearSpec linear ? linear : null;
  }

  /** Returns the settings of a policy with logistic rewards, else null. */
  public @Nullable LogisticSpec logistic() {
    return family instanceof LogisticSpec logistic ? logistic : null;
  }

  /** Returns the settings of optimal allocation matching, else null. */
  public @Nullable OamSpec oam() {
    return family instanceof OamSpec oam ? oam : null;
  }

  /** Returns the settings of a search for the best fair arm, else null. */
  public @Nullable ExperimentSpec experiment() {
    return family instanceof ExperimentSpec experiment ? experiment : null;
  }
}
