package io.equipoise.policy.linear;

import io.equipoise.policy.CertificateForecast.Levels;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.features.RememberedInputs;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * Finds which effects have an interval of their own, by some people and arms of a spec; the
 * ellipsoid bounds the others. Safe for use by many threads.
 */
public final class OwnIntervals {
  private static final int PEOPLE = 32;

  private final List<SpecVariable> variables;
  private final List<Integer> sensitive;
  private final ContrastPlan plan;
  private final BiFunction<Profile, Profile, double[]> encoded;
  private final List<Profile> people;
  private final List<Profile> arms;
  private final Set<List<Double>> listed;
  private final Map<List<Integer>, Long> known = new ConcurrentHashMap<>();

  /**
   * Prepares the search.
   *
   * @param encoded makes the features of a person with an arm
   */
  public OwnIntervals(
      SegmentSpec spec, ContrastPlan plan, BiFunction<Profile, Profile, double[]> encoded) {
    this.plan = plan;
    this.encoded = encoded;
    listed = plan.known().stream().map(KnownContrasts::key).collect(Collectors.toSet());
    variables = spec.variables().features();
    sensitive = spec.variables().sensitive();
    people = ExpectedDesign.people(variables, PEOPLE);
    arms = ExpectedDesigns.sample(new RememberedInputs(spec).catalog());
  }

  /** Returns whether all arms have one for the comparison of two levels. */
  public boolean ofAllArms(Levels levels) {
    return count(levels.attribute(), levels.one(), levels.other()) == arms.size();
  }

  /** Returns whether some arm has one for the comparison of two levels. */
  public boolean ofSomeArm(Levels levels) {
    return count(levels.attribute(), levels.one(), levels.other()) > 0;
  }

  /** Returns whether some effect of some arm has none. */
  public boolean areIncomplete() {
    for (int place : sensitive) {
      int levels = variables.get(place).disclosedLevels();
      for (int one = 0; one < levels; one++) {
        for (int other = one + 1; other < levels; other++) {
          if (count(place, one, other) < arms.size()) {
            return true;
          }
        }
      }
    }
    return plan.isCut();
  }

  private long count(int attribute, int one, int other) {
    return known.computeIfAbsent(
        List.of(attribute, one, other),
        any ->
            arms.stream()
                .filter(arm -> people.stream().anyMatch(it -> has(it, arm, attribute, one, other)))
                .count());
  }

  private boolean has(Profile person, Profile arm, int attribute, int one, int other) {
    double[] here = encoded.apply(person.with(attribute, one), arm);
    double[] there = encoded.apply(person.with(attribute, other), arm);
    double[] c = new double[here.length];
    for (int i = 0; i < c.length; i++) {
      c[i] = there[i] - here[i];
    }
    FeatureVector difference = FeatureVector.of(c);
    return ContrastBlock.isOfLevels(difference, plan.unit())
        && (listed.size() < plan.most
            || listed.contains(KnownContrasts.key(ContrastBlock.canonical(difference))));
  }
}
