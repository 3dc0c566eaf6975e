package io.equipoise.policy;

import io.equipoise.policy.features.SeenAttributes;
import io.equipoise.policy.features.UndisclosedWorlds;
import io.equipoise.policy.law.EstimatedLaw;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import java.util.ArrayList;
import java.util.List;

/** Collects what the verb {@code check} shows of policies that see features. */
public final class FeatureFindings {
  private FeatureFindings() {}

  /** Reports the number of features. */
  public static void dimension(int features, CheckFindings findings) {
    findings.line(
        "  %d features; effects are direct: what is known of the person before the decision stays",
        features);
    findings.put("features", features);
  }

  /** Reports the direct effects of a regression; a spec that confounds one does not compile. */
  public static void effects(SegmentSpec spec, SeenAttributes seen, CheckFindings findings) {
    EstimatedLaw law = seen.law();
    List<SpecVariable> people = spec.variables().features();
    String estimated = law.described(people.stream().filter(it -> law.isSeen(it.name())).toList());
    findings.line("  features estimate %s", estimated);
    findings.put("estimates", estimated);
    for (int place : spec.variables().sensitive()) {
      String name = people.get(place).name();
      boolean isShown = law.isSeen(name) && !seen.hidesSome(place);
      String part = "identified only between the levels " + law.separated(people.get(place));
      findings.line(
          "  effect of %s: %s",
          name,
          isShown
              ? "direct effect identified, if rewards are as the model says"
                  + alike(spec, seen, name)
              : law.separated(people.get(place)).size() > 1 ? part : "not shown by any feature");
      findings.put("identified." + name, isShown);
      List<String> followers = spec.followers(name);
      String with = followers.isEmpty() ? "" : ", with " + followers + " after the decision";
      findings.kinds(spec, name, kind -> with);
    }
    for (SpecVariable variable : people) {
      boolean isLeftOut = !law.isSeen(variable.name()) && law.graph().contains(variable.name());
      if (isLeftOut && variable.role() == VariableRole.CONTEXT && isCause(spec, variable)) {
        findings.warn(
            "no feature shows %1$s, on which the reward depends: an effect that differs between people with other %1$s is averaged, and a certificate is of the average. Add {one-hot: %1$s} and its products with the sensitive attributes"
                .formatted(variable.name()));
      }
    }
    if (UndisclosedWorlds.ofLinear(spec, seen.features()).mayBeIncomplete()) {
      findings.line(
          "  %s", "effects are learned from people who disclose all that the features show");
    }
  }

  /** Names what people may differ in and still have the same effect, by the model. */
  private static String alike(SegmentSpec spec, SeenAttributes seen, String attribute) {
    List<String> alike = new ArrayList<>();
    for (SpecVariable variable : spec.variables().features()) {
      String name = variable.name();
      boolean isMultiplied =
          seen.features().terms().stream()
              .map(term -> new FeatureMap(List.of(term)).variables())
              .anyMatch(it -> it.contains(attribute) && it.contains(name));
      if (!name.equals(attribute) && !isMultiplied && isCause(spec, variable)) {
        alike.add(name);
      }
    }
    return alike.isEmpty() ? "" : ", and people who differ in %s have the same".formatted(alike);
  }

  private static boolean isCause(SegmentSpec spec, SpecVariable variable) {
    String reward = spec.variables().reward().name();
    return spec.graph().ancestors(List.of(reward)).contains(variable.name());
  }
}
