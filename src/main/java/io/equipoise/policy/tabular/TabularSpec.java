package io.equipoise.policy.tabular;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.policy.constraint.Constraint;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.PolicySpec.FamilySpec;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sets up a policy over cells.
 *
 * @param indexScale the scale of the exploration bonus, Huang et al. 2022, eq. 6
 * @param declaredSet the variables of W for {@link SeparatingRule#DECLARED}, else empty
 * @param safe arms known to be fair: those for which one of the maps holds in all of its entries
 *     (action variable to allowed levels). Empty if none are known
 * @param constraint HARD of {@code f-ucb} and of no other
 * @param explore what is drawn in place of the policy's arm; the fair set is what is certified
 */
public record TabularSpec(
    double indexScale,
    SeparatingRule separating,
    List<String> declaredSet,
    List<Map<String, List<String>>> safe,
    Constraint constraint,
    ExploreSpec explore)
    implements FamilySpec {
  /** Copies all the way down and keeps the order of the spec. */
  public TabularSpec {
    declaredSet = List.copyOf(declaredSet);
    List<Map<String, List<String>>> copies = new ArrayList<>();
    for (Map<String, List<String>> rule : safe) {
      Map<String, List<String>> copy = new LinkedHashMap<>();
      rule.forEach((action, levels) -> copy.put(action, List.copyOf(levels)));
      copies.add(Collections.unmodifiableMap(copy));
    }
    safe = List.copyOf(copies);
  }

  /** Returns the settings of a spec whose policy is of this family. */
  public static TabularSpec of(SegmentSpec spec) {
    return (TabularSpec) spec.policy().family();
  }

  @Override
  public Set<AuditEffectKind> kinds() {
    return Set.of(AuditEffectKind.TOTAL, AuditEffectKind.DIRECT, AuditEffectKind.INDIRECT);
  }

  /** Returns whether effects price or screen the choice. */
  public boolean isPriced() {
    return constraint != Constraint.NONE && constraint != Constraint.HARD;
  }
}
