package io.equipoise.policy.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.equipoise.policy.CertificateForecast.Expected;
import io.equipoise.policy.constraint.ContrastForecast;
import io.equipoise.segment.SpecVariant;
import io.equipoise.segment.TestSpecs;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A forecast divides delta as the contrasts of a first version do. */
class ForecastErrorTest {
  private static final double DELTA = .07;

  @ParameterizedTest
  @ValueSource(strings = {"shared", "disjoint"})
  void theForecastHasTheErrorOfAContrast(String model) {
    LinearPolicy policy =
        (LinearPolicy)
            TestSpecs.compiled(
                    SpecVariant.of(
                            "linucb, constraint: hard, model: %s, features: [intercept, one-hot: X,"
                                    .formatted(model)
                                + " one-hot: S, one-hot: A, product: [one-hot: S, one-hot: A]]")
                        .fairness("tau: 0.2, delta: " + DELTA)
                        .text())
                .policy();
    ContrastPlan plan = Objects.requireNonNull(new LinearCompilation(policy.spec()).contrasts());
    RidgeRegression none = RidgeModel.of(policy.dimension(), 1).newArm();
    ContrastBlock block = ContrastBlock.of(plan, policy.dimension());
    boolean isShared = model.equals("shared");
    block.adopt(plan, isShared ? LinearBlocks.SHARED : 0, plan.models, true);
    Contrast contrast = Objects.requireNonNull(block.of(none, plan.known().get(0)));
    Object forecast = policy.forecast(new Expected(.2, DELTA, .5, 1));
    double alpha = ((ContrastForecast) Objects.requireNonNull(forecast)).alpha();
    assertThat(alpha).isCloseTo(block.alpha(plan, contrast), within(1e-15));
    double share = isShared ? .8 / 2 : .8 / 2 * (.8 / 2); // two arms, two contrasts in a model
    assertThat(alpha).isCloseTo(.9 * share * DELTA / 2, within(1e-15));
  }
}
