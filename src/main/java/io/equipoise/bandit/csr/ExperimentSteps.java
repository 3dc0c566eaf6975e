package io.equipoise.bandit.csr;

import io.equipoise.fairness.Guarantee;
import java.util.BitSet;

/**
 * The steps of an experiment, one by one: draw a sample for a context, settle it, close a phase
 * that is done. The caller remembers the decisions. Immutable.
 */
final class ExperimentSteps {
  private final Design design;
  private final Conduct conduct;
  private final Audit audit;
  private final boolean keepsBins;

  /** Takes the sums that need less memory. */
  ExperimentSteps(Design design, Conduct conduct) {
    this(design, conduct, cells(design.model()) > design.model().arms() * design.greatestPhase());
  }

  ExperimentSteps(Design design, Conduct conduct, boolean keepsBins) {
    this.design = design;
    this.conduct = conduct;
    this.keepsBins = keepsBins;
    audit = new Audit(design, conduct);
    int arms = design.model().arms();
    if (conduct.control() < 0 || conduct.control() >= arms) {
      throw new IllegalArgumentException(
          "the incumbent is arm " + conduct.control() + " of " + arms);
    }
    if (conduct.isGraceful() && !design.settings().algorithm().isCumulative()) {
      throw new IllegalArgumentException(
          design.settings().algorithm().wire()
              + " forgets earlier phases, so it must wait for all windows of a phase");
    }
  }

  private static int cells(CsrModel model) {
    return 2 * model.cells() * model.levels();
  }

  Design design() {
    return design;
  }

  Conduct conduct() {
    return conduct;
  }

  String configHash() {
    return audit.configHash();
  }

  /** Returns the state before the first event: the first phase is open. */
  Progress begin() {
    BitSet arms = design.arms();
    return new Progress(open(0, arms), arms, conduct.control());
  }

  /** Returns sums without a sample. */
  SampleSums emptySums() {
    return keepsBins
        ? new PrefixBins(design.channels(), design.greatestPhase())
        : new CellCounts(design.channels());
  }

  private OpenPhase open(int place, BitSet remaining) {
    Phase phase = design.plan().get(place);
    Allocation allocation = design.allocate(phase, remaining);
    return new OpenPhase(phase, allocation, design.quota(phase, allocation));
  }

  /**
   * Says whether someone can be a sample. One without a cell has no weight; pooled rewards are
   * stratified by the group.
   */
  boolean isUsable(int group, int cell) {
    boolean needsGroup = design.settings().mode() == Mode.POOLED;
    return cell >= 0 && !(needsGroup && group == CsrModel.UNKNOWN_GROUP);
  }

  /**
   * Takes a pull out of the urn for someone, or holds; the experiment must not be over.
   *
   * @param u uniform in [0, 1)
   * @return type * arms + arm, or {@link Urn#NOT_SAMPLED}
   */
  int draw(Progress progress, int group, int cell, double u) {
    int drawn = isUsable(group, cell) ? progress.open.draw(group, u) : Urn.NOT_SAMPLED;
    if (drawn == Urn.NOT_SAMPLED) {
      hold(progress);
      return drawn;
    }
    progress.pulls++;
    progress.costSpent += design.costs().of(drawn % design.model().arms());
    progress.decisions++;
    return drawn;
  }

  /** Takes one pull out of the urn, and says whether there was one left. */
  boolean take(Progress progress, int type, int arm) {
    if (!progress.open.take(type, arm)) {
      return false;
    }
    progress.pulls++;
    progress.costSpent += design.costs().of(arm);
    progress.decisions++;
    return true;
  }

  /** Counts a decision that is no sample. */
  void hold(Progress progress) {
    progress.open.count(progress.open.counters().plusNotSampled());
    progress.decisions++;
  }

  /** Settles a pull of a phase that brings no sample; does nothing once the experiment is over. */
  void miss(Progress progress, int phase) {
    if (!progress.isOver) {
      OpenPhase open = progress.open;
      leave(open, phase);
      open.count(open.counters().plusMissing());
    }
  }

  /** Settles a pull of a phase that is a sample; does nothing once the experiment is over. */
  void count(Progress progress, SampleSums sums, int phase, Sample sample) {
    if (progress.isOver) {
      return;
    }
    OpenPhase open = progress.open;
    boolean isLate = leave(open, phase);
    sums.add(
        sample.type(),
        sample.group(),
        sample.arm(),
        sample.cell(),
        sample.level(),
        sample.reward());
    open.count(isLate ? open.counters().plusLate() : open.counters());
  }

  private static boolean leave(OpenPhase open, int phase) {
    boolean isLate = phase != open.phase().place();
    if (!isLate) {
      open.settle();
    }
    return isLate;
  }

  /** Says whether the open phase has given out its quota and waited enough. */
  boolean isDone(Progress progress) {
    Phase phase = progress.open.phase();
    double mayBeAwaited =
        conduct.isGraceful() ? Math.floor((1 - conduct.minClosedFraction()) * phase.pulls()) : 0;
    return !progress.isOver && progress.open.isDone(mayBeAwaited);
  }

  /** Judges the arms by the open phase, which is done, and opens the next one if there is one. */
  PhaseEnd close(Progress progress, SampleSums sums) {
    Phase phase = progress.open.phase();
    Estimates estimates = design.estimate(phase, progress.remaining, sums);
    Verdict verdict = design.close(phase, progress.remaining, estimates);
    PhaseRecord record = audit.phase(progress, sums, verdict, estimates);
    progress.remaining = verdict.after();
    Conclusion conclusion = verdict.end().orElse(null);
    if (conclusion == null) {
      if (!design.settings().algorithm().isCumulative()) {
        sums.clear();
      }
      progress.open = open(phase.place() + 1, progress.remaining);
      return new PhaseEnd(record, null);
    }
    progress.isOver = true;
    TerminalRecord end = audit.end(progress, verdict, conclusion, estimates, sums);
    if (end instanceof TerminalRecord.BestFairArm found) {
      progress.served = found.finding().arm();
      progress.isCertified = found.guarantee() == Guarantee.ANYTIME;
    }
    return new PhaseEnd(record, end);
  }

  /**
   * What a pull brought.
   *
   * @param type the number of its {@link PullType}
   * @param level of V; with a reward of 0 any: such a sample adds to no weighted sum, only to how
   *     many there are
   */
  record Sample(int type, int group, int arm, int cell, int level, double reward) {}
}
