package io.equipoise.policy.linear;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditInterval;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.fairness.EffectIdentification;
import io.equipoise.policy.features.FeatureContrast;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.features.SensitivePairs.Pair;
import io.equipoise.policy.features.UndisclosedWorlds.Worlds;
import io.equipoise.policy.kernel.Kernels;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the counterfactual effect of a sensitive attribute under a ridge model, with observed
 * variables of the person held: c'theta with c = x' - x, x' the features of the same candidate in
 * the other world. The interval is that of a {@link Contrast} where one is kept, else the
 * ellipsoid's, c'theta +- beta sqrt(c'A^-1c). Asked of any policy, fair or not. Immutable.
 *
 * @param radius beta; its guarantee is that of the finding, if effects may differ between arms
 * @param span greatest minus least mean reward: no effect is larger, so it clips the interval;
 *     infinite where no range is known
 */
public record RidgeEffects(RidgeModel model, Radius radius, double span) {
  private static final double NO_EFFECT = 1e-14;

  public RidgeEffects {
    if (!(span > 0)) {
      throw new IllegalArgumentException("span " + span + " must be positive");
    }
  }

  /**
   * Returns the largest size that the interval allows: of the ellipsoid |c'theta| + beta
   * sqrt(c'A^-1c).
   *
   * @param contrasts of the arm; null if none are kept
   */
  double worst(
      RidgeRegression arm, @Nullable ContrastBlock contrasts, int position, FeatureVector c) {
    Contrast contrast = contrast(arm, contrasts, c);
    return contrast == null
        ? Math.min(span, Math.abs(arm.mean(c)) + reach(arm, position, c))
        : Math.max(-contrast.lower(), contrast.upper());
  }

  /**
   * Returns the least size that the interval allows, at least 0: of the ellipsoid |c'theta| - beta
   * sqrt(c'A^-1c).
   *
   * @param contrasts of the arm; null if none are kept
   */
  double least(
      RidgeRegression arm, @Nullable ContrastBlock contrasts, int position, FeatureVector c) {
    Contrast contrast = contrast(arm, contrasts, c);
    return contrast == null
        ? Math.min(span, Math.max(0, Math.abs(arm.mean(c)) - reach(arm, position, c)))
        : Math.max(0, Math.max(contrast.lower(), -contrast.upper()));
  }

  /** Returns the lower end of an effect's interval. */
  double lower(
      RidgeRegression arm, @Nullable ContrastBlock contrasts, int position, FeatureVector c) {
    Contrast contrast = contrast(arm, contrasts, c);
    if (contrast == null) {
      return clip(arm.mean(c) - reach(arm, position, c));
    }
    return ContrastBlock.sign(c) < 0 ? -contrast.upper() : contrast.lower();
  }

  /** Returns the upper end of an effect's interval. */
  double upper(
      RidgeRegression arm, @Nullable ContrastBlock contrasts, int position, FeatureVector c) {
    Contrast contrast = contrast(arm, contrasts, c);
    if (contrast == null) {
      return clip(arm.mean(c) + reach(arm, position, c));
    }
    return ContrastBlock.sign(c) < 0 ? -contrast.lower() : contrast.upper();
  }

  /**
   * Returns how far the ellipsoid's interval reaches to both sides before the range of rewards cuts
   * it.
   */
  double reach(RidgeRegression arm, int position, FeatureVector c) {
    return radius.of(arm, position) * Math.sqrt(arm.squaredWidth(c));
  }

  /**
   * Returns the effect of one counterfactual value.
   *
   * @param contrast of c and the arm; null if none is kept
   * @param position of the arm, or {@link LinearBlocks#SHARED}
   * @param c x' - x
   * @param attribute position of the sensitive attribute in the context vector
   * @param factual level of the attribute in x
   * @param counterfactual level in x'
   */
  EffectFinding effect(
      RidgeRegression arm,
      @Nullable Contrast contrast,
      int position,
      FeatureVector c,
      int attribute,
      int factual,
      int counterfactual) {
    double estimate = arm.mean(c);
    double variance = variance(arm, contrast, c);
    double reach = contrast == null ? reach(arm, position, c) : 0;
    boolean isMirrored = contrast != null && ContrastBlock.sign(c) < 0;
    boolean isWeighted = contrast != null && contrast.information() > 0;
    return new EffectFinding(
        attribute,
        factual,
        counterfactual,
        AuditEffectKind.DIRECT,
        EffectIdentification.IDENTIFIED,
        clip(estimate),
        contrast == null
            ? clip(estimate - reach)
            : isMirrored ? -contrast.upper() : contrast.lower(),
        contrast == null
            ? clip(estimate + reach)
            : isMirrored ? -contrast.lower() : contrast.upper(),
        unsupportedShare(arm, contrast, c, variance, null),
        EffectFinding.leverageOf(variance),
        isWeighted ? AuditInterval.CONTRAST : AuditInterval.ELLIPSOID,
        isWeighted ? (Double) contrast.information() : null,
        isWeighted ? (Double) contrast.imbalance() : null);
  }

  /** Returns the finding at tau on the {@linkplain #effect effect} of one counterfactual value. */
  public AuditFinding finding(
      RidgeRegression arm,
      int position,
      FeatureVector c,
      int attribute,
      int factual,
      int counterfactual,
      double tau) {
    return AuditFinding.of(
        effect(arm, null, position, c, attribute, factual, counterfactual),
        tau,
        radius.guarantee(model.forgetting()));
  }

  /**
   * Returns the finding on a comparison at tau: the union over its worlds. An effect of which the
   * features tell nothing may be any that the range of rewards allows.
   *
   * @param contrasts of the arm; null if none are kept
   * @param worlds of the comparison; none where it is not identified
   * @param of the arm
   * @param apart scratch
   * @param c scratch
   */
  public AuditFinding finding(
      RidgeRegression arm,
      @Nullable ContrastBlock contrasts,
      int position,
      List<Worlds> worlds,
      Profile of,
      FeatureContrast apart,
      FeatureVector c,
      Pair pair,
      double tau) {
    EffectFinding auditEffect = null;
    boolean isRefuted = false;
    for (Worlds pairOfWorlds : worlds) {
      apart.compare(pairOfWorlds, of, pair);
      EffectFinding one;
      if (apart.isHidden()) {
        one = notIdentified(pair);
      } else {
        c.set(apart.difference());
        Contrast contrast = contrast(arm, contrasts, c);
        one =
            effect(
                arm,
                contrast,
                position,
                c,
                pair.attribute(),
                pair.factual(),
                pair.counterfactual());
        isRefuted |= contrast != null && contrast.isRefuted();
      }
      auditEffect = auditEffect == null || apart.isHidden() ? one : auditEffect.or(one);
    }
    if (auditEffect == null) {
      auditEffect = notIdentified(pair);
    }
    AuditGuarantee guarantee =
        isRefuted
            ? AuditGuarantee.NONE
            : apart.guarantee(pair, radius.guarantee(model.forgetting()));
    return AuditFinding.of(auditEffect, tau, guarantee);
  }

  private static @Nullable Contrast contrast(
      RidgeRegression arm, @Nullable ContrastBlock contrasts, FeatureVector c) {
    return contrasts == null ? null : contrasts.of(arm, c);
  }

  private EffectFinding notIdentified(Pair pair) {
    return EffectFinding.notIdentified(
        pair.attribute(), pair.factual(), pair.counterfactual(), AuditEffectKind.DIRECT, span);
  }

  /**
   * Returns whether an effect rests on data more than on the ridge: no certificate does without.
   *
   * @param scratch as long as a padded vector
   */
  boolean restsOnData(
      RidgeRegression arm, @Nullable ContrastBlock contrasts, FeatureVector c, double[] scratch) {
    Contrast contrast = contrast(arm, contrasts, c);
    double variance = variance(arm, contrast, c);
    return unsupportedShare(arm, contrast, c, variance, scratch) < EffectFinding.NO_OVERLAP_FROM;
  }

  private static double variance(
      RidgeRegression arm, @Nullable Contrast contrast, FeatureVector c) {
    return contrast == null || arm.isEmpty() ? arm.squaredWidth(c) : contrast.variance(arm);
  }

  private double clip(double effect) {
    return Math.max(-span, Math.min(span, effect));
  }

  /**
   * Returns the share of c'A^-1c that comes from the ridge, that is from no data at all: rho |A^-1
   * c|^2 / c'A^-1c; 0 where the effect does not depend on theta.
   *
   * @param scratch as long as a padded vector; null allocates one where it is needed
   */
  private static double unsupportedShare(
      RidgeRegression arm,
      @Nullable Contrast contrast,
      FeatureVector c,
      double variance,
      double @Nullable [] scratch) {
    if (variance < NO_EFFECT) {
      return 0;
    }
    if (arm.isEmpty()) {
      return 1;
    }
    double squares;
    if (contrast != null) {
      squares = contrast.squares(arm);
    } else {
      double[] solved = scratch == null ? new double[Kernels.padded(c.dimension())] : scratch;
      SymmetricMatrix.times(arm.inverse, c, solved);
      squares = arm.ridgeNorm(solved);
    }
    return Math.min(1, arm.rho * squares / variance);
  }
}
