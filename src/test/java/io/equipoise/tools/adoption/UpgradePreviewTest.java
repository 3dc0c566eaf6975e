package io.equipoise.tools.adoption;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.AbortReason;
import io.equipoise.segment.SpecVariant;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.tools.adoption.SpecEffect.EffectOfChange;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpgradePreviewTest {
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";

  @Test
  void anotherTauKeepsTheModelAndRestartsADual() {
    assertEquals(SpecEffect.of(EffectOfChange.KEPT), effect(tau("ucb", 0.2), tau("ucb", 0.3)));
    assertEquals(
        new SpecEffect(EffectOfChange.KEPT, List.of("policy-state"), List.of(), null, null),
        effect(tau("dual-upper", 0.2), tau("dual-upper", 0.3)));
    assertEquals(
        new SpecEffect(EffectOfChange.KEPT, List.of("policy-state"), List.of(), null, null),
        effect(tau("linucb, constraint: dual", 0.2), tau("linucb, constraint: dual", 0.3)));
  }

  @Test
  void moreLevelsMigrateTheModel() {
    assertEquals(
        new SpecEffect(EffectOfChange.MIGRATED, List.of(), List.of("X"), null, null),
        effect(SpecVariant.of("ucb"), SpecVariant.of("ucb").levels("X", "mid", "low", "high")));
  }

  @Test
  void anotherMeaningIsRejectedUnlessItMayReset() {
    SpecVariant before = SpecVariant.of("ucb");
    SpecVariant after = SpecVariant.of("ucb").reward("{range: [0, 2]}");
    assertEquals(rejected("reward.range is another"), effect(before, after));
    assertEquals(
        new SpecEffect(
            EffectOfChange.RESET,
            List.of("model", "audit"),
            List.of(),
            null,
            "reward.range is another"),
        effect(before, after.onIncompatibleChange("reset")));
  }

  @Test
  void anotherMeaningOfAnArmIsRejected() {
    assertEquals(
        rejected("arm one stands for [right], which was [left]; give the arm a new id"),
        effect(
            SpecVariant.of("ucb").arms("{id: one, A: left}"),
            SpecVariant.of("ucb").arms("{id: one, A: right}")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ucb",
        "f-ucb",
        "linucb",
        "linucb, model: shared",
        "glm-ucb",
        "eps-cclb",
        "oam, horizon: 20"
      })
  void anOfferMayComeAndGo(String policy) {
    SpecVariant two = SpecVariant.of(policy);
    SpecVariant three = SpecVariant.of(policy).levels("A", "left", "up", "right");
    SpecVariant one = SpecVariant.of(policy).arms("{id: A=left, A: left}");
    assertEquals(
        new SpecEffect(EffectOfChange.MIGRATED, List.of(), List.of("A"), null, null),
        effect(two, three));
    assertEquals(SpecEffect.of(EffectOfChange.KEPT), effect(two, one));
    assertEquals(SpecEffect.of(EffectOfChange.KEPT), effect(one, two));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'linucb, model: shared' | A | left | levels [right] of variable A are gone; keep them, and"
            + " retire arms instead: the bound of theta counts only levels of the spec; state a"
            + " policy.theta-norm that bounds the coefficients of all levels that the model ever"
            + " learns of",
        "'linucb, features: [one-hot: X]' | A | left | levels [right] of variable A are gone, but"
            + " arms [A=right] set them; retire these in one version, and remove levels in a later"
            + " one",
        "glm-ucb | A | left | levels [right] of variable A are gone, but arms [A=right] set them;"
            + " retire these in one version, and remove levels in a later one",
        "oam, horizon: 20 | A | left | levels [right] of variable A are gone; keep them, and retire"
            + " arms instead: oam keeps statistics by its levels",
        "linucb | S | a c b | levels [c] of variable S are new: effects, group means and duals are"
            + " counted over the levels of a sensitive variable",
        "glm-ucb | S | b a | the levels of variable S have another order: effects and duals are"
            + " counted over the levels of a sensitive variable",
        "oam, horizon: 20 | S | a b c | levels [c] of variable S are new: effects are counted over"
            + " the levels of a sensitive variable"
      })
  void aLevelThatCannotComeOrGoIsNamed(
      String policy, String variable, String levels, String reason) {
    SpecVariant after = SpecVariant.of(policy).levels(variable, levels.split(" ", -1));
    assertEquals(rejected(reason), effect(SpecVariant.of(policy), after));
  }

  @Test
  void anotherSettingOfAModelIsNamed() {
    assertEquals(
        rejected(
            "the statistics of linucb depend on policy.features, model, ridge, forget, drop and"
                + " warm-start, of which one is another"),
        effect(SpecVariant.of("linucb"), SpecVariant.of("linucb, model: shared")));
    assertEquals(
        rejected("policy linucb keeps other statistics than ucb"),
        effect(SpecVariant.of("ucb"), SpecVariant.of("linucb")));
    assertEquals(
        rejected(
            "the statistics of oam depend on policy.features and ridge, of which one is another"),
        effect(
            SpecVariant.of("oam, horizon: 20"),
            SpecVariant.of("oam, horizon: 20, features: [intercept, one-hot: A]")));
  }

  @Test
  void aRejectedSpecComesWithWhatToDo() {
    SpecEffect rejected = effect(SpecVariant.of("linucb"), SpecVariant.of("ucb"));
    assertEquals(
        List.of(
            rejected.line(),
            "Change the spec, or set on-incompatible-change: reset, so that models start empty"),
        rejected.details());
    SpecEffect kept = effect(SpecVariant.of("linucb"), SpecVariant.of("linucb, alpha: 2"));
    assertEquals(List.of(kept.line()), kept.details());
  }

  private static SpecEffect rejected(String reason) {
    return SpecEffect.of(EffectOfChange.REJECTED).because(reason);
  }

  @Test
  void aReplacedExperimentEnds() {
    assertEquals(AbortReason.SPEC_REPLACED, experiment("csr-v2, samples: 120", "reset").abort());
    assertEquals(
        AbortReason.REQUESTED, experiment("csr-v2, samples: 100, abort: slow", "reject").abort());
  }

  private static SpecEffect experiment(String next, String onChange) {
    String control = ", control: \"A=left\"";
    String reward = "{range: [0, 1]}";
    return UpgradePreview.of(
        TestSpecs.compiled(
            TestSpecs.experiment("csr-v2, samples: 100" + control, 1, JOIN, reward, "reject")),
        TestSpecs.compiled(TestSpecs.experiment(next + control, 2, JOIN, reward, onChange)));
  }

  @Test
  void anEarlierVersionIsComparedAsIfItWereNewer() {
    CompiledSpec second = TestSpecs.compiled(tau("dual-upper", 0.2).version(2).text());
    CompiledSpec first = TestSpecs.compiled(tau("dual-upper", 0.3).text());
    assertEquals(List.of("policy-state"), UpgradePreview.of(second, first).reset());
    assertEquals(EffectOfChange.UNCHANGED, UpgradePreview.of(first, first).kind());
  }

  @Test
  void aLiveSplitThatStartsAgainOrEndsIsNamed() {
    SpecVariant split = split("tau: 0.2, delta: 0.05, split: all");
    String dropped =
        "; the live split ends or starts again, with its delta: what it counted is lost";
    assertEquals(
        EffectOfChange.KEPT.name(),
        effect(split, split("tau: 0.3, delta: 0.05, split: all")).json().get("effect"));
    assertFalse(effect(split, split("tau: 0.3, delta: 0.05, split: all")).line().contains("split"));
    assertFalse(effect(tau("ucb", .2), split).line().contains("split"), "one that begins");
    SpecEffect other = effect(split, split("tau: 0.2, delta: 0.1, split: all"));
    assertTrue(other.line().endsWith(dropped), other.line());
    assertEquals(List.of("split"), other.reset());
    assertTrue(effect(split, tau("ucb", .2)).line().endsWith(dropped));
    SpecVariant wider = split("tau: 0.2, split: all").reward("{range: [0, 2]}");
    String reset = effect(split, wider.onIncompatibleChange("reset")).line();
    assertTrue(reset.contains(dropped + "; because reward.range is another"), reset);
  }

  private static SpecVariant split(String fairness) {
    return SpecVariant.of("ucb").fairness(fairness);
  }

  private static SpecVariant tau(String policy, double tau) {
    return SpecVariant.of(policy).fairness("tau: " + tau + ", delta: 0.05");
  }

  private static SpecEffect effect(SpecVariant before, SpecVariant after) {
    return UpgradePreview.of(
        TestSpecs.compiled(before.text()), TestSpecs.compiled(after.version(2).text()));
  }
}
