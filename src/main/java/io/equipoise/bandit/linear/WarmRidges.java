package io.equipoise.bandit.linear;

import io.equipoise.bandit.features.FeatureEncoder;
import io.equipoise.bandit.features.Profile;
import io.equipoise.spec.EvidenceRow;
import io.equipoise.spec.SegmentSpec;
import io.equipoise.spec.SpecException;
import io.equipoise.spec.SpecFault;
import io.equipoise.spec.SpecVariable;
import io.equipoise.spec.WarmStart;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The regressions that arms start with: empty ones, or such that have taken offline evidence for
 * rewards (causal bounds, section 7.1):
 *
 * <pre>
 * A_a = lambda I + sum_c n(a, c) x x',   b_a = sum_c n(a, c) estimate(a, c) x
 * </pre>
 *
 * <p>Immutable: what is handed out is a copy.
 */
final class WarmRidges {
  private static final String PLACE = "policy.evidence";

  private final RidgeModel model;
  private final @Nullable RidgeArm[] arms;
  private final @Nullable RidgeArm shared;

  private final boolean isWarm;

  private WarmRidges(
      boolean isWarm, RidgeModel model, @Nullable RidgeArm[] arms, @Nullable RidgeArm shared) {
    this.isWarm = isWarm;
    this.model = model;
    this.arms = arms;
    this.shared = shared;
  }

  /**
   * Learns a spec's evidence, if it has any.
   *
   * @throws SpecException if a row names an arm that the spec lacks, or the evidence outweighs the
   *     ridge beyond double precision
   */
  static WarmRidges of(SegmentSpec spec, RidgeModel model, FeatureEncoder encoder) {
    WarmStart start = Objects.requireNonNull(spec.policy().linear()).warmStart();
    RidgeArm[] arms = new RidgeArm[spec.arms().size()];
    if (start == null) {
      return new WarmRidges(false, model, arms, null);
    }
    boolean isShared = spec.policy().linear().isShared();
    RidgeArm all = isShared ? model.newArm() : null;
    double[] estimates = OfflineEstimates.of(spec.policy().name(), start);
    FeatureVector x = new FeatureVector(model.dimension());
    double[] features = new double[model.dimension()];
    List<SpecFault> faults = new ArrayList<>();
    for (int row = 0; row < estimates.length; row++) {
      EvidenceRow given = start.rows().get(row);
      int arm = spec.arms().indexOf(given.arm());
      if (arm < 0) {
        faults.add(new SpecFault(PLACE + "[" + row + "].arm", given.arm(), "an arm of the spec"));
        continue;
      }
      encoder.encode(person(spec, given), Profile.ofArm(spec.arms().get(arm)), features);
      x.set(features);
      RidgeArm ridge = all != null ? all : arms[arm] != null ? arms[arm] : model.newArm();
      arms[arm] = ridge;
      if (!model.suppose(ridge, x, estimates[row], given.n())) {
        faults.add(
            new SpecFault(
                PLACE + "[" + row + "].n",
                String.valueOf(given.n()),
                "fewer rows: " + Admission.SATURATED.meaning()));
      }
    }
    if (!faults.isEmpty()) {
      throw new SpecException(faults);
    }
    RidgeWorkspace workspace = new RidgeWorkspace(model.dimension());
    for (RidgeArm ridge : isShared ? new RidgeArm[] {all} : arms) {
      if (ridge != null) {
        RidgeForgetting.refresh(ridge, workspace);
      }
    }
    return new WarmRidges(true, model, arms, all);
  }

  private static Profile person(SegmentSpec spec, EvidenceRow row) {
    List<SpecVariable> features = spec.variables().features();
    int[] levels = new int[features.size()];
    int numbers = 0;
    for (int place = 0; place < levels.length; place++) {
      SpecVariable variable = features.get(place);
      String level = row.context().get(variable.name());
      levels[place] = level == null ? 0 : variable.indexOf(level);
      numbers += variable.isNumeric() ? 1 : 0;
    }
    return new Profile(levels, new double[numbers]);
  }

  /** Says whether any evidence was learnt. */
  boolean isWarm() {
    return isWarm;
  }

  /** Returns what the one regression of all arms starts with. */
  RidgeArm ofAll() {
    return shared == null ? model.newArm() : shared.copy();
  }

  /**
   * Returns what an arm's regression starts with.
   *
   * @param arm its place in the catalogue; -1 for one of a request's own
   */
  RidgeArm of(int arm) {
    RidgeArm warm = arm < 0 ? null : arms[arm];
    return warm == null ? model.newArm() : warm.copy();
  }
}
