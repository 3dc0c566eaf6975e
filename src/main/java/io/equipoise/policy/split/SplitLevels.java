package io.equipoise.policy.split;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.effect.GapParts;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.GapPartKind;
import io.equipoise.policy.Experience;
import io.equipoise.policy.law.EstimatedLaw;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Orders the variables that the split of one attribute's gap matches by time: confounders jointly,
 * each mediator that is known before the decision, the arm, each mediator after it. Immutable.
 */
public final class SplitLevels {
  private static final int MOST_STRATA = 1 << 16;

  /**
   * Groups variables that are matched together.
   *
   * @param matched has the actions in place of the arm
   * @param strata joint values of this level and all before it
   */
  record Level(GapParts.Level matched, List<Slot> slots, int strata) {}

  /**
   * Reads the level of one variable.
   *
   * @param value its level index; outside of [0, size) where it is not known
   * @param isMediator whether a person without it is counted, without a counterpart
   */
  record Slot(String name, int size, ToIntFunction<Experience> value, boolean isMediator) {}

  final int place;
  final SpecVariable attribute;
  final List<Level> levels = new ArrayList<>();
  private final CausalGraph graph;

  /** The number of the levels before the arm's. */
  final int arm;

  /**
   * Reads a spec, with or without a split of its own.
   *
   * @param place of the attribute among the features
   * @throws SpecException if the graph does not identify the parts, or there are too many strata
   */
  public SplitLevels(SegmentSpec spec, int place) {
    List<String> split = spec.fairness().split();
    List<String> variables = split == null ? List.of() : split;
    this.place = place;
    List<SpecVariable> features = spec.variables().features();
    attribute = features.get(place);
    // a policy chooses its arms by all that is known of a person; over cells by the bins of numbers
    EstimatedLaw law = EstimatedLaw.ofCells(spec).about(Set.of(attribute.name()));
    boolean isOfCells = spec.policy().family().kinds().contains(AuditEffectKind.TOTAL);
    List<String> actions = spec.variables().actions().stream().map(SpecVariable::name).toList();
    graph =
        law.graph()
            .withArrows(
                features.stream().map(it -> isOfCells ? it.name() : law.itself(it.name())).toList(),
                actions);
    Set<String> after = graph.descendants(List.of(attribute.name()));
    List<Slot> confounders = new ArrayList<>();
    List<Slot> before = new ArrayList<>();
    List<Slot> later = new ArrayList<>();
    for (String name : graph.topologicalOrder()) {
      boolean isAsked = variables.isEmpty() || variables.contains(name);
      if (!isAsked || !spec.variables().has(name) || name.equals(attribute.name())) {
        continue;
      }
      SpecVariable variable = spec.variables().named(name);
      int feature = features.indexOf(variable);
      int mediator = spec.variables().mediators().indexOf(variable);
      if (feature >= 0) {
        Slot slot = new Slot(name, variable.disclosedLevels(), it -> it.person()[feature], false);
        (after.contains(name) ? before : confounders).add(slot);
      } else if (mediator >= 0) {
        Slot slot = new Slot(name, variable.levels().size(), it -> it.mediators()[mediator], true);
        (after.contains(name) ? later : confounders).add(slot);
      }
    }
    if (!confounders.isEmpty()) {
      add(GapPartKind.SPURIOUS, confounders, confounders.stream().map(Slot::name).toList());
    }
    before.forEach(slot -> add(GapPartKind.INDIRECT, List.of(slot), List.of(slot.name())));
    arm = levels.size();
    Slot arms = new Slot("arm", spec.arms().size(), Experience::arm, false);
    add(GapPartKind.POLICY, List.of(arms), actions);
    later.forEach(slot -> add(GapPartKind.INDIRECT, List.of(slot), List.of(slot.name())));
    List<SpecFault> faults = new ArrayList<>();
    if (spec.arms().size() == 0) {
      fault(faults, "a spec without arms", "no split: it matches arms");
    }
    if (strata(levels.size()) > MOST_STRATA) {
      fault(
          faults,
          "more than %d strata of %s"
              .formatted(MOST_STRATA, levels.stream().map(it -> it.matched().name()).toList()),
          "a list of fewer variables, or variables with fewer levels");
    }
    GapParts.violation(graph, attribute.name(), spec.variables().reward().name(), matched())
        .ifPresent(
            why ->
                fault(
                    faults,
                    "parts that the graph does not identify",
                    "variables whose parts it identifies: %s. See docs/math/effect-split.md#when-a-graph-identifies-the-parts"
                        .formatted(why)));
    if (!faults.isEmpty()) {
      throw new SpecException(faults);
    }
  }

  private void add(GapPartKind kind, List<Slot> slots, List<String> variables) {
    int strata = strata(levels.size());
    for (Slot slot : slots) {
      strata = (int) Math.min((long) strata * slot.size(), MOST_STRATA + 1);
    }
    String name = slots.stream().map(Slot::name).collect(Collectors.joining("*"));
    levels.add(new Level(new GapParts.Level(name, kind, variables), slots, strata));
  }

  private static void fault(List<SpecFault> faults, String given, String allowed) {
    faults.add(new SpecFault("fairness.split", given, allowed));
  }

  /** Returns the graph of the spec, with the arrows by which a policy chooses its arms. */
  public CausalGraph graph() {
    return graph;
  }

  /** Returns the variables of the levels, of the arm's its actions. */
  public List<GapParts.Level> matched() {
    return levels.stream().map(Level::matched).toList();
  }

  /** Returns the number of strata of a level; at level 0 all people are one. */
  int strata(int level) {
    return level == 0 ? 1 : levels.get(level - 1).strata();
  }

  /**
   * Returns the stratum at every level, the first of all people, until an unreported mediator's:
   * from there on nobody is a counterpart; null for a person who is not counted.
   */
  int @Nullable [] strata(Experience experience) {
    int[] strata = new int[levels.size() + 1];
    int matched = strata.length;
    for (int level = 0; level < levels.size(); level++) {
      int stratum = strata[level];
      for (Slot slot : levels.get(level).slots()) {
        int value = slot.value().applyAsInt(experience);
        if (value < 0 || value >= slot.size()) {
          if (!slot.isMediator()) {
            return null;
          }
          matched = Math.min(matched, level + 1);
        }
        stratum = stratum * slot.size() + value;
      }
      strata[level + 1] = stratum;
    }
    return Arrays.copyOf(strata, matched);
  }
}
