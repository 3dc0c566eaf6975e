package io.equipoise.bandit.csr;

import io.equipoise.bandit.csr.Conclusion.BestFairArm;
import io.equipoise.bandit.csr.Conclusion.NoFairArm;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Writes the records of one experiment. */
final class Audit {
  private final Design design;
  private final Conduct conduct;
  private final String configHash;

  Audit(Design design, Conduct conduct) {
    this.design = design;
    this.conduct = conduct;
    configHash = ConfigHash.of(design, conduct);
  }

  String configHash() {
    return configHash;
  }

  PhaseRecord phase(Progress progress, SampleSums sums, Verdict verdict, Estimates estimates) {
    Design.Settings settings = design.settings();
    Allocation allocation = progress.open.allocation();
    long[] arrived = new long[settings.mode().types()];
    for (int type = 0; type < arrived.length; type++) {
      arrived[type] = sums.arrived(type);
    }
    return new PhaseRecord(
        conduct.key(),
        conduct.version(),
        settings.algorithm(),
        settings.mode(),
        settings.fairness(),
        verdict,
        design.plan().size(),
        settings.samples(),
        settings.bound(),
        allocation,
        design.quota(verdict.phase(), allocation),
        arrived,
        progress.open.counters(),
        progress.costSpent,
        findings(verdict, estimates),
        configHash,
        ConfigHash.of(sums));
  }

  private List<ArmFinding> findings(Verdict verdict, Estimates estimates) {
    List<ArmFinding> findings = new ArrayList<>();
    BitSet arms = verdict.before();
    for (int k = arms.nextSetBit(0); k >= 0; k = arms.nextSetBit(k + 1)) {
      findings.add(finding(k, verdict.phase().l(), estimates));
    }
    return findings;
  }

  private ArmFinding finding(int k, int l, Estimates estimates) {
    Estimator estimator = design.estimator();
    int incumbent = conduct.incumbent();
    double clipped =
        Math.max(
            estimates.reward().clipped()[k],
            Math.max(estimates.forward().clipped()[k], estimates.backward().clipped()[k]));
    return new ArmFinding(
        k,
        estimates.reward(k),
        estimates.forward(k),
        estimates.backward(k),
        estimates.reward().normaliser()[k],
        estimates.forward().normaliser()[k],
        estimates.backward().normaliser()[k],
        estimator.reward().clip(k, incumbent, l),
        estimator.ofPrime().clip(k, incumbent, l),
        estimator.ofS().clip(k, incumbent, l),
        clipped);
  }

  TerminalRecord end(
      Progress progress, Verdict verdict, Conclusion conclusion, Estimates estimates) {
    Phase phase = verdict.phase();
    if (conclusion instanceof BestFairArm found) {
      ArmFinding finding = finding(found.arm(), phase.l(), estimates);
      double effect = Math.max(Math.abs(finding.forward()), Math.abs(finding.backward()));
      boolean isCertified = verdict.fair().get(found.arm());
      BitSet others = (BitSet) verdict.fair().clone();
      others.clear(found.arm());
      int runnerUp = new Judgement(estimates, phase, design.settings().bound()).leader(others);
      return new TerminalRecord.BestFairArm(
          conduct.key(),
          conduct.version(),
          finding,
          phase,
          found.by(),
          isCertified ? design.settings().bound() - phase.effectBand() - effect : Double.NaN,
          runnerUp,
          runnerUp < 0 ? Double.NaN : estimates.reward(runnerUp),
          progress.pulls,
          progress.costSpent);
    }
    return new TerminalRecord.NoFairArm(
        conduct.key(),
        conduct.version(),
        ((NoFairArm) conclusion).isProved(),
        phase,
        findings(verdict, estimates),
        progress.pulls,
        progress.costSpent);
  }

  TerminalRecord aborted(Progress progress, String reason) {
    return new TerminalRecord.Aborted(
        conduct.key(), conduct.version(), reason, progress.pulls, progress.costSpent);
  }
}
