package io.equipoise.lab.csr;

import io.equipoise.policy.bestarm.Algorithm;
import io.equipoise.policy.bestarm.Allocation;
import io.equipoise.policy.bestarm.BatchSearch;
import io.equipoise.policy.bestarm.Costs;
import io.equipoise.policy.bestarm.Design;
import io.equipoise.policy.bestarm.FairnessEstimate;
import io.equipoise.policy.bestarm.Mode;
import io.equipoise.policy.bestarm.Phase;
import io.equipoise.policy.bestarm.SearchStage;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * All trials of the four searches on one instance, in one mode, with one T. They share allocations,
 * which depend on the stage and the arms that are left only. A trial depends on its seed, T, mode
 * and policy alone.
 */
final class Trials {
  /** Of certificates, which these trials do not look at. */
  private static final double DELTA = .05;

  private final CsrInstance csrInstance;
  private final int samples;
  private final Mode mode;
  private final FairnessEstimate fairness;
  private final Map<Left, Allocation> allocations = new HashMap<>();

  private record Left(SearchStage stage, BitSet arms) {}

  Trials(CsrInstance csrInstance, int samples, Mode mode, FairnessEstimate fairness) {
    this.csrInstance = csrInstance;
    this.samples = samples;
    this.mode = mode;
    this.fairness = fairness;
  }

  /** Runs so many trials of each search. */
  Map<CsrSetting, List<CsrAnswer>> run(int trials, long firstSeed) {
    Map<CsrSetting, List<CsrAnswer>> answers = new LinkedHashMap<>();
    for (Algorithm policy : Algorithm.values()) {
      Design design =
          new Design(
              csrInstance.model(),
              new Design.Settings(policy, mode, fairness, samples, csrInstance.bound(), DELTA),
              Costs.paper(csrInstance.model().arms(), 0, samples));
      BatchSearch search =
          new BatchSearch(design, (phase, left) -> allocation(design, phase, left));
      List<CsrAnswer> ofPolicy = new ArrayList<>();
      for (int trial = 0; trial < trials; trial++) {
        SimulatedSource source =
            new SimulatedSource(csrInstance, stream(firstSeed + trial, policy));
        ofPolicy.add(CsrAnswer.of(search.run(source).conclusion(), csrInstance));
      }
      answers.put(new CsrSetting(policy, csrInstance.name(), samples, mode, fairness), ofPolicy);
    }
    return answers;
  }

  private SplittableRandom stream(long seed, Algorithm policy) {
    long stream = new SplittableRandom(seed * 31 + samples).nextLong();
    for (String part : List.of(mode.wire(), policy.wire(), fairness.wire())) {
      stream = new SplittableRandom(stream * 31 + part.hashCode()).nextLong();
    }
    return new SplittableRandom(stream);
  }

  private Allocation allocation(Design design, Phase phase, BitSet left) {
    return allocations.computeIfAbsent(
        new Left(phase.stage(), left), key -> BatchSearch.allocation(design, phase, left));
  }
}
