package io.equipoise.lab.csr;

import io.equipoise.bandit.csr.Algorithm;
import io.equipoise.bandit.csr.Allocation;
import io.equipoise.bandit.csr.BatchSearch;
import io.equipoise.bandit.csr.Costs;
import io.equipoise.bandit.csr.Design;
import io.equipoise.bandit.csr.FairnessEstimate;
import io.equipoise.bandit.csr.Mode;
import io.equipoise.bandit.csr.Phase;
import io.equipoise.bandit.csr.Stage;
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

  private final Instance instance;
  private final int samples;
  private final Mode mode;
  private final FairnessEstimate fairness;
  private final Map<Left, Allocation> allocations = new HashMap<>();

  private record Left(Stage stage, BitSet arms) {}

  Trials(Instance instance, int samples, Mode mode, FairnessEstimate fairness) {
    this.instance = instance;
    this.samples = samples;
    this.mode = mode;
    this.fairness = fairness;
  }

  /** Runs so many trials of each search. */
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
