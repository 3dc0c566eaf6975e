package io.equipoise.policy.tabular;

import io.equipoise.causal.Cpt;
import io.equipoise.causal.GraphException;
import io.equipoise.causal.KnownDistributions;
import io.equipoise.causal.SeparatingSets;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.policy.CheckFindings;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.law.EstimatedLaw;
import io.equipoise.segmentspec.ConfidenceKind;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import io.equipoise.segmentspec.Variables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Derives the findings of a valid spec from its graph. */
final class SpecFindings {
  private final SegmentSpec spec;
  private final TabularPolicy policy;
  private final EstimatedLaw law;
  private final List<String> features = new ArrayList<>();

  SpecFindings(TabularPolicy policy) {
    this.spec = policy.spec();
    this.policy = policy;
    law = EstimatedLaw.ofCells(spec);
    spec.variables().features().forEach(variable -> features.add(variable.name()));
    spec.variables().actions().forEach(variable -> features.add(variable.name()));
  }

  /** Reports cells, effects, the bound on regret and warnings. */
  void report(CheckFindings findings) {
    cells(findings);
    attributes(findings);
    regret(findings);
    warnings().forEach(findings::warn);
  }

  private void cells(CheckFindings findings) {
    for (CellSet set : cellSets()) {
      boolean isChosen = set.variables().equals(policy.separatingSet().variables());
      findings.line(
          "  cells %-9s %8.0f  %s%s%s",
          set.rule(),
          set.cells(),
          set.variables(),
          set.separates() ? "" : "  does NOT separate",
          isChosen ? "  <- W" : "");
      findings.put("cells." + set.rule(), set.cells());
      findings.put("separates." + set.rule(), set.separates());
    }
    findings.put("W", policy.separatingSet().variables());
    findings.put("Z", policy.separatingSet().mediators());
    findings.put("cells", policy.cells());
    findings.line(
        "  W = %s with %.0f cells, of which mediators %s",
        policy.separatingSet().variables(), policy.cells(), policy.separatingSet().mediators());
    boolean isJoint = spec.fairness().confidence() == ConfidenceKind.JOINT;
    double parts = isJoint ? policy.sets() : policy.cells();
    if (spec.fairness().confidence() != ConfidenceKind.PAPER) {
      findings.line(
          "  confidence %s: delta = %s divided over %.0f %s",
          spec.fairness().confidence().wire(),
          spec.fairness().delta(),
          parts,
          isJoint ? "sets of cells that are compared" : "cells");
      findings.put("partsOfDelta", parts);
    }
    findings.put("confidence", spec.fairness().confidence().wire());
  }

  private void attributes(CheckFindings findings) {
    List<SpecVariable> w = new ArrayList<>();
    for (SpecVariable variable : spec.variables().all()) {
      boolean isOfW = policy.separatingSet().variables().contains(variable.name());
      if (isOfW && variable.role() != VariableRole.ACTION) {
        w.add(variable);
      }
    }
    findings.line("  cells estimate %s", law.described(w));
    findings.put("estimates", law.described(w));
    for (Attribute attribute : attributes()) {
      findings.line(
          "  effect of %s: %s%s",
          attribute.name(),
          attribute.isIdentified() ? "identified (eq. 8)" : "bounded (Theorem 2)",
          attribute.followers().isEmpty() ? "" : ", followed by " + attribute.followers());
      findings.put("identified." + attribute.name(), attribute.isIdentified());
      findings.put("followers." + attribute.name(), attribute.followers());
      findings.put("boundedWithout." + attribute.name(), attribute.boundedWithout());
      int place = features.indexOf(attribute.name());
      findings.kinds(
          spec, attribute.name(), kind -> policy.kinds(place).contains(kind) ? paths(kind) : null);
    }
  }

  private String paths(AuditEffectKind kind) {
    return kind == AuditEffectKind.INDIRECT
        ? ", through " + policy.separatingSet().mediators()
        : "";
  }

  private void regret(CheckFindings findings) {
    long rounds = findings.rounds();
    RegretBounds bounds = new RegretBounds(policy.cells(), rounds, spec.fairness().delta());
    boolean isFair = spec.policy().name() == TabularPolicyName.F_UCB;
    double most = rounds * (spec.reward().range().high() - spec.reward().range().low());
    double explored = TabularSpec.of(spec).explore().share() * most;
    double bound = explored + (isFair ? bounds.fair(spec.fairness().tau()) : bounds.causal());
    findings.line(
        "  regret in %d rounds: at most %.0f by Theorem %s%s%s",
        rounds,
        bound,
        isFair ? "3" : "1",
        explored == 0 ? "" : String.format(Locale.ROOT, ", of which %.0f by exploring", explored),
        bound < most ? "" : String.format(Locale.ROOT, ", no less than the %.0f at stake", most));
    findings.put("regretRounds", rounds);
    findings.put("regretBound", bound);
    findings.put("regretAtStake", most);
  }

  /**
   * Proposes a set of variables for the cells.
   *
   * @param separates whether it d-separates the reward from all other features
   */
  private record CellSet(String rule, List<String> variables, double cells, boolean separates) {}

  /** Returns the cheapest set, the reward's parents and all features, in this order. */
  private List<CellSet> cellSets() {
    String reward = spec.variables().reward().name();
    List<CellSet> sets = new ArrayList<>();
    try {
      var cheapest = SeparatingSets.cheapest(law.graph(), features, reward, observed(), this::size);
      sets.add(cellSet("cheapest", cheapest.variables()));
    } catch (GraphException e) {
      sets.add(new CellSet("cheapest: " + e.getMessage(), List.of(), 0, false));
    }
    sets.add(cellSet("parents", spec.graph().parents(reward)));
    sets.add(cellSet("all", features));
    return sets;
  }

  private CellSet cellSet(String rule, Collection<String> names) {
    List<String> sorted = List.copyOf(new TreeSet<>(names));
    boolean isObserved = observed().containsAll(sorted);
    String reward = spec.variables().reward().name();
    double cells = 1;
    for (String name : sorted) {
      cells *= spec.variables().has(name) ? size(name) : 1;
    }
    boolean separates =
        isObserved && SeparatingSets.verify(law.graph(), features, reward, sorted).isEmpty();
    return new CellSet(rule, sorted, cells, separates);
  }

  /**
   * Reports what the data can identify of a sensitive attribute's effect.
   *
   * @param isIdentified whether eq. 8 gives it; otherwise Theorem 2 bounds it
   * @param followers features that are descendants of the attribute and change in the
   *     counterfactual
   * @param boundedWithout features without which a person's effect is only bounded
   */
  private record Attribute(
      String name, boolean isIdentified, List<String> followers, List<String> boundedWithout) {}

  /** Returns the sensitive attributes in the order of their declaration. */
  private List<Attribute> attributes() {
    Variables variables = spec.variables();
    int[] disclosed = new int[variables.features().size()];
    List<Attribute> attributes = new ArrayList<>();
    for (int place : variables.sensitive()) {
      String name = variables.features().get(place).name();
      boolean isIdentified = isIdentified(place, disclosed);
      List<String> boundedWithout = new ArrayList<>();
      for (int other = 0; other < disclosed.length; other++) {
        SpecVariable variable = variables.features().get(other);
        int[] without = disclosed.clone();
        without[other] = variable.undisclosed();
        if (other != place && variable.undisclosed() >= 0 && !isIdentified(place, without)) {
          boundedWithout.add(variable.name());
        }
      }
      attributes.add(
          new Attribute(
              name, isIdentified, followers(name), isIdentified ? boundedWithout : List.of()));
    }
    return attributes;
  }

  private boolean isIdentified(int attribute, int[] context) {
    return policy.audit(new MemoryModelState(), context, 0, 1).stream()
        .filter(finding -> finding.effect().attribute() == attribute)
        .allMatch(finding -> finding.effect().isIdentified());
  }

  private List<String> followers(String attribute) {
    Set<String> followers = spec.graph().descendants(List.of(attribute));
    return spec.variables().features().stream()
        .map(SpecVariable::name)
        .filter(name -> !name.equals(attribute) && followers.contains(name))
        .toList();
  }

  /** Returns the warnings that a data scientist should read before this spec makes decisions. */
  private List<String> warnings() {
    List<String> warnings = new ArrayList<>(policy.warnings());
    if (spec.policy().name() == TabularPolicyName.F_UCB && TabularSpec.of(spec).safe().isEmpty()) {
      warnings.add(
          "policy.safe is empty: while no arm is certified, the policy chooses the arm with the"
              + " smallest bound, which may be unfair");
    }
    for (Cpt table : estimatedTables()) {
      long fewest = Long.MAX_VALUE;
      for (int row = 0; row < table.table().length / table.child().size(); row++) {
        fewest = Math.min(fewest, table.observations(row));
      }
      warnings.add(
          table.title()
              + " is estimated, and its smallest row has "
              + fewest
              + " observations: this widens every effect's interval permanently");
    }
    for (Attribute attribute : attributes()) {
      if (!attribute.isIdentified()) {
        warnings.add(
            attribute.name()
                + ": some features are its descendants, so its effect is only bounded; certificates"
                + " come late or never");
      }
      if (!attribute.boundedWithout().isEmpty()) {
        warnings.add(
            attribute.name()
                + ": its effect is only bounded for people who do not disclose one of "
                + attribute.boundedWithout()
                + ", because these affect the reward and the graph does not separate them; this"
                + " assumes that disclosure does not depend on the reward given the features");
      }
    }
    return warnings;
  }

  private List<Cpt> estimatedTables() {
    KnownDistributions known = spec.distributions();
    return known.variables().stream()
        .flatMap(variable -> known.cpt(variable.name()).stream())
        .filter(Cpt::isEstimated)
        .toList();
  }

  private List<String> observed() {
    List<String> observed = new ArrayList<>(features);
    for (SpecVariable mediator : spec.variables().mediators()) {
      if (spec.graph().contains(mediator.name())
          && !spec.graph().latents().contains(mediator.name())) {
        observed.add(mediator.name());
      }
    }
    return observed;
  }

  /** Number of levels, plus one for a person who does not disclose, as in the cells. */
  private long size(String name) {
    SpecVariable variable = spec.variables().named(name);
    return Math.max(variable.levels().size(), variable.undisclosed() + 1);
  }

  /**
   * Computes the regret bounds of Huang, Zhang and Wu 2022 for a number of rounds, in units of the
   * reward.
   *
   * <p>The text of both theorems is damaged in the source; this is our reading. They are worst-case
   * bounds: for few rounds they exceed the maximum loss and are vacuous.
   */
  record RegretBounds(double cells, double rounds, double delta) {

    /** Theorem 1: sqrt(|W| T ln T) ln T + sqrt(32 |W| T ln(1/delta)), with |W| cells. */
    double causal() {
      double log = StrictMath.log(rounds);
      return Math.sqrt(cells * rounds * log) * log
          + Math.sqrt(32 * cells * rounds * StrictMath.log(1 / delta));
    }

    /**
     * Theorem 3: (2 / (tau - Delta_0) + 1) (2 sqrt(2 T |W| ln(1/delta)) + 4 sqrt(T ln(2/delta)
     * ln(1/delta))). The safe arms have no effect: Delta_0 = 0.
     */
    double fair(double tau) {
      double log = StrictMath.log(1 / delta);
      return (2 / tau + 1)
          * (2 * Math.sqrt(2 * rounds * cells * log)
              + 4 * Math.sqrt(rounds * StrictMath.log(2 / delta) * log));
    }
  }
}
