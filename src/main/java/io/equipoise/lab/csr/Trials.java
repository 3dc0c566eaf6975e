package io.equipoise.lab.csr;

import io.equipoise.lab.csr.ErrorRates.Answer;
import io.equipoise.lab.csr.ErrorRates.Setting;
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
 * which depend only on the stage and the remaining arms. A trial depends only on its seed, T, mode
 * and policy.
 */
final class Trials {
  /** Error probability of certificates, which these trials ignore. */
  private static final double DELTA = .05;

  private final CsrInstance instance;
  private final int samples;
  private final Mode mode;
  private final FairnessEstimate fairness;
  private final Map<Left, Allocation> allocations = new HashMap<>();

  private record Left(SearchStage stage, BitSet arms) {}

  Trials(CsrInstance instance, int samples, Mode mode, FairnessEstimate fairness) {
    this.instance = instance;
    this.samples = samples;
    this.mode = mode;
    this.fairness = fairness;
  }

  /** Runs a number of trials of each search. */
  Map<Setting, List<Answer>> run(int trials, long firstSeed) {
    Map<Setting, List<Answer>> answers = new LinkedHashMap<>();
    for (Algorithm policy : Algorithm.values()) {
      Design design =
          new Design(
              instance.model(),
              new Design.Settings(policy, mode, fairness, samples, instance.bound(), DELTA),
              Costs.paper(instance.model().arms(), 0, samples));
      BatchSearch search =
          new BatchSearch(design, (phase, left) -> allocation(design, phase, left));
      List<Answer> ofPolicy = new ArrayList<>();
      for (int trial = 0; trial < trials; trial++) {
        SimulatedSource source = new SimulatedSource(instance, stream(firstSeed + trial, policy));
        ofPolicy.add(Answer.of(search.run(source).conclusion(), instance));
      }
      answers.put(new Setting(policy, instance.name(), samples, mode, fairness), ofPolicy);
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
