package io.equipoise.policy.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.Tier;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.constraint.ContrastBoundary;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.policy.kernel.Kernels;
import io.equipoise.policy.kernel.Logarithm;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The W interval of one contrast: golden values, and what holds of it by construction. */
class ContrastTest {
  private static final int D = 6;
  private static final FeatureVector C = FeatureVector.of(0, 0, 0, 0, 1, -1);
  private static final FeatureVector MIRRORED = FeatureVector.of(0, 0, 0, 0, -1, 1);

  private final RidgeModel model = RidgeModel.of(D, 1);
  private final RidgeWorkspace workspace = new RidgeWorkspace(D);

  /** Two arms share nothing: one model, one contrast, half of .9 delta for each side. */
  private static ContrastPlan plan(double low, double span, boolean isSticky, int limit) {
    return plan(List.of(C), .05, .1, low, span, isSticky, limit);
  }

  private static ContrastPlan plan(
      List<FeatureVector> known,
      double delta,
      double tau,
      double low,
      double span,
      boolean isSticky,
      int limit) {
    return new ContrastPlan(
        known,
        1,
        new ContrastPlan.Terms(delta, tau, low, span, Double.NaN, isSticky, limit),
        new Radius.SelfNormalized(span / 2, span, DeltaShares.ELLIPSOID * delta));
  }

  private static FeatureVector person(int age, int gender) {
    double[] x = new double[D];
    x[0] = 1;
    x[1 + age] = 1;
    x[4 + gender] = 1;
    return FeatureVector.of(x);
  }

  private static JsonNode golden() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            ContrastTest.class.getResourceAsStream("/certificates/linear.json"))) {
      return new ObjectMapper().readTree(in);
    }
  }

  private static void assertClose(double actual, JsonNode expected, String name, int t) {
    double value = expected.get(name).asDouble();
    assertThat(actual)
        .as("%s at %d", name, t)
        .isCloseTo(value, within(1e-9 * (1 + Math.abs(value))));
  }

  /** The golden contrast is (-1, 1) and its sides have .9 delta together. */
  @Test
  void weightsSumsAndIntervalsAreTheGoldenOnes() throws IOException {
    JsonNode golden = golden();
    ContrastPlan plan = plan(0, 1, false, 1);
    Contrast contrast = new Contrast(MIRRORED, 0);
    double[] lambdas = ContrastBoundary.grid(.1);
    RidgeRegression arm = model.newArm();
    int at = 0;
    for (int t = 1; t <= golden.get("rows").size(); t++) {
      JsonNode row = golden.get("rows").get(t - 1);
      FeatureVector x = person(row.get(0).asInt(), row.get(1).asInt());
      double reward = row.get(2).asDouble();
      double[] y = new double[Kernels.padded(D)];
      if (arm.isEmpty()) {
        arm.allocate();
      }
      SymmetricMatrix.times(arm.inverse, x, y);
      double q = SymmetricMatrix.dot(y, x);
      double w = contrast.observe(plan, lambdas, arm, x, y, q, reward, arm.mean(x));
      model.learn(arm, x, reward, t, workspace);
      if (t <= 60) {
        assertThat(w).isCloseTo(golden.get("firstWeights").get(t - 1).asDouble(), within(1e-9));
      }
      JsonNode trace = golden.get("trace").get(at);
      if (trace.get("t").asInt() == t) {
        at++;
        assertClose(w, trace, "w", t);
        assertClose(contrast.sums()[0], trace, "T", t);
        assertClose(contrast.sums()[1], trace, "V", t);
        assertClose(contrast.sums()[2], trace, "L", t);
        assertClose(arm.logDeterminant(), trace, "logDet", t);
        for (int i = 0; i < D; i++) {
          double g = trace.get("G").get(i).asDouble();
          assertThat(contrast.weighted(i)).isCloseTo(g, within(1e-9 * (1 + Math.abs(g))));
        }
        double beta = plan.beta(arm, LinearBlocks.SHARED);
        contrast.refresh(plan, lambdas, arm, beta, .9 * .05 / 2);
        assertClose(contrast.information(), trace, "N", t);
        if (trace.has("bias")) {
          assertClose(contrast.imbalance() * contrast.information(), trace, "bias", t);
        }
        assertThat(contrast.lower())
            .isCloseTo(trace.get("interval").get(0).asDouble(), within(1e-9));
        assertThat(contrast.upper())
            .isCloseTo(trace.get("interval").get(1).asDouble(), within(1e-9));
      }
    }
    assertThat(at).isEqualTo(golden.get("trace").size());
  }

  /** What a run leaves: a model and its contrasts after random rewards. */
  private final class Run {
    private final RidgeRegression arm = model.newArm();
    private final ContrastPlan plan;
    private ContrastBlock block;

    Run(ContrastPlan plan) {
      this.plan = plan;
      block = ContrastBlock.of(plan, D);
      block.adopt(plan, LinearBlocks.SHARED, 1, true);
    }

    /** Learns so many rewards; the effect of gender is this. */
    Run learn(SplittableRandom random, int rewards, double effect, double low, double span) {
      for (int t = 0; t < rewards; t++) {
        int gender = random.nextInt(2);
        FeatureVector x = person(random.nextInt(3), gender);
        double p = .5 + effect * (gender - .5);
        double reward = low + span * (random.nextDouble() < p ? 1 : 0);
        model.learn(arm, block, x, reward, t, workspace);
      }
      return this;
    }

    EffectFinding effect(FeatureVector c) {
      RidgeEffects effects =
          new RidgeEffects(model, new Radius.SelfNormalized(.5, 1, .005), plan.span());
      return effects.effect(arm, block.of(arm, c), LinearBlocks.SHARED, c, 0, 0, 1);
    }

    double[] interval(FeatureVector c) {
      EffectFinding effect = effect(c);
      return new double[] {effect.lower(), effect.upper()};
    }
  }

  /** After 1,000 observations it is computed from the weights again. */
  @Test
  void theImbalanceThatIsFollowedIsThatOfTheWeights() {
    SplittableRandom random = new SplittableRandom(10);
    Run run = new Run(plan(0, 1, true, 256));
    for (int rewards : new int[] {400, 599, 1, 1, 999, 500}) {
      run.learn(random, rewards, 0, 0, 1);
      FeatureVector c = run.block.at(0).c();
      Contrast contrast = Objects.requireNonNull(run.block.of(run.arm, c));
      double[] q = new double[Kernels.padded(D)];
      for (int i = 0; i < D; i++) {
        q[i] = contrast.information() * c.value(i) - contrast.weighted(i);
      }
      double beta = run.plan.beta(run.arm, LinearBlocks.SHARED);
      double b = beta * Math.sqrt(run.arm.squaredWidth(q));
      assertThat(b).isPositive();
      assertThat(contrast.imbalance()).isCloseTo(b / contrast.information(), within(1e-9));
    }
  }

  @Test
  void mirroredContrastsHaveMirroredIntervals() {
    Run run = new Run(plan(0, 1, true, 256)).learn(new SplittableRandom(1), 700, .1, 0, 1);
    double[] one = run.interval(C);
    double[] other = run.interval(MIRRORED);
    assertThat(run.block.size()).isOne();
    assertThat(one[1] - one[0]).isLessThan(.5);
    assertThat(other[0]).isEqualTo(-one[1]);
    assertThat(other[1]).isEqualTo(-one[0]);
  }

  @Test
  void rewardsOnAnotherScaleHaveTheSameIntervalOnIt() {
    double[] unit =
        new Run(plan(0, 1, true, 256)).learn(new SplittableRandom(2), 500, .2, 0, 1).interval(C);
    double[] scaled =
        new Run(plan(0, 8, true, 256)).learn(new SplittableRandom(2), 500, .2, 0, 8).interval(C);
    assertThat(scaled[0]).isCloseTo(8 * unit[0], within(1e-9));
    assertThat(scaled[1]).isCloseTo(8 * unit[1], within(1e-9));
  }

  @Test
  void aShiftedRangeIsBoundedTooAndContainsTheEffect() {
    Run run = new Run(plan(-3, 2, true, 256)).learn(new SplittableRandom(3), 4000, .2, -3, 2);
    assertThat(run.plan.shareOfRange(-2)).isEqualTo(.5);
    double[] interval = run.interval(MIRRORED);
    assertThat(interval[0]).isLessThan(.4);
    assertThat(interval[1]).isGreaterThan(.4);
    assertThat(interval[1] - interval[0]).isLessThan(.6);
  }

  /** Features in another order, here the genders before the ages. */
  @Test
  void permutedFeaturesHaveTheSameInterval() {
    int[] place = {2, 3, 4, 5, 0, 1};
    Run plain = new Run(plan(0, 1, true, 256));
    Run other =
        new Run(plan(List.of(FeatureVector.of(1, -1, 0, 0, 0, 0)), .05, .1, 0, 1, true, 256));
    SplittableRandom random = new SplittableRandom(4);
    for (int t = 0; t < 600; t++) {
      FeatureVector x = person(random.nextInt(3), random.nextInt(2));
      double[] permuted = new double[D];
      for (int i = 0; i < D; i++) {
        permuted[place[i]] = x.value(i);
      }
      double reward = random.nextInt(2);
      model.learn(plain.arm, plain.block, x, reward, t, workspace);
      model.learn(other.arm, other.block, FeatureVector.of(permuted), reward, t, workspace);
    }
    double[] one = plain.interval(C);
    double[] same = other.interval(FeatureVector.of(1, -1, 0, 0, 0, 0));
    assertThat(same[0]).isCloseTo(one[0], within(1e-9));
    assertThat(same[1]).isCloseTo(one[1], within(1e-9));
  }

  @Test
  void intervalIsNeverWiderThanTheEllipsoidAndNeverGrows() {
    Run run = new Run(plan(0, 1, true, 256));
    SplittableRandom random = new SplittableRandom(5);
    Radius radius = new Radius.SelfNormalized(.5, 1, .005);
    double[] before = {-1, 1};
    for (int look = 0; look < 60; look++) {
      run.learn(random, 20, .1, 0, 1);
      double[] now = run.interval(C);
      double reach = radius.of(run.arm, LinearBlocks.SHARED) * Math.sqrt(run.arm.squaredWidth(C));
      assertThat(now[0])
          .isGreaterThanOrEqualTo(Math.max(before[0], run.arm.mean(C) - reach - 1e-15));
      assertThat(now[1]).isLessThanOrEqualTo(Math.min(before[1], run.arm.mean(C) + reach + 1e-15));
      before = now;
    }
    assertThat(before[1] - before[0]).isLessThan(.4);
  }

  @Test
  void anIntervalThatIsNotStickyIsThatOfTheSumsAlone() {
    Run looking = new Run(plan(0, 1, false, 256));
    Run blind = new Run(plan(0, 1, false, 256));
    SplittableRandom one = new SplittableRandom(6);
    SplittableRandom other = new SplittableRandom(6);
    for (int look = 0; look < 40; look++) {
      looking.learn(one, 20, .1, 0, 1).interval(C);
      blind.learn(other, 20, .1, 0, 1);
    }
    assertThat(looking.interval(C)).isEqualTo(blind.interval(C));
  }

  /** The effect jumps from 0 to .3 after 5,000 rewards: nothing is left of the interval. */
  @Test
  void anEffectThatJumpsRefutesTheModel() {
    Run run = new Run(plan(0, 1, true, 256));
    SplittableRandom random = new SplittableRandom(7);
    for (int look = 0; look < 250; look++) {
      run.learn(random, 20, 0, 0, 1).interval(C);
    }
    assertThat(run.block.isRefuted()).isFalse();
    assertThat(run.interval(C)[1]).isLessThan(.15);
    int looks = 0;
    while (!run.block.isRefuted() && looks < 2000) {
      run.learn(random, 20, .3, 0, 1).interval(C);
      looks++;
    }
    assertThat(run.block.isRefuted()).as("after %d looks", looks).isTrue();
    assertThat(run.interval(C)).containsExactly(-1, 1);
  }

  /** Where the weighted sum and the ellipsoid exclude each other, whatever was seen before. */
  @Test
  void anEmptyIntervalRefutesTheModelAlsoIfItIsNotSticky() {
    Run run = new Run(plan(0, 1, false, 256)).learn(new SplittableRandom(15), 300, 0, 0, 1);
    Contrast contrast = run.block.at(0);
    Run shifted = new Run(plan(0, 1, false, 256)).learn(new SplittableRandom(15), 300, 0, 0, 1);
    for (int i = 0; i < 3000; i++) {
      int gender = i % 2;
      model.learn(shifted.arm, person(0, gender), gender, i, workspace);
    }
    double[] lambdas = ContrastBoundary.grid(.1);
    contrast.refresh(run.plan, lambdas, shifted.arm, 1e-3, .4);
    assertThat(contrast.isRefuted()).isTrue();
    assertThat(contrast.lower()).isEqualTo(-1);
    assertThat(contrast.upper()).isEqualTo(1);
  }

  @Test
  void aLateContrastHasItsOwnShareAndTheNextOneIsLeftToTheEllipsoid() {
    Run run = new Run(plan(0, 1, true, 2)).learn(new SplittableRandom(8), 300, 0, 0, 1);
    FeatureVector late = FeatureVector.of(0, 1, -1, 0, 0, 0);
    FeatureVector beyond = FeatureVector.of(0, 1, 0, -1, 0, 0);
    run.interval(late);
    assertThat(run.block.size()).isEqualTo(2);
    run.learn(new SplittableRandom(9), 1200, 0, 0, 1);
    Contrast registered = Objects.requireNonNull(run.block.of(run.arm, late));
    assertThat(registered.information()).isGreaterThan(50);
    assertThat(run.block.of(run.arm, beyond)).isNull();
    assertThat(run.block.size()).isEqualTo(2);
    Contrast fresh = registered.copy();
    fresh.restart();
    double beta = run.plan.beta(run.arm, LinearBlocks.SHARED);
    double alpha = .9 * .05 * .1 / 2;
    double[] lambdas = ContrastBoundary.grid(.1);
    fresh.refresh(run.plan, lambdas, run.arm, beta, alpha);
    assertThat(registered.upper()).isCloseTo(fresh.upper(), within(1e-10));
    assertThat(run.block.alpha(run.plan, registered)).isCloseTo(alpha, within(1e-15));
    assertThat(run.block.alpha(run.plan, run.block.at(0)))
        .isCloseTo(.9 * .05 * .8 / 2, within(1e-15));
  }

  /** Each version forgets one contrast and brings another. */
  @Test
  void contrastsOfFiftyVersionsTogetherMissWithLessThanDelta() {
    Run run = new Run(plan(0, 1, true, 256));
    IdentityHashMap<FeatureVector, Double> greatest = new IdentityHashMap<>();
    for (int version = 0; version < 50; version++) {
      List<FeatureVector> known = new ArrayList<>();
      for (int k = 0; k < 3; k++) {
        double[] c = new double[D];
        c[(version + k) % D] = 1;
        c[(version + k + 1 + version / D % (D - 1)) % D] = -1;
        known.add(ContrastBlock.canonical(FeatureVector.of(c)));
      }
      double tau = version == 30 ? .5 : .1;
      ContrastPlan plan = plan(known, .05, tau, 0, 1, true, 256);
      run.block.adopt(plan, LinearBlocks.SHARED, 1, true);
      for (int i = 0; i < run.block.size(); i++) {
        Contrast contrast = run.block.at(i);
        greatest.merge(contrast.c(), run.block.alpha(plan, contrast), Math::max);
      }
    }
    assertThat(greatest).hasSizeGreaterThan(20);
    double sum = greatest.values().stream().mapToDouble(x -> x).sum();
    assertThat(sum).isBetween(.8 * .05 / 2 * .9, (1 - DeltaShares.ELLIPSOID) * .05 / 2);
  }

  @Test
  void aContrastWithANumberIsLeftToTheEllipsoid() {
    Run run = new Run(plan(0, 1, true, 256));
    assertThat(run.block.of(run.arm, FeatureVector.of(0, .25, 0, 0, 1, -1))).isNull();
    assertThat(run.block.size()).isOne();
  }

  @Test
  void anotherDeltaStartsRunningEndsAnewAndADistantTauStartsAll() {
    Run run = new Run(plan(0, 1, true, 256));
    SplittableRandom random = new SplittableRandom(10);
    run.learn(random, 800, 0, 0, 1);
    double[] before = run.interval(C);
    ContrastPlan surer = plan(List.of(C), .001, .1, 0, 1, true, 256);
    run.block.adopt(surer, LinearBlocks.SHARED, 1, true);
    double[] after = run.interval(C);
    assertThat(after[1]).isGreaterThan(before[1]);
    assertThat(after[1] - after[0]).isLessThan(1);
    run.block.adopt(plan(List.of(C), .05, .03, 0, 1, true, 256), LinearBlocks.SHARED, 1, true);
    assertThat(run.block.at(0).sums()[1]).isPositive();
    run.block.adopt(plan(List.of(C), .05, .02, 0, 1, true, 256), LinearBlocks.SHARED, 1, true);
    assertThat(run.block.at(0).sums()[1]).isZero();
  }

  @Test
  void bytesGoRoundAndTwoRunsLeaveTheSame() {
    Run one = new Run(plan(0, 1, true, 256));
    Run other = new Run(plan(0, 1, true, 256));
    for (Run run : List.of(one, other)) {
      SplittableRandom random = new SplittableRandom(11);
      for (int look = 0; look < 20; look++) {
        run.learn(random, 17, .1, 0, 1).interval(C);
      }
      run.interval(FeatureVector.of(0, 1, -1, 0, 0, 0));
    }
    assertThat(other.block).isEqualTo(one.block);
    ByteBuffer bytes = StoredBytes.of(one.block);
    assertThat(bytes.remaining()).isZero();
    ContrastBlock read = StoredBytes.read(new ContrastBlock(), bytes.flip());
    assertThat(bytes.remaining()).isZero();
    assertThat(read).isEqualTo(one.block);
    other.block = read;
    read.adopt(other.plan, LinearBlocks.SHARED, 1, true);
    assertThat(other.interval(C)).isEqualTo(one.interval(C));
    assertThat(read).as("computed again").isEqualTo(one.block);
    one.learn(new SplittableRandom(12), 50, .1, 0, 1);
    other.learn(new SplittableRandom(12), 50, .1, 0, 1);
    assertThat(other.block).isEqualTo(one.block);
    assertThat(one.block.copy()).isEqualTo(one.block);
  }

  /** What is kept since the model learned last is no state: dropped at random, nothing changes. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void droppedCachesChangeNoBit(boolean isSticky) {
    Run warm = new Run(plan(0, 1, isSticky, 256));
    Run cold = new Run(plan(0, 1, isSticky, 256));
    SplittableRandom ofWarm = new SplittableRandom(14);
    SplittableRandom ofCold = new SplittableRandom(14);
    SplittableRandom dropping = new SplittableRandom(15);
    for (int step = 0; step < 1500; step++) {
      if (dropping.nextInt(3) > 0) {
        warm.learn(ofWarm, 1, .1, 0, 1);
        cold.learn(ofCold, 1, .1, 0, 1);
      } else {
        assertThat(cold.effect(C)).isEqualTo(warm.effect(C));
      }
      if (dropping.nextInt(3) == 0) {
        ByteBuffer bytes = StoredBytes.of(cold.block);
        cold.block = StoredBytes.read(new ContrastBlock(), bytes.flip());
        cold.block.adopt(cold.plan, LinearBlocks.SHARED, 1, true);
      }
      assertThat(cold.block).isEqualTo(warm.block);
    }
    assertThat(Objects.requireNonNull(warm.effect(C).imbalance())).isPositive();
  }

  /** Weights of a hostile kind: what is due to the boundary alone, at every reward. */
  @Test
  void hostileWeightsCrossTheBoundarySeldom() {
    int runs = Tier.count(80, 2000);
    int length = Tier.count(500, 2000);
    for (double p : new double[] {.5, .05}) {
      SplittableRandom random = new SplittableRandom(14);
      int crossed = 0;
      for (int run = 0; run < runs; run++) {
        crossed += hostile(random, p, length) ? 1 : 0;
      }
      Tier.foundShare(getClass(), "ridge: hostile runs that cross at p " + p, crossed, runs);
      assertThat(crossed).as("p %s", p).isLessThanOrEqualTo(runs / 20);
    }
  }

  /** Keeps to full weights while the sum is negative, else follows or leaves the last residual. */
  private static boolean hostile(SplittableRandom random, double p, int length) {
    double[] lambdas = ContrastBoundary.grid(.1);
    double[] penalties = new double[lambdas.length];
    double sum = 0;
    double squares = 0;
    double last = 0;
    for (int t = 0; t < length; t++) {
      double w = sum < 0 ? 1 : last > 0 ? .9 : -.2;
      double b = Math.abs(w) * (w > 0 ? p : 1 - p);
      last = (random.nextDouble() < p ? 1 : 0) - p;
      double z = w * last / b;
      for (int j = 0; j < lambdas.length; j++) {
        penalties[j] += Logarithm.psi(lambdas[j] * b) * z * z;
      }
      sum += w * last;
      squares += w * w;
      boolean isLooked = t % 5 == 4 && sum > 0;
      if (isLooked && sum > ContrastBoundary.of(lambdas, penalties, squares, .05)) {
        return true;
      }
    }
    return false;
  }

  @Test
  void badBytesAreRefused() {
    Run run = new Run(plan(0, 1, true, 256));
    byte[] bytes = run.block.toBytes();
    List<Integer> cuts = new ArrayList<>(List.of(0, 1, 10, 24, 26, 40, bytes.length - 1));
    for (int cut : cuts) {
      assertThatThrownBy(
              () -> StoredBytes.read(new ContrastBlock(), ByteBuffer.wrap(bytes, 0, cut).slice()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
