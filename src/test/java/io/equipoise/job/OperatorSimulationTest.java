package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.audit.verify.Auditor;
import io.equipoise.audit.verify.Finding;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.audit.verify.SpecCatalog;
import io.equipoise.audit.verify.VerifyOptions;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.SegmentEventType;
import io.equipoise.segment.TestBounds;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SpecRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Seeded schedules of snapshots, failures and rescaling, checked by the auditor after each. */
@SuppressWarnings("try") // closing a harness is interruptible
class OperatorSimulationTest {
  private static final int SCHEDULES = Tier.count(6, 2_000);
  private static final int STEPS = Tier.count(120, 300);
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";
  private static final String REWARD = "{range: [0, 1]}";
  private static final List<String> SPECS =
      List.of(
          TestSpecs.dUcb(),
          TestSpecs.text("linucb, explore: {share: 0.3, over: all}", 1, JOIN, REWARD, "reject"),
          TestSpecs.text("cclb, explore: {share: 0.2, over: all}", 1, JOIN, REWARD, "reject"),
          TestSpecs.experiment(
              "csr-v2, samples: 8, control: \"A=left\"", 1, JOIN, REWARD, "reject"),
          TestBounds.spec("ignore"));
  private static final List<CausalBoundSet> BOUNDS =
      List.of(
          TestBounds.set(1, new double[] {0, 0.3}, new double[] {0.25, 0.75}),
          TestBounds.set(2, new double[] {0.5, 1}, new double[] {0, 0.25}));

  private int failures;
  private int rescales;
  private long adopted;
  private long contexts;
  private long rewards;

  @Test
  void theFirstSevenInvariantsHoldAfterEverySchedule() throws Exception {
    for (int seed = 0; seed < SCHEDULES; seed++) {
      SegmentHarness.Backend backend =
          seed % 6 == 5 ? SegmentHarness.Backend.ROCKSDB : SegmentHarness.Backend.HASHMAP;
      String text = SPECS.get(seed % SPECS.size());
      CompiledSpec spec = TestSpecs.compiled(text);
      List<CausalBoundSet> bounds =
          spec.spec().policy().causalBounds() == null ? List.of() : BOUNDS;
      try (ShakenOperator shaken = new ShakenOperator(backend, spec, text, bounds, seed)) {
        shaken.play(STEPS);
        check(shaken, spec, "seed " + seed + ": ");
        failures += shaken.failures;
        rescales += shaken.rescales;
      }
    }
    assertTrue(failures > SCHEDULES && rescales > SCHEDULES, "the schedules are tame");
    Tier.found(getClass(), "schedules played", SCHEDULES);
    Tier.found(getClass(), "failures", failures);
    Tier.found(getClass(), "rescales", rescales);
    assertTrue(rewards > SCHEDULES, "the schedules hardly bring rewards");
    assertTrue(adopted > 0, "no schedule adopts causal bounds");
    Tier.found(getClass(), "contexts checked", contexts);
    Tier.found(getClass(), "rewards checked", rewards);
  }

  private void check(ShakenOperator shaken, CompiledSpec spec, String seed) {
    VerifyOptions verifyOptions =
        new VerifyOptions(
            true, Duration.ZERO, 64 << 20, 3, List.of(), Duration.ofSeconds(15), null);
    TestBounds bounds = new TestBounds();
    BOUNDS.forEach(bounds::publish);
    SpecCatalog specCatalog =
        new SpecCatalog(SpecRegistry.of(spec), bounds, List.of(spec), List.of(), Map.of());
    List<Finding> findings = new Auditor(shaken.log, specCatalog, verifyOptions).check();
    for (Finding finding : findings.subList(0, 7)) {
      boolean isEmpty = finding.verdict() == Verdict.NOT_CHECKED && finding.checked() == 0;
      assertTrue(isEmpty || finding.verdict() == Verdict.OK, seed + finding);
    }
    assertTrue(findings.get(0).checked() > 0, seed + findings);
    adopted += shaken.kinds().stream().filter(SegmentEventType.BOUNDS_ADOPTED::equals).count();
    contexts += findings.get(0).checked();
    rewards += findings.get(1).checked();
  }
}
