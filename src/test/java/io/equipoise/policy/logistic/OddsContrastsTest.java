package io.equipoise.policy.logistic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.equipoise.Tier;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditInterval;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.CertificateForecast.Expected;
import io.equipoise.policy.CertificateForecast.Levels;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.Request;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.policy.linear.ContrastBlock;
import io.equipoise.policy.linear.ContrastPlan;
import io.equipoise.policy.linear.FeatureVector;
import io.equipoise.policy.linear.Radius;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The W interval on the log odds: docs/math/weighted-sums.md#log-odds. */
class OddsContrastsTest extends LogisticPolicyFixture {
  private static final int STRATA = 18;
  private static final int N = STRATA + 2;
  private static final double UNIT = 1 / Math.sqrt(2);
  private static final double DELTA = .05;
  private static final LogisticScale SCALE = new LogisticScale(N, 5);

  /** The log odds ratio of the reference person whose effect is just above .15. */
  private static final double BORDER = .60458;

  private static ContrastPlan plan(double tau, boolean isSticky) {
    double[] c = new double[N];
    c[STRATA] = UNIT;
    c[STRATA + 1] = -UNIT;
    double delta = DeltaShares.ELLIPSOID * DELTA;
    return new ContrastPlan(
        List.of(FeatureVector.of(c)),
        1,
        new ContrastPlan.Terms(DELTA, tau, 0, 1, Double.NaN, isSticky, 256),
        new Radius.Laplace(SCALE.s(), N, delta),
        UNIT,
        SCALE.s() * Math.sqrt(N));
  }

  private static double[] person(int stratum, int level) {
    double[] x = new double[N];
    x[stratum] = UNIT;
    x[STRATA + level] = UNIT;
    return x;
  }

  /** One arm's model and contrasts. */
  private static final class Run {
    private final ContrastPlan plan;
    private final StreamingModel model = new StreamingModel(SCALE);
    private ContrastBlock block;

    Run(ContrastPlan plan) {
      this.plan = plan;
      block = ContrastBlock.of(plan, N);
    }

    OddsContrasts contrasts() {
      return new OddsContrasts(plan, block, model.estimate(), EffectScale.PROBABILITY);
    }

    /** Learns so many rewards, whose log odds are base -/+ half of l at the two levels. */
    Run learn(SplittableRandom random, int rewards, double base, double l) {
      for (int t = 0; t < rewards; t++) {
        int level = random.nextInt(2);
        double[] x = person(random.nextInt(STRATA), level);
        double reward = random.nextDouble() < Logistic.mean(base + l * (level - .5)) ? 1 : 0;
        contrasts().observe(x, reward);
        model.learn(x, reward);
      }
      return this;
    }

    OddsBounds.Bound bound(int stratum, int from) {
      return Objects.requireNonNull(bound(person(stratum, from), person(stratum, 1 - from)));
    }

    OddsBounds.@Nullable Bound bound(double[] x, double[] xc) {
      return contrasts().of(model.estimate().pair(x, xc, EffectScale.PROBABILITY));
    }

    OddsInterval ellipse(int stratum, ConfidenceRadius radius) {
      ParameterEstimate estimate = model.estimate();
      return estimate.exactInterval(
          person(stratum, 0), person(stratum, 1), estimate.radius(radius));
    }

    boolean certifies(double tau) {
      OddsBounds.Bound bound = bound(0, 0);
      return bound.lower() >= -tau && bound.upper() <= tau;
    }
  }

  /** Returns the median of the rewards until the contrast, and until today's ellipse, certify. */
  private static int[] untilCertified(double tau, int most) {
    int runs = Tier.count(5, 51);
    int[] weighted = new int[runs];
    int[] ellipse = new int[runs];
    ConfidenceRadius today = new ConfidenceRadius(RadiusKind.LAPLACE, DELTA, 1);
    SplittableRandom random = new SplittableRandom(1);
    for (int run = 0; run < runs; run++) {
      Run one = new Run(plan(tau, true));
      for (int n = 50; n <= most && (weighted[run] == 0 || ellipse[run] == 0); n += 50) {
        one.learn(random, 50, 0, 0);
        weighted[run] = weighted[run] == 0 && one.certifies(tau) ? n : weighted[run];
        boolean isFair = one.ellipse(0, today).size().high() <= tau;
        ellipse[run] = ellipse[run] == 0 && isFair ? n : ellipse[run];
      }
      weighted[run] = weighted[run] == 0 ? most : weighted[run];
      ellipse[run] = ellipse[run] == 0 ? most : ellipse[run];
    }
    Arrays.sort(weighted);
    Arrays.sort(ellipse);
    return new int[] {weighted[runs / 2], ellipse[runs / 2]};
  }

  /** Rows of table 5.3: 1,150 and 2,100 rewards in place of 1,950 and 4,700. */
  @Test
  void nearOneHalfTheContrastCertifiesLongBeforeTheEllipse() {
    int[] wide = untilCertified(.15, 6000);
    assertThat(wide[0]).isBetween(900, 1400);
    assertThat(wide[1]).isGreaterThan(3 * wide[0] / 2);
    int[] narrow = untilCertified(.1, 9000);
    assertThat(narrow[0]).isBetween(1700, 2500);
    assertThat(narrow[1]).isGreaterThan(2 * narrow[0]);
    Tier.found(OddsContrastsTest.class, "rewards until certified, contrast, tau .1", narrow[0]);
  }

  /** The reference person's effect is just above tau, so that every certificate is false. */
  @Test
  void atTheBorderItCertifiesAtMostDelta() {
    int runs = Tier.count(40, 2000);
    int wrong = 0;
    int missed = 0;
    SplittableRandom random = new SplittableRandom(2);
    double effect = Logistic.mean(-BORDER / 2) - Logistic.mean(BORDER / 2);
    for (int run = 0; run < runs; run++) {
      Run one = new Run(plan(.15, true));
      boolean isWrong = false;
      boolean isMissed = false;
      for (int look = 0; look < 60; look++) {
        one.learn(random, 50, 0, BORDER);
        OddsBounds.Bound bound = one.bound(0, 0);
        isWrong |= one.certifies(.15);
        isMissed |= effect < bound.lower() || effect > bound.upper();
      }
      wrong += isWrong ? 1 : 0;
      missed += isMissed ? 1 : 0;
    }
    Tier.foundShare(
        getClass(), "logistic: runs with a false certificate at the border", wrong, runs);
    Tier.foundShare(getClass(), "logistic: runs that ever missed the effect", missed, runs);
    assertThat(wrong).isLessThanOrEqualTo(runs / 40);
    assertThat(missed).isLessThanOrEqualTo(runs / 20);
  }

  /**
   * Far from a base rate of 1/2 and with an effect, what the tangents add to rewards matters: their
   * sum without x'theta is that of residuals, and its interval lies around no effect.
   */
  @Test
  void anEffectAwayFromOneHalfIsInItsIntervalAndNoEffectIsNot() {
    Run run = new Run(plan(.15, true));
    SplittableRandom random = new SplittableRandom(9);
    double effect = Logistic.mean(1.5 - .6) - Logistic.mean(1.5 + .6);
    for (int look = 0; look < 20; look++) {
      run.learn(random, 300, 1.5, 1.2);
      OddsBounds.Bound bound = run.bound(0, 0);
      assertThat(effect).as("after %d looks", look).isBetween(bound.lower(), bound.upper());
    }
    assertThat(run.block.isRefuted()).isFalse();
    OddsBounds.Bound bound = run.bound(0, 0);
    assertThat(bound.upper()).isNegative();
    assertThat(bound.information()).isPositive();
  }

  @Test
  void theOtherDirectionIsMirroredAndSharesTheContrast() {
    Run run = new Run(plan(.15, true)).learn(new SplittableRandom(3), 800, .4, .5);
    OddsBounds.Bound one = run.bound(4, 0);
    OddsBounds.Bound other = run.bound(4, 1);
    assertThat(run.block.size()).isOne();
    assertThat(one.upper() - one.lower()).isLessThan(.5);
    assertThat(other.lower()).isCloseTo(-one.upper(), within(1e-15));
    assertThat(other.upper()).isCloseTo(-one.lower(), within(1e-15));
    double effect = Logistic.mean(.4 - .25) - Logistic.mean(.4 + .25);
    assertThat(effect).isBetween(one.lower(), one.upper());
  }

  /** A person with other features has another length, but the same direction. */
  @Test
  void aPersonOfAnotherLengthHasTheSameContrastAndUnequalLengthsHaveNone() {
    Run run = new Run(plan(.15, true)).learn(new SplittableRandom(4), 800, 0, .5);
    double[] x = new double[N];
    double[] xc = new double[N];
    Arrays.fill(x, 0, 3, .5);
    Arrays.fill(xc, 0, 3, .5);
    x[STRATA] = .5;
    xc[STRATA + 1] = .5;
    OddsBounds.Bound longer = Objects.requireNonNull(run.bound(x, xc));
    assertThat(run.block.size()).isOne();
    assertThat(longer.information()).isEqualTo(run.bound(0, 0).information());
    xc[0] = .4;
    assertThat(run.bound(x, xc)).isNull();
    assertThat(run.bound(x, x)).isNull();
  }

  @Test
  void bytesGoRoundAndAReplayLeavesTheSame() {
    Run one = new Run(plan(.15, true));
    Run other = new Run(plan(.15, true));
    for (Run run : List.of(one, other)) {
      SplittableRandom random = new SplittableRandom(5);
      for (int look = 0; look < 8; look++) {
        run.learn(random, 60, -.5, .2).bound(0, 0);
      }
    }
    assertThat(other.block).isEqualTo(one.block);
    ByteBuffer bytes = StoredBytes.of(one.block);
    other.block = StoredBytes.read(new ContrastBlock(), bytes.flip());
    assertThat(bytes.remaining()).isZero();
    assertThat(other.bound(1, 0)).isEqualTo(one.bound(1, 0));
    one.learn(new SplittableRandom(6), 50, 0, .2);
    other.learn(new SplittableRandom(6), 50, 0, .2);
    assertThat(other.block).isEqualTo(one.block);
    assertThat(other.bound(1, 0)).isEqualTo(one.bound(1, 0));
  }

  @Test
  void theGreatestEffectInARangeIsAtAnEndOrInTheMiddle() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 300; i++) {
      double low = 6 * random.nextDouble() - 3;
      double high = low + 3 * random.nextDouble();
      double l = 4 * random.nextDouble() - 2;
      double most = Double.NEGATIVE_INFINITY;
      for (int k = 0; k <= 2000; k++) {
        double u = low + (high - low) * k / 2000;
        most = Math.max(most, Logistic.mean(u + l) - Logistic.mean(u));
      }
      double greatest = new OddsBounds.OddsRange(low, high).greatest(l);
      assertThat(greatest).isBetween(most - 1e-12, most + 1e-6);
    }
  }

  private static final String FEATURES =
      ", features: [intercept, one-hot: S, one-hot: A], explore: {share: 0.3, over: all}";

  /** Plays people whose reward does not depend on S; returns the first certified decision. */
  private static int firstCertified(LogisticPolicy bandit, ModelState modelState, int rounds) {
    SplittableRandom random = new SplittableRandom(SEED);
    int first = rounds + 1;
    for (int t = 1; t <= rounds; t++) {
      Request request = request(bandit, random.nextInt(2), 0, 3);
      AuditedChoice audited = decide(bandit, modelState, request, t);
      boolean isFair =
          audited.findings().stream().allMatch(one -> one.effect().worst() <= one.tau());
      first = isFair ? Math.min(first, t) : first;
      learn(bandit, modelState, request, audited.choice().arm(), random.nextInt(2));
    }
    return first;
  }

  private static AuditFinding lastFinding(LogisticPolicy bandit, ModelState modelState) {
    return decide(bandit, modelState, request(bandit, 0, 0, 3), 99_999).findings().get(0);
  }

  @Test
  void aPolicyCertifiesSoonerAndItsAuditTellsWhichInterval() {
    LogisticPolicy bandit = bandit("screen" + FEATURES, "0.15");
    LogisticPolicy plain = bandit("screen" + FEATURES, "0.15, certificates: {interval: ellipsoid}");
    ModelState state = new MemoryModelState();
    ModelState plainState = new MemoryModelState();
    int sooner = firstCertified(bandit, state, 1200);
    int later = firstCertified(plain, plainState, 1200);
    assertThat(sooner).isLessThan(later);
    AuditFinding finding = lastFinding(bandit, state);
    assertThat(finding.effect().interval()).isEqualTo(AuditInterval.CONTRAST);
    assertThat(Objects.requireNonNull(finding.effect().information())).isPositive();
    assertThat(Objects.requireNonNull(finding.effect().imbalance())).isBetween(0., .1);
    assertThat(finding.guarantee()).isEqualTo(AuditGuarantee.APPROXIMATE);
    AuditFinding ellipsoid = lastFinding(plain, plainState);
    assertThat(ellipsoid.effect().interval()).isEqualTo(AuditInterval.ELLIPSOID);
    assertThat(ellipsoid.effect().information()).isNull();
    assertThat(plainState.get(3)).isNull();
    AuditFinding before = lastFinding(bandit, new MemoryModelState());
    assertThat(before.effect().interval()).isEqualTo(AuditInterval.ELLIPSOID);
  }

  @Test
  void aPolicyGoesOnFromItsBytes() {
    LogisticPolicy bandit = bandit("screen" + FEATURES, "0.15");
    ModelState state = new MemoryModelState();
    firstCertified(bandit, state, 300);
    ModelState copy = copy(state);
    assertThat(bytes(copy)).isEqualTo(bytes(state));
    assertThat(firstCertified(bandit, copy, 60)).isEqualTo(firstCertified(bandit, state, 60));
    assertThat(bytes(copy)).isEqualTo(bytes(state));
    assertThat(state.get(3)).isInstanceOf(ContrastBlock.class);
  }

  /** The effect turns round: the intervals exclude each other, and the ellipsoid answers. */
  @Test
  void anEffectThatJumpsLeavesTheEllipsoidAlone() {
    LogisticPolicy bandit = bandit("screen" + FEATURES, "0.15");
    ModelState state = new MemoryModelState();
    SplittableRandom random = new SplittableRandom(8);
    boolean wasWeighted = false;
    for (int t = 1; t <= 4000; t++) {
      int s = random.nextInt(2);
      Request request = request(bandit, s, 0, 3);
      AuditedChoice audited = decide(bandit, state, request, t);
      wasWeighted |= audited.findings().get(0).effect().interval() == AuditInterval.CONTRAST;
      boolean isPaid = random.nextDouble() < (t < 1000 ? .1 + .8 * s : .9 - .8 * s);
      learn(bandit, state, request, audited.choice().arm(), isPaid ? 1 : 0);
    }
    assertThat(wasWeighted).isTrue();
    assertThat(((ContrastBlock) Objects.requireNonNull(state.get(3))).isRefuted()).isTrue();
    AuditFinding finding = lastFinding(bandit, state);
    assertThat(finding.effect().interval()).isEqualTo(AuditInterval.ELLIPSOID);
    assertThat(finding.effect().lower()).isGreaterThan(-1);
  }

  @Test
  void effectsThatOnlyTheEllipsoidBoundsAreForecastByIt() {
    LogisticFamily family = new LogisticFamily();
    Expected expected = new Expected(.1, DELTA, .5, 1);
    Levels levels = new Levels(0, 0, 1, .5, .5);
    String alone = "0.1, certificates: {interval: ellipsoid}";
    var weighted = family.forecast(bandit("screen" + FEATURES, "0.1"), expected);
    var plain = family.forecast(bandit("screen" + FEATURES, alone), expected);
    assertThat(Objects.requireNonNull(weighted).isOfEllipsoid(levels)).isFalse();
    assertThat(Objects.requireNonNull(plain).isOfEllipsoid(levels)).isTrue();
  }
}
