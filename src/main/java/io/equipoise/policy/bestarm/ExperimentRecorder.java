package io.equipoise.policy.bestarm;

import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.Sha256;
import io.equipoise.policy.bestarm.Conclusion.BestFairArm;
import io.equipoise.policy.bestarm.Conclusion.NoFairArm;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;

/** Writes the records of one experiment. */
final class ExperimentRecorder {
  private final Design design;
  private final RunSettings runSettings;
  final String configHash;
  private final EffectIntervals intervals;

  ExperimentRecorder(Design design, RunSettings runSettings) {
    this.design = design;
    this.runSettings = runSettings;
    configHash = ConfigHash.of(design, runSettings);
    intervals = new EffectIntervals(design);
  }

  PhaseRecord phase(
      SearchProgress searchProgress,
      SampleSums sums,
      SearchVerdict searchVerdict,
      Estimates estimates) {
    Allocation allocation = searchProgress.open.allocation();
    long[] arrived = new long[design.settings().mode().types()];
    for (int type = 0; type < arrived.length; type++) {
      arrived[type] = sums.arrived(type);
    }
    return new PhaseRecord(
        searchVerdict,
        allocation,
        design.quota(searchVerdict.phase(), allocation),
        arrived,
        searchProgress.open.counters(),
        searchProgress.costSpent,
        findings(searchVerdict.before(), searchVerdict.phase(), estimates, sums),
        ConfigHash.of(sums));
  }

  private List<ArmFinding> findings(
      BitSet arms, Phase phase, Estimates estimates, SampleSums sums) {
    List<ArmFinding> findings = new ArrayList<>();
    for (int k = arms.nextSetBit(0); k >= 0; k = arms.nextSetBit(k + 1)) {
      findings.add(finding(k, phase.l(), estimates, sums));
    }
    return findings;
  }

  private ArmFinding finding(int k, int l, Estimates estimates, SampleSums sums) {
    EffectInterval effect = intervals.of(sums, k);
    Estimator estimator = design.estimator;
    int incumbent = runSettings.control();
    double clipped =
        Math.max(
            estimates.reward().clipped()[k],
            Math.max(estimates.forward().clipped()[k], estimates.backward().clipped()[k]));
    return new ArmFinding(
        k,
        estimates.reward(k),
        estimates.forward(k),
        estimates.backward(k),
        estimates.reward().normalizer()[k],
        estimates.forward().normalizer()[k],
        estimates.backward().normalizer()[k],
        estimator.reward().clip(k, incumbent, l),
        estimator.ofPrime().clip(k, incumbent, l),
        estimator.ofS().clip(k, incumbent, l),
        clipped,
        effect.lower(),
        effect.upper());
  }

  TerminalRecord end(
      SearchProgress searchProgress,
      SearchVerdict searchVerdict,
      Conclusion conclusion,
      Estimates estimates,
      SampleSums sums) {
    return conclusion instanceof BestFairArm found
        ? found(searchProgress, searchVerdict, found, estimates, sums)
        : none(searchProgress, searchVerdict, (NoFairArm) conclusion, estimates, sums);
  }

  private TerminalRecord found(
      SearchProgress searchProgress,
      SearchVerdict searchVerdict,
      BestFairArm found,
      Estimates estimates,
      SampleSums sums) {
    Phase phase = searchVerdict.phase();
    double bound = design.settings().bound();
    ArmFinding finding = finding(found.arm(), phase.l(), estimates, sums);
    double estimate = Math.max(Math.abs(finding.forward()), Math.abs(finding.backward()));
    double farthest = Math.max(phase.effectBand() + estimate, finding.effect().reach());
    boolean isCertified = searchVerdict.fair().get(found.arm()) && finding.effect().isWithin(bound);
    BitSet others = (BitSet) searchVerdict.fair().clone();
    others.clear(found.arm());
    int runnerUp = new PhaseTests(estimates, phase, bound).leader(others);
    return new TerminalRecord.BestFairArm(
        finding,
        phase,
        found.by(),
        isCertified ? bound - farthest : Double.NaN,
        design.settings().delta(),
        isCertified ? AuditGuarantee.ANYTIME : AuditGuarantee.NONE,
        runnerUp,
        runnerUp < 0 ? Double.NaN : estimates.reward(runnerUp),
        searchProgress.pulls,
        searchProgress.costSpent);
  }

  /** Arms that were dropped for their reward may be fair, so the proof is of all. */
  private TerminalRecord none(
      SearchProgress searchProgress,
      SearchVerdict searchVerdict,
      NoFairArm none,
      Estimates estimates,
      SampleSums sums) {
    BitSet arms = design.arms();
    boolean isProved =
        none.isEachBeyond()
            && arms.stream()
                .allMatch(k -> intervals.of(sums, k).isBeyond(design.settings().bound()));
    return new TerminalRecord.NoFairArm(
        isProved,
        design.settings().delta(),
        isProved ? AuditGuarantee.ANYTIME : AuditGuarantee.NONE,
        searchVerdict.phase(),
        findings(searchVerdict.before(), searchVerdict.phase(), estimates, sums),
        searchProgress.pulls,
        searchProgress.costSpent);
  }

  /**
   * Hashes everything that an experiment's answer depends on but the samples: algorithm, mode, T,
   * E, costs, budget, the model's tables, and how it is run.
   */
  private static final class ConfigHash {
    private final MessageDigest digest = Sha256.begin();

    private ConfigHash() {}

    static String of(Design design, RunSettings runSettings) {
      ConfigHash hash = new ConfigHash();
      Design.Settings settings = design.settings();
      hash.add(settings.algorithm().wire()).add(settings.mode().wire());
      hash.add(settings.fairness().wire()).add(settings.samples()).add(settings.bound());
      hash.add(settings.delta());
      hash.add(design.costs().budget());
      CsrModel model = design.model();
      hash.add(model.arms()).add(model.cells()).add(model.levels());
      for (int arm = 0; arm < model.arms(); arm++) {
        hash.add(design.costs().of(arm));
      }
      for (int z = 0; z < model.cells(); z++) {
        hash.add(model.forward[z]);
        for (int group = 0; group < 2; group++) {
          hash.add(model.share(group) * model.law(group, z));
        }
        for (int arm = 0; arm < model.arms(); arm++) {
          for (int v = 0; v < model.levels(); v++) {
            hash.add(model.probability(arm, z, v));
          }
        }
      }
      hash.add(runSettings.key()).add(runSettings.version()).add(Long.toString(runSettings.seed()));
      hash.add(runSettings.control()).add(Long.toString(runSettings.windowMillis()));
      hash.add(runSettings.defaultReward().orElse(-1)).add(runSettings.minClosedFraction());
      return HexFormat.of().formatHex(hash.digest.digest());
    }

    /** Returns the hash of a state's sums. */
    static String of(SampleSums sums) {
      return Sha256.hex(sums.toBytes());
    }

    private ConfigHash add(double number) {
      digest.update(ByteBuffer.allocate(Double.BYTES).putDouble(0, number));
      return this;
    }

    private ConfigHash add(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      add(bytes.length);
      digest.update(bytes);
      return this;
    }
  }
}
