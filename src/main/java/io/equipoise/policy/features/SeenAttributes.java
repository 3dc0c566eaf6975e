package io.equipoise.policy.features;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.Separation;
import io.equipoise.causal.TwinNetwork;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.policy.features.SensitivePairs.Pair;
import io.equipoise.policy.law.EstimatedLaw;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.FeatureTerm;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Compares the law that a regression estimates with the law that direct effects need.
 *
 * <p>The direct effect of an attribute is that of another level of it while all else that is known
 * of the person stays. A regression estimates it for two levels that its features separate from all
 * others, if the graph identifies it from the variables as they are seen. That features are the
 * same in both worlds is no proof of no effect. The graph is one, where it separates the attribute
 * from the reward given the arm and all else that is known of the person. Immutable.
 */
public final class SeenAttributes {
  private final SegmentSpec spec;
  private final FeatureMap features;
  private final EstimatedLaw law;
  private final List<SpecVariable> people;
  private final BitSet harmless = new BitSet();
  private final BitSet hidden = new BitSet();
  private final BitSet ofAllArms = new BitSet();
  private final boolean isShared;

  /**
   * Compares for each sensitive attribute of a spec.
   *
   * @param features of the regression
   * @param isShared whether one regression learns from all arms
   */
  public SeenAttributes(SegmentSpec spec, FeatureMap features, boolean isShared) {
    this.spec = spec;
    this.features = features;
    this.isShared = isShared;
    law = EstimatedLaw.ofFeatures(spec, features);
    people = spec.variables().features();
    for (int place : spec.variables().sensitive()) {
      SpecVariable attribute = people.get(place);
      boolean isHarmless = isHarmless(attribute.name());
      harmless.set(place, isHarmless);
      hidden.set(
          place, !isHarmless && law.separated(attribute).size() < attribute.disclosedLevels());
      boolean isMoving = isShared && !isHarmless && law.isSeen(attribute.name());
      ofAllArms.set(place, isMoving && !notMultiplied(attribute.name()).isEmpty());
    }
  }

  /** Returns the features of the regression. */
  public FeatureMap features() {
    return features;
  }

  /** Returns the law that the regression estimates. */
  public EstimatedLaw law() {
    return law;
  }

  private boolean isHarmless(String attribute) {
    List<String> held = new ArrayList<>();
    for (SpecVariable variable : spec.variables().all()) {
      boolean isKnown = variable.role().isFeature() || variable.role() == VariableRole.ACTION;
      if (isKnown && !variable.name().equals(attribute)) {
        held.add(variable.name());
      }
    }
    String reward = spec.variables().reward().name();
    return Separation.separated(spec.graph(), List.of(attribute), List.of(reward), held);
  }

  /**
   * Returns the faults of attributes whose direct effect is not that of the estimated law: where
   * the graph leaves an association, and where a variable that follows the attribute and bears on
   * the reward is not seen, so that its share counts as the attribute's.
   */
  public List<SpecFault> confounded() {
    List<SpecFault> faults = new ArrayList<>();
    Set<String> seen = law.seen(people);
    String reward = spec.variables().reward().name();
    for (int place : spec.variables().sensitive()) {
      SpecVariable attribute = people.get(place);
      if (law.separated(attribute).size() < 2) {
        continue;
      }
      String name = attribute.name();
      EstimatedLaw own = law.about(List.of(name));
      Set<String> set = new TreeSet<>(Set.of(name));
      for (SpecVariable variable : spec.variables().all()) {
        boolean isAction = variable.role() == VariableRole.ACTION;
        if (isAction || (seen.contains(variable.name()) && own.isWhole(variable.name()))) {
          set.add(variable.name());
        }
      }
      Set<String> given = new TreeSet<>(seen);
      given.remove(name);
      TwinNetwork.of(own.graph(), set)
          .openPath(reward, Set.of(name), given, Set.of())
          .ifPresent(path -> faults.add(NotIdentified.fault(spec, own, name, path)));
      followers(name, own, set, faults);
    }
    unseenActions(faults);
    uneven(faults);
    return faults;
  }

  /** Adds a fault for each variable that follows an attribute to the reward and is not held. */
  private void followers(
      String attribute, EstimatedLaw own, Set<String> set, List<SpecFault> faults) {
    String reward = spec.variables().reward().name();
    CausalGraph open = own.graph();
    for (SpecVariable variable : people) {
      String itself = own.itself(variable.name());
      boolean isFollower =
          !set.contains(variable.name())
              && reaches(open, attribute, itself, set)
              && reaches(open, itself, reward, set);
      if (isFollower && !law.isSeen(variable.name())) {
        faults.add(
            new SpecFault(
                "policy.features",
                "no term that shows %s, which follows %s and bears on the reward"
                    .formatted(variable.name(), attribute),
                "features that show it: without, the direct effect of %s would contain the effect through %s, and is NOT_IDENTIFIED. %s"
                    .formatted(attribute, variable.name(), law.remedy(variable))));
      }
    }
  }

  /** Returns whether a directed path leads from one node to another around some nodes. */
  private static boolean reaches(CausalGraph graph, String from, String to, Set<String> around) {
    Set<String> reached = new TreeSet<>(Set.of(from));
    List<String> open = new ArrayList<>(reached);
    while (!open.isEmpty()) {
      for (String child : graph.children(open.remove(open.size() - 1))) {
        if (!around.contains(child) && reached.add(child)) {
          open.add(child);
        }
      }
    }
    return reached.contains(to) && !from.equals(to);
  }

  /** The arms of one regression that no feature separates are mixed as the policy plays them. */
  private void unseenActions(List<SpecFault> faults) {
    for (SpecVariable action : causes()) {
      boolean isMixed = isShared && !law.isWhole(action.name());
      if (isMixed && isAnyCompared() && spec.arms().size() > 1) {
        faults.add(
            new SpecFault(
                "policy.features",
                "one regression for arms that it sees by %s".formatted(law.described(action)),
                "features that show all of %s, or model: disjoint: who gets which of these arms may depend on the attribute"
                    .formatted(action.name())));
      }
    }
  }

  /** A variable of which a product shows more is held on one side of a comparison only. */
  private void uneven(List<SpecFault> faults) {
    for (SpecVariable variable : isAnyCompared() ? people : List.<SpecVariable>of()) {
      if (law.isUneven(variable.name()) && bears(variable)) {
        faults.add(
            new SpecFault(
                "policy.features",
                "a product or match that shows more of %s than the features do by themselves"
                    .formatted(variable.name()),
                "all of it by itself too, because an effect would compare people who differ in it. %s"
                    .formatted(law.remedy(variable))));
      }
    }
  }

  /**
   * Returns whether a variable is held in the effect of some other attribute, or is not its bin.
   */
  private boolean isOfOthers(SpecVariable variable) {
    boolean isOnly =
        spec.variables().sensitive().stream()
            .map(people::get)
            .allMatch(it -> it.equals(variable) || law.separated(it).size() < 2);
    return !isOnly || !law.about(List.of(variable.name())).isWhole(variable.name());
  }

  /** Returns whether more of a variable than is seen bears on the reward. */
  private boolean bears(SpecVariable variable) {
    List<String> given = new ArrayList<>(law.seen(people));
    spec.variables().actions().forEach(action -> given.add(action.name()));
    return !Separation.separated(
        law.graph(),
        List.of(law.itself(variable.name())),
        List.of(spec.variables().reward().name()),
        given);
  }

  /** Returns whether effects of some attribute are estimated. */
  private boolean isAnyCompared() {
    return spec.variables().sensitive().stream()
        .anyMatch(place -> law.separated(people.get(place)).size() > 1);
  }

  /**
   * Returns the faults of a model whose effects do not average over people, as those on the log
   * odds: every variable that bears on the reward given the features must be seen whole.
   */
  public List<SpecFault> notCollapsible() {
    List<SpecFault> faults = new ArrayList<>();
    for (SpecVariable variable : isAnyCompared() ? people : List.<SpecVariable>of()) {
      if (!law.isWhole(variable.name()) && isOfOthers(variable) && bears(variable)) {
        faults.add(
            new SpecFault(
                "policy.features",
                "features that see %s, on which the reward depends"
                    .formatted(law.described(variable)),
                "all of it, because effects on log odds do not average over people who differ in it: the effects of people are larger than the estimated one. %s"
                    .formatted(law.remedy(variable))));
      }
    }
    return faults;
  }

  /**
   * Returns whether the features show nothing of a comparison's effect, though it may have one. Of
   * attributes that change together each must be shown.
   */
  public boolean isHidden(Pair pair) {
    if (pair.joint() == null) {
      return isHidden(pair.attribute(), pair.factual(), pair.counterfactual());
    }
    for (int i = 0; i < pair.joint().places().size(); i++) {
      int place = pair.joint().places().get(i);
      if (isHidden(place, pair.joint().here().get(i), pair.joint().there().get(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean isHidden(int place, int one, int other) {
    return !harmless.get(place) && !law.separates(people.get(place), one, other);
  }

  /**
   * Returns whether the features show nothing of some comparison of an attribute, or set of them.
   */
  public boolean hidesSome(int attribute) {
    return new SensitivePairs(spec)
        .ofAnyone().stream().anyMatch(it -> it.attribute() == attribute && isHidden(it));
  }

  /** Returns the sensitive attributes that may have an effect and of which not all is shown. */
  public List<String> hidden() {
    return hidden.stream().mapToObj(place -> people.get(place).name()).toList();
  }

  /**
   * Returns the faults of a policy that limits effects which it does not see.
   *
   * @param limit what limits them, for people
   */
  public List<SpecFault> faults(String limit) {
    return hidden.stream().mapToObj(place -> fault(people.get(place), limit)).toList();
  }

  private SpecFault fault(SpecVariable attribute, String limit) {
    String name = attribute.name();
    return new SpecFault(
        "policy.features",
        "no term that shows " + unseen(attribute),
        "{one-hot: "
            + name
            + "} among them: "
            + limit
            + " limits the effects of "
            + name
            + ", and of what no feature shows no effect is ever known");
  }

  /** Returns the attribute, or those of its levels that are not separated. */
  private String unseen(SpecVariable attribute) {
    List<String> separated = law.separated(attribute);
    List<String> rest = new ArrayList<>(attribute.levels().subList(0, attribute.disclosedLevels()));
    rest.removeAll(separated);
    return separated.isEmpty()
        ? attribute.name()
        : "the levels %s of %s".formatted(rest, attribute.name());
  }

  /** Returns what an operator should know of a policy that limits no effects. */
  public List<String> warnings() {
    return hidden.stream().mapToObj(place -> warning(people.get(place))).toList();
  }

  /** Returns what an operator should know of a model with one effect for all arms. */
  public List<String> assumptions() {
    return ofAllArms.stream().mapToObj(place -> ofAllArms(people.get(place).name())).toList();
  }

  /**
   * Returns the guarantee of a comparison's interval that has another one if the model holds. One
   * effect for all arms is an assumption that rewards may never refute, so nothing is proved.
   */
  AuditGuarantee guarantee(Pair pair, AuditGuarantee inModel) {
    boolean isAssumed =
        pair.joint() == null
            ? ofAllArms.get(pair.attribute())
            : pair.joint().places().stream().anyMatch(ofAllArms::get);
    return isAssumed && inModel == AuditGuarantee.ANYTIME ? AuditGuarantee.APPROXIMATE : inModel;
  }

  /**
   * Returns the actions by which arms differ in their reward, but not in what the terms of an
   * attribute show with it: such arms have one effect of it. Arms of requests are unknown, so one
   * action that is shown with it is enough for them.
   */
  private List<SpecVariable> notMultiplied(String attribute) {
    List<FeatureTerm> terms = new ArrayList<>();
    for (FeatureTerm term : features.terms()) {
      if (new FeatureMap(List.of(term)).variables().contains(attribute)) {
        factors(term, terms);
      }
    }
    EstimatedLaw moved = EstimatedLaw.ofFeatures(spec, new FeatureMap(terms));
    List<SpecVariable> left = new ArrayList<>(causes());
    List<SpecVariable> shown = new ArrayList<>(left);
    shown.removeIf(
        it -> !moved.isSeen(it.name()) || !moved.separated(it).equals(law.separated(it)));
    left.removeAll(shown);
    boolean areKnown = spec.arms().size() > 0;
    boolean areApart = areKnown ? groups(shown) == groups(causes()) : !shown.isEmpty();
    return areApart ? List.of() : left;
  }

  /** Returns how many groups some actions divide the arms of the spec into. */
  private long groups(List<SpecVariable> actions) {
    return spec.arms().list().stream()
        .map(arm -> arm.names(spec.variables().actions()))
        .map(names -> actions.stream().map(spec.variables().actions()::indexOf).map(names::get))
        .map(Stream::toList)
        .distinct()
        .count();
  }

  /** Collects the factors of a product; a match shows one of its variables with the other. */
  private static void factors(FeatureTerm term, List<FeatureTerm> factors) {
    if (term instanceof FeatureTerm.Product product) {
      factors(product.left(), factors);
      factors(product.right(), factors);
    } else if (term instanceof FeatureTerm.Match match) {
      factors.add(new FeatureTerm.OneHot(match.left()));
      factors.add(new FeatureTerm.OneHot(match.right()));
    } else {
      factors.add(term);
    }
  }

  /** Returns the action variables that the reward depends on. */
  private List<SpecVariable> causes() {
    Set<String> causes = spec.graph().ancestors(List.of(spec.variables().reward().name()));
    return spec.variables().actions().stream().filter(it -> causes.contains(it.name())).toList();
  }

  private String ofAllArms(String attribute) {
    List<String> actions = new ArrayList<>();
    List<String> products = new ArrayList<>();
    for (SpecVariable action : notMultiplied(attribute)) {
      String term = action.isNumeric() ? "number" : "one-hot";
      actions.add(action.name());
      products.add(
          "{product: [{one-hot: %s}, {%s: %s}]}".formatted(attribute, term, action.name()));
    }
    return ("the model has one effect of %1$s for all arms that differ in %2$s alone, because its"
            + " features do not multiply %1$s with all that they show of %2$s: an arm that alone is"
            + " unfair to people by %1$s can be certified, and rewards may never refute the model,"
            + " so certificates of its effects are APPROXIMATE. Add %3$s to policy.features")
        .formatted(attribute, String.join(" or ", actions), String.join(" and ", products));
  }

  private String warning(SpecVariable attribute) {
    return "no feature shows "
        + unseen(attribute)
        + ": not to see an attribute is no proof that it has no effect, so the audit calls the"
        + " effects NOT_IDENTIFIED. A policy with {one-hot: "
        + attribute.name()
        + "} among its features can tell";
  }
}
