package io.equipoise.policy;

import io.equipoise.policy.features.UndisclosedWorlds;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.SegmentSpec;

/** What the verb {@code check} shows of policies that see features. */
public final class FeatureFindings {
  private FeatureFindings() {}

  /** Reports the number of features. */
  public static void dimension(int features, CheckFindings findings) {
    findings.line("  %d features; effects are direct: mediators are held", features);
    findings.put("features", features);
  }

  /** Reports the direct effects of a regression; a spec that confounds one does not compile. */
  public static void effects(SegmentSpec spec, FeatureMap features, CheckFindings findings) {
    for (int place : spec.variables().sensitive()) {
      String name = spec.variables().features().get(place).name();
      boolean isShown = features.variables().contains(name);
      findings.line(
          "  effect of %s: %s",
          name,
          isShown
              ? "direct effect identified, if rewards are as the model says"
              : "not shown by any feature");
      findings.put("identified." + name, isShown);
    }
    if (UndisclosedWorlds.ofLinear(spec, features).mayBeIncomplete()) {
      findings.line(
          "  %s", "effects are learned from people who disclose all that the features show");
    }
  }
}
