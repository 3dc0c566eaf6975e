package io.equipoise.policy.tabular;

import io.equipoise.causal.SeparatingSet;
import io.equipoise.policy.AssumptionFindings;
import io.equipoise.policy.CertificateForecast;
import io.equipoise.policy.CertificateForecast.Expected;
import io.equipoise.policy.CheckFindings;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PolicyFamily;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.constraint.Constraint;
import io.equipoise.segmentspec.ArmReader;
import io.equipoise.segmentspec.CausalBoundsSpec;
import io.equipoise.segmentspec.ExploreReader;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.RewardRule;
import io.equipoise.segmentspec.Section;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.Ties;
import io.equipoise.segmentspec.VariableRole;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Declares the policies whose statistics are counts and moments of cells. */
public final class TabularFamily implements PolicyFamily {
  @Override
  public String name() {
    return "tabular";
  }

  @Override
  public int version() {
    return 0;
  }

  @Override
  public List<? extends PolicyName> policies() {
    return List.of(TabularPolicyName.values());
  }

  @Override
  public @Nullable PolicySpec read(PolicyName name, PolicySection section) {
    return TabularReader.read((TabularPolicyName) name, section);
  }

  @Override
  public List<SpecFault> faults(SegmentSpec spec) {
    boolean isUseless =
        !TabularSpec.of(spec).safe().isEmpty() && spec.policy().name() != TabularPolicyName.F_UCB;
    return isUseless
        ? List.of(
            new SpecFault(
                "policy.safe",
                "safe arms",
                "none: only f-ucb falls back to arms that are known to be fair"))
        : List.of();
  }

  @Override
  public Policy compile(SegmentSpec spec) {
    return TabularPolicy.compile(spec);
  }

  @Override
  public Map<Integer, Supplier<StateBlock>> formats() {
    return Map.of(
        (int) CellBlock.FORMAT,
        CellBlock::new,
        Byte.toUnsignedInt(DualState.FORMAT),
        DualState::new);
  }

  @Override
  public @Nullable CertificateForecast forecast(Policy policy, Expected expected) {
    return ((TabularPolicy) policy).forecast(expected);
  }

  @Override
  public void assumptions(Policy policy, AssumptionFindings findings) {
    SeparatingSet set = ((TabularPolicy) policy).separatingSet();
    findings.tables(set.mediators());
    findings.cells(set.variables(), rewardScale(policy.spec()));
  }

  /** Returns the scale that the certificates use; bounded rewards have half their range. */
  private static double rewardScale(SegmentSpec spec) {
    double halfRange = spec.reward().range().width() / 2;
    return switch (spec.fairness().confidence()) {
      case SUB_GAUSSIAN -> spec.fairness().scale();
      case JOINT -> halfRange;
      case PAPER -> spec.reward().bounded() ? halfRange : spec.reward().scale();
    };
  }

  @Override
  public void check(Policy policy, CheckFindings findings) {
    new SpecFindings((TabularPolicy) policy).report(findings);
  }

  /** Reads what {@code policy} says of a policy over cells. */
  private record TabularReader(PolicySection section) {
    /** Returns null after a fault, also if the reward's scale is needed and has one. */
    static @Nullable PolicySpec read(TabularPolicyName name, PolicySection section) {
      return new TabularReader(section).policy(name);
    }

    private @Nullable PolicySpec policy(TabularPolicyName name) {
      Section keys = section.fields();
      RewardRule reward = section.reward();
      CausalBoundsSpec causalBounds = section.causalBounds();
      Ties ties = section.ties();
      double scale = keys.number("index-scale", reward == null ? Double.NaN : reward.scale());
      Field set = keys.get("separating-set");
      List<String> declared = set != null && set.isList() ? declaredSet() : List.of();
      SeparatingRule rule = rule(name, set);
      List<Map<String, List<String>>> safe = keys.items("safe").stream().map(this::safe).toList();
      Constraint constraint = constraint(name);
      ExploreSpec explore =
          ExploreReader.read(keys, null, constraint != null && constraint.isSelective());
      if (reward == null
          || rule == null
          || ties == null
          || constraint == null
          || explore == null
          || !keys.isSound()) {
        return null;
      }
      TabularSpec family = new TabularSpec(scale, rule, declared, safe, constraint, explore);
      return new PolicySpec(name, ties, causalBounds, family);
    }

    private @Nullable Constraint constraint(TabularPolicyName name) {
      boolean isHard = name == TabularPolicyName.F_UCB;
      Constraint byDefault = isHard ? Constraint.HARD : Constraint.NONE;
      Constraint constraint = section.fields().word("constraint", Constraint.class, byDefault);
      Field field = section.get("constraint");
      if (field != null && constraint != null && isHard != (constraint == Constraint.HARD)) {
        field.fault(
            isHard
                ? "hard, which f-ucb is; ucb, c-ucb and d-ucb take none, dual, dual-upper, screen"
                : "none, dual, dual-upper or screen: the hard constraint over cells is f-ucb");
      }
      return constraint;
    }

    private @Nullable SeparatingRule rule(TabularPolicyName name, @Nullable Field field) {
      SeparatingRule byDefault =
          switch (name) {
            case UCB, UCB_PCB -> SeparatingRule.ALL;
            case C_UCB -> SeparatingRule.PARENTS;
            case D_UCB, F_UCB -> SeparatingRule.CHEAPEST;
          };
      SeparatingRule rule =
          field != null && field.isList()
              ? SeparatingRule.DECLARED
              : section.fields().word("separating-set", SeparatingRule.class, byDefault);
      boolean fixed = byDefault != SeparatingRule.CHEAPEST;
      if (field != null && fixed && rule != null && rule != byDefault) {
        field.fault("with " + name.wire() + " it is " + byDefault.wire() + ", or left out");
      }
      return rule;
    }

    private List<String> declaredSet() {
      List<String> allowed = new ArrayList<>(section.variables().names());
      allowed.removeAll(section.variables().names(VariableRole.REWARD));
      return section.fields().variables("separating-set", allowed);
    }

    private Map<String, List<String>> safe(Field item) {
      Map<String, List<String>> rule = new LinkedHashMap<>();
      Section given = Section.ofNames(item);
      given.refuseOthers(section.variables().names(VariableRole.ACTION));
      given.fields().forEach((action, levels) -> rule.put(action, allowedLevels(action, levels)));
      if (given.isMapping() && rule.isEmpty()) {
        item.fault("an empty mapping", "actions and their levels; an empty one would hold for all");
      }
      return rule;
    }

    private List<String> allowedLevels(String action, Field field) {
      SpecVariable variable = section.variables().sound(action);
      List<Field> items = field.isList() ? field.items() : List.of(field);
      List<String> levels = new ArrayList<>();
      Set<Integer> seen = new HashSet<>();
      for (Field item : items) {
        int level = variable == null ? -1 : ArmReader.levelOf(variable, item);
        if (variable != null && level >= 0) {
          if (!seen.add(level)) {
            item.fault("every level once");
          }
          levels.add(variable.levels().get(level));
        }
      }
      if (items.isEmpty()) {
        field.fault("an empty list", "at least one level");
      }
      return levels;
    }
  }
}
