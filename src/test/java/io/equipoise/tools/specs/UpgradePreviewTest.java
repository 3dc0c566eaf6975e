package io.equipoise.tools.specs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.event.AbortReason;
import io.equipoise.segment.SpecVariant;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.tools.specs.SpecEffect.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class UpgradePreviewTest {
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";

  @Test
  void anotherTauKeepsTheModelAndRestartsADual() {
    assertEquals(SpecEffect.of(Kind.KEPT), effect(tau("ucb", 0.2), tau("ucb", 0.3)));
    assertEquals(
        new SpecEffect(Kind.KEPT, List.of("policy-state"), List.of(), null),
        effect(tau("dual-upper", 0.2), tau("dual-upper", 0.3)));
    assertEquals(
        new SpecEffect(Kind.KEPT, List.of("policy-state"), List.of(), null),
        effect(tau("linucb, constraint: dual", 0.2), tau("linucb, constraint: dual", 0.3)));
  }

  @Test
  void moreLevelsMigrateTheModel() {
    assertEquals(
        new SpecEffect(Kind.MIGRATED, List.of(), List.of("X"), null),
        effect(SpecVariant.of("ucb"), SpecVariant.of("ucb").levels("X", "mid", "low", "high")));
  }

  @Test
  void anotherMeaningIsRejectedUnlessItMayReset() {
    SpecVariant before = SpecVariant.of("ucb");
    SpecVariant after = SpecVariant.of("ucb").reward("{range: [0, 2]}");
    assertEquals(SpecEffect.of(Kind.REJECTED), effect(before, after));
    assertEquals(
        new SpecEffect(Kind.RESET, List.of("model", "audit"), List.of(), null),
        effect(before, after.onIncompatibleChange("reset")));
  }

  @Test
  void anotherMeaningOfAnArmIsRejected() {
    assertEquals(
        SpecEffect.of(Kind.REJECTED),
        effect(
            SpecVariant.of("ucb").arms("{id: one, A: left}"),
            SpecVariant.of("ucb").arms("{id: one, A: right}")));
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
    assertEquals(Kind.UNCHANGED, UpgradePreview.of(first, first).kind());
  }

  private static SpecVariant tau(String policy, double tau) {
    return SpecVariant.of(policy).fairness("tau: " + tau + ", delta: 0.05");
  }

  private static SpecEffect effect(SpecVariant before, SpecVariant after) {
    return UpgradePreview.of(
        TestSpecs.compiled(before.text()), TestSpecs.compiled(after.version(2).text()));
  }
}
