package io.equipoise.bandit.csr;

import io.equipoise.bandit.AuditedChoice;
import io.equipoise.bandit.Bandit;
import io.equipoise.bandit.Block;
import io.equipoise.bandit.Blocks;
import io.equipoise.bandit.CausalBoundTable;
import io.equipoise.bandit.Choice;
import io.equipoise.bandit.ChoiceReason;
import io.equipoise.bandit.ClippedIndex;
import io.equipoise.bandit.Draw;
import io.equipoise.bandit.Experience;
import io.equipoise.bandit.PropensityKind;
import io.equipoise.bandit.Refutation;
import io.equipoise.bandit.Request;
import io.equipoise.bandit.Shown;
import io.equipoise.bandit.UnusableRequestException;
import io.equipoise.bandit.csr.ExperimentSteps.Sample;
import io.equipoise.spec.SegmentSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides by a search for the best fair arm in a segment of the streaming job, one experiment a
 * segment.
 *
 * <p>Keys of blocks: 0 the progress, 1 the sums. The decision takes a pull out of the urn, its
 * reward is counted once, and whoever keeps the log {@linkplain #close closes} a phase as soon as
 * each of its pulls, or the share that the spec asks for, has its reward, its default or none. So a
 * phase lasts at most until the window of its last pull has closed, and which pulls count depends
 * on no reward's size or speed: a spec that asks for less than all lets rewards count at the end of
 * their windows only, and those that are left count in a later phase.
 */
public final class CsrBandit implements Bandit {
  /** The key of the block that says how far the experiment has come. */
  public static final long PROGRESS = 0;

  private static final long SUMS = 1;

  private final SegmentSpec spec;
  private final ExperimentSteps steps;
  private final Strata strata;
  private final int intervened;
  private final String fingerprint;
  private final boolean isAborted;

  private CsrBandit(SegmentSpec spec, CsrCompilation.Compiled compiled) {
    this.spec = spec;
    steps = compiled.steps();
    strata = compiled.strata();
    intervened = compiled.intervened();
    fingerprint = compiled.fingerprint();
    isAborted = abortReason() != null;
  }

  /**
   * Compiles a spec.
   *
   * @throws io.equipoise.spec.SpecException with all faults: a graph without a root S or a variable
   *     that the arms set, distributions that are not known, a bound that no arm can pass
   */
  public static CsrBandit compile(SegmentSpec spec) {
    return new CsrBandit(spec, new CsrCompilation(spec).compiled());
  }

  /** Returns what is searched, and how. */
  public Design design() {
    return steps.design();
  }

  /** Returns why the spec ends the experiment, null if it runs it. */
  public @Nullable String abortReason() {
    return spec.policy().experiment() == null ? null : spec.policy().experiment().abort();
  }

  @Override
  public AuditedChoice decide(
      Blocks blocks, Request request, long t, Draw draw, ClippedIndex clip) {
    Progress progress = progress(blocks);
    int arms = design().model().arms();
    if (progress.isOver) {
      double[] one = new double[arms];
      one[progress.served] = 1;
      return new AuditedChoice(
          choice(progress.served, ChoiceReason.RECOMMENDED, one, progress.isCertified), List.of());
    }
    int[] person = request.person().levels();
    int group = strata.group(person);
    int cell = strata.cell(person);
    int incumbent = steps.conduct().control();
    double[] propensities = propensities(progress, group, cell);
    int phase = progress.open.phase().place();
    int drawn = steps.draw(progress, group, cell, draw.uniform(Draw.Purpose.URN));
    blocks.put(PROGRESS, ExperimentBlock.of(progress));
    if (drawn == Urn.NOT_SAMPLED) {
      return new AuditedChoice(
          choice(incumbent, ChoiceReason.NOT_SAMPLED, propensities, false), List.of());
    }
    return new AuditedChoice(
        choice(drawn % arms, ChoiceReason.SAMPLE, propensities, false),
        List.of(),
        List.of(),
        new AuditedChoice.Sample(phase, drawn / arms));
  }

  /**
   * Takes the pull that was shown out of the urn if the same phase is open and has one left. Else
   * the decision is no sample: a phase whose pulls have all been given out takes no more.
   */
  @Override
  public AuditedChoice recall(
      Blocks blocks, Request request, Shown shown, long t, Draw draw, ClippedIndex clip) {
    Progress progress = progress(blocks);
    Choice choice = shown.choice();
    AuditedChoice.Sample sample = shown.sample();
    if (progress.isOver) {
      return new AuditedChoice(choice.because(ChoiceReason.RECOMMENDED), List.of());
    }
    int[] person = request.person().levels();
    boolean isTaken =
        sample != null
            && sample.phase() == progress.open.phase().place()
            && steps.isUsable(strata.group(person), strata.cell(person))
            && steps.take(progress, sample.type(), choice.arm());
    if (!isTaken) {
      steps.hold(progress);
    }
    blocks.put(PROGRESS, ExperimentBlock.of(progress));
    return isTaken
        ? new AuditedChoice(choice, List.of(), List.of(), sample)
        : new AuditedChoice(choice.because(ChoiceReason.NOT_SAMPLED), List.of());
  }

  private double[] propensities(Progress progress, int group, int cell) {
    int incumbent = steps.conduct().control();
    if (steps.isUsable(group, cell)) {
      return progress.open.propensities(group, incumbent);
    }
    double[] held = new double[design().model().arms()];
    held[incumbent] = 1;
    return held;
  }

  /** A search has no index: nothing is compared at a decision. */
  private static Choice choice(
      int arm, ChoiceReason reason, double[] propensities, boolean isCertified) {
    boolean isSure = propensities[arm] == 1;
    return new Choice(
        arm,
        reason,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        isSure ? PropensityKind.DETERMINISTIC : PropensityKind.EXACT,
        propensities,
        isCertified,
        -1,
        null,
        false);
  }

  private Progress progress(Blocks blocks) {
    if (blocks.get(PROGRESS) instanceof ExperimentBlock stored) {
      return stored.progress(design());
    }
    Progress begun = steps.begin();
    begun.isOver = isAborted;
    return begun;
  }

  private SampleSums sums(Blocks blocks) {
    Block stored = blocks.get(SUMS);
    return stored == null ? steps.emptySums() : ((ExperimentBlock) stored).sums(design());
  }

  /**
   * The type of a pull; natural ones, the only ones in most experiments, need no room. Its phase
   * too where that may be over before the pull is settled.
   */
  @Override
  public double[] inputs(Request request, AuditedChoice audited) {
    AuditedChoice.Sample sample = audited.sample();
    if (sample != null && steps.conduct().isGraceful()) {
      return new double[] {sample.type(), sample.phase()};
    }
    return sample == null || sample.type() == 0 ? NO_INPUTS : new double[] {sample.type()};
  }

  private static int type(double[] inputs) {
    return inputs.length == 0 ? 0 : (int) inputs[0];
  }

  private static int phase(Progress progress, double[] inputs) {
    return inputs.length < 2 ? progress.open.phase().place() : (int) inputs[1];
  }

  /**
   * Counts a reward. One of 0 needs no level of V: it adds to no weighted sum, only to how many
   * samples there are.
   */
  @Override
  public void learn(Blocks blocks, Experience experience, long t) {
    int[] person = experience.person();
    int cell = strata.cell(person);
    double reward = experience.reward();
    int observed =
        intervened < experience.mediators().length ? experience.mediators()[intervened] : -1;
    int level = observed < 0 && reward == 0 ? possible(experience.arm(), cell) : observed;
    String fault = fault(experience.arm(), cell, level, reward);
    if (fault != null) {
      throw new UnusableRequestException(fault);
    }
    Progress progress = progress(blocks);
    SampleSums sums = sums(blocks);
    steps.count(
        progress,
        sums,
        phase(progress, experience.inputs()),
        new Sample(
            type(experience.inputs()),
            strata.group(person),
            experience.arm(),
            cell,
            level,
            reward));
    blocks.put(PROGRESS, ExperimentBlock.of(progress));
    blocks.put(SUMS, ExperimentBlock.of(sums));
  }

  /** Returns why a sample of an arm in a cell cannot be counted; null if it can. */
  private @Nullable String fault(int arm, int cell, int level, double reward) {
    CsrModel model = design().model();
    if (level < 0 || level >= model.levels()) {
      return level < 0 ? "the level of V was not observed" : "V has no level number " + level;
    }
    if (model.probability(arm, cell, level) == 0) {
      return "arm " + arm + " never yields level " + level + " of V in its cell";
    }
    return Conduct.isReward(reward) ? null : "the reward must be in [0, 1], not " + reward;
  }

  /** Returns the first level that an arm may yield in a cell. */
  private int possible(int arm, int cell) {
    int level = 0;
    while (design().model().probability(arm, cell, level) == 0) {
      level++;
    }
    return level;
  }

  /** Books a pull as missing: its window closed without a reward, or there was no room for it. */
  @Override
  public void lose(Blocks blocks, double[] inputs) {
    Progress progress = progress(blocks);
    steps.miss(progress, phase(progress, inputs));
    blocks.put(PROGRESS, ExperimentBlock.of(progress));
  }

  /** Says whether the open phase can be closed. */
  public boolean isPhaseDone(Blocks blocks) {
    return steps.isDone(progress(blocks));
  }

  /**
   * Closes the open phase, which must be done: judges the arms, and opens the next phase or ends
   * the experiment.
   */
  public PhaseEnd close(Blocks blocks) {
    Progress progress = progress(blocks);
    if (!steps.isDone(progress)) {
      throw new IllegalStateException(
          "phase " + progress.open.phase().l() + " has pulls to give out or to wait for");
    }
    SampleSums sums = sums(blocks);
    PhaseEnd end = steps.close(progress, sums);
    blocks.put(PROGRESS, ExperimentBlock.of(progress));
    blocks.put(SUMS, ExperimentBlock.of(sums));
    return end;
  }

  /** Ends the experiment if the spec says so; all else goes on. */
  @Override
  public List<String> succeed(@Nullable Bandit before, Blocks blocks) {
    if (isAborted && blocks.get(PROGRESS) instanceof ExperimentBlock stored && stored.isRunning()) {
      stored.abort();
      blocks.put(PROGRESS, stored);
    }
    return List.of();
  }

  @Override
  public boolean canLearn(int[] mediators) {
    return intervened < mediators.length && mediators[intervened] >= 0;
  }

  /** See {@link #learn}: a reward of 0 needs no level of V. */
  @Override
  public boolean canLearnDefault(int[] mediators, double reward) {
    return reward == 0 || canLearn(mediators);
  }

  @Override
  public List<String> mediatorsNeeded() {
    return List.of(spec.variables().mediators().get(intervened).name());
  }

  @Override
  public String needsOfMediators() {
    return "the reward of a sample must bring the level of "
        + spec.variables().mediators().get(intervened).name()
        + ", which the arm set";
  }

  @Override
  public @Nullable String refusalOf(double reward) {
    return Conduct.isReward(reward)
        ? null
        : spec.policy().name().wire() + " takes rewards from 0 to 1 only";
  }

  /** Returns nothing: a search takes no causal bounds. */
  @Override
  public List<Refutation> refuted(
      Blocks blocks, Request request, long t, CausalBoundTable boundsTable, BitSet known) {
    return List.of();
  }

  /** At most: every arm sampled for every purpose, in every group. */
  @Override
  public double modelBytes() {
    Progress begun = steps.begin();
    return 2.0 * Long.BYTES + begun.byteLength() + steps.emptySums().greatestLength(design());
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (steps.conduct().defaultReward().isEmpty()) {
      warnings.add(
          "with join.shown confirmed a sample without a reward is left out: the answer and its"
              + " certificate are biased if those who stay silent differ from the others");
    }
    if (!design().settings().algorithm().isCumulative()) {
      warnings.add(
          spec.policy().name().wire()
              + " judges each phase by its own samples; it is for comparison, csr-v2 is for use");
    }
    if (design().settings().algorithm().isTwoStage()) {
      warnings.add(
          spec.policy().name().wire()
              + " certifies nothing: the arm that it finds need not be fair; csr-v2 certifies");
    }
    return warnings;
  }

  @Override
  public SegmentSpec spec() {
    return spec;
  }
}
