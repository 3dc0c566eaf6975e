package io.equipoise.policy.bestarm;

import io.equipoise.event.AuditGuarantee;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Takes the steps of an experiment one by one: draws a sample for a context, settles it, closes a
 * phase that is done. The caller remembers the decisions. Immutable.
 */
final class ExperimentSteps {
  final Design design;
  final RunSettings runSettings;
  private final ExperimentRecorder experimentRecorder;
  private final boolean keepsBins;

  /** Takes the sums that need less memory. */
  ExperimentSteps(Design design, RunSettings runSettings) {
    this(
        design,
        runSettings,
        cells(design.model()) > design.model().arms() * design.greatestPhase());
  }

  ExperimentSteps(Design design, RunSettings runSettings, boolean keepsBins) {
    this.design = design;
    this.runSettings = runSettings;
    this.keepsBins = keepsBins;
    experimentRecorder = new ExperimentRecorder(design, runSettings);
    int arms = design.model().arms();
    if (runSettings.control() < 0 || runSettings.control() >= arms) {
      throw new IllegalArgumentException(
          "the incumbent is arm " + runSettings.control() + " of " + arms);
    }
    if (runSettings.isGraceful() && !design.settings().algorithm().isCumulative) {
      throw new IllegalArgumentException(
          design.settings().algorithm().wire()
              + " forgets earlier phases, so it must wait for all windows of a phase");
    }
  }

  private static int cells(CsrModel model) {
    return 2 * model.cells() * model.levels();
  }

  String configHash() {
    return experimentRecorder.configHash;
  }

  /** Returns the state before the first event: the first phase is open. */
  SearchProgress begin() {
    BitSet arms = design.arms();
    return new SearchProgress(open(0, arms), arms, runSettings.control());
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
   * Returns whether someone can be a sample. One without a cell has no weight; pooled rewards are
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
  int draw(SearchProgress searchProgress, int group, int cell, double u) {
    int drawn = isUsable(group, cell) ? searchProgress.open.draw(group, u) : Urn.NOT_SAMPLED;
    if (drawn == Urn.NOT_SAMPLED) {
      hold(searchProgress);
      return drawn;
    }
    searchProgress.pulls++;
    searchProgress.costSpent += design.costs().of(drawn % design.model().arms());
    searchProgress.decisions++;
    return drawn;
  }

  /** Takes one pull out of the urn, and says whether there was one left. */
  boolean take(SearchProgress searchProgress, int type, int arm) {
    if (!searchProgress.open.take(type, arm)) {
      return false;
    }
    searchProgress.pulls++;
    searchProgress.costSpent += design.costs().of(arm);
    searchProgress.decisions++;
    return true;
  }

  /** Counts a decision that is no sample. */
  void hold(SearchProgress searchProgress) {
    searchProgress.open.count(searchProgress.open.counters().plusNotSampled());
    searchProgress.decisions++;
  }

  /** Settles a pull of a phase that brings no sample; does nothing once the experiment is over. */
  void miss(SearchProgress searchProgress, int phase) {
    if (!searchProgress.isOver) {
      OpenPhase open = searchProgress.open;
      leave(open, phase);
      open.count(open.counters().plusMissing());
    }
  }

  /** Settles a pull of a phase that is a sample; does nothing once the experiment is over. */
  void count(SearchProgress searchProgress, SampleSums sums, int phase, Sample sample) {
    if (searchProgress.isOver) {
      return;
    }
    OpenPhase open = searchProgress.open;
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

  /** Returns whether the open phase has given out its quota and waited enough. */
  boolean isDone(SearchProgress searchProgress) {
    Phase phase = searchProgress.open.phase();
    double mayBeAwaited =
        runSettings.isGraceful()
            ? Math.floor((1 - runSettings.minClosedFraction()) * phase.pulls())
            : 0;
    return !searchProgress.isOver && searchProgress.open.isDone(mayBeAwaited);
  }

  /** Checks the arms by the open phase, which is done, and opens the next one if there is one. */
  PhaseEnd close(SearchProgress searchProgress, SampleSums sums) {
    Phase phase = searchProgress.open.phase();
    Estimates estimates = design.estimate(phase, searchProgress.remaining, sums);
    SearchVerdict searchVerdict = design.close(phase, searchProgress.remaining, estimates);
    PhaseRecord record = experimentRecorder.phase(searchProgress, sums, searchVerdict, estimates);
    searchProgress.remaining = searchVerdict.after();
    Conclusion conclusion = searchVerdict.end().orElse(null);
    if (conclusion == null) {
      if (!design.settings().algorithm().isCumulative) {
        sums.clear();
      }
      searchProgress.open = open(phase.place() + 1, searchProgress.remaining);
      return new PhaseEnd(record, null);
    }
    searchProgress.isOver = true;
    TerminalRecord end =
        experimentRecorder.end(searchProgress, searchVerdict, conclusion, estimates, sums);
    if (end instanceof TerminalRecord.BestFairArm found) {
      searchProgress.served = found.finding().arm();
      searchProgress.isCertified = found.guarantee() == AuditGuarantee.ANYTIME;
    }
    return new PhaseEnd(record, end);
  }

  /**
   * Records what a pull brought.
   *
   * @param type the number of its {@link PullType}
   * @param level of V; with a reward of 0 any: such a sample adds to no weighted sum, only to how
   *     many there are
   */
  record Sample(int type, int group, int arm, int cell, int level, double reward) {}

  /**
   * Records what the end of a phase brought.
   *
   * @param end of the experiment, null if it goes on
   */
  record PhaseEnd(PhaseRecord phase, @Nullable TerminalRecord end) {}
}
