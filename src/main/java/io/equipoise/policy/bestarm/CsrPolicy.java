package io.equipoise.policy.bestarm;

import io.equipoise.event.DecisionReason;
import io.equipoise.event.ExperimentDesign;
import io.equipoise.event.PropensityKind;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.Choice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.PhasedPolicy;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PublishedChoice;
import io.equipoise.policy.Request;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.UnusableRequestException;
import io.equipoise.policy.bestarm.ExperimentSteps.PhaseEnd;
import io.equipoise.policy.bestarm.ExperimentSteps.Sample;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides by a search for the best fair arm in a segment of the streaming job, one experiment a
 * segment.
 *
 * <p>Keys of blocks: 0 the progress, 1 the sums. The decision takes a pull out of the urn, its
 * reward is counted once, and whoever keeps the log {@linkplain #closePhase closes} a phase as soon
 * as each of its pulls, or the share that the spec asks for, has its reward, its default or none.
 * So a phase lasts at most until the window of its last pull has closed, and which pulls count
 * depends on no reward's size or speed: a spec that asks for less than all lets rewards count at
 * the end of their windows only, and those that are left count in a later phase.
 */
public final class CsrPolicy implements PhasedPolicy {
  private static final long SUMS = 1;

  private final SegmentSpec spec;
  private final ExperimentSteps steps;
  private final SearchStrata searchStrata;
  private final int intervened;
  private final String fingerprint;
  private final boolean isAborted;
  private final PublishedSearch published;

  private CsrPolicy(SegmentSpec spec, CsrCompilation.Compiled compiled) {
    this.spec = spec;
    steps = compiled.steps();
    searchStrata = compiled.strata();
    intervened = compiled.intervened();
    fingerprint = compiled.fingerprint();
    isAborted = ExperimentSpec.of(spec).abort() != null;
    published = new PublishedSearch(spec, steps.design);
  }

  /**
   * Compiles a spec.
   *
   * @throws io.equipoise.segmentspec.SpecException with all faults: a graph without a root S or a
   *     variable that the arms set, distributions that are not known, a bound that no arm can pass
   */
  public static CsrPolicy compile(SegmentSpec spec) {
    return new CsrPolicy(spec, new CsrCompilation(spec).compiled());
  }

  /** Returns what is searched, and how. */
  public Design design() {
    return steps.design;
  }

  @Override
  public ExperimentDesign experiment() {
    return published.design();
  }

  @Override
  public boolean isAborted() {
    return isAborted;
  }

  @Override
  public AuditedChoice decide(
      ModelState modelState,
      Request request,
      long t,
      SeededRandom seededRandom,
      ClippedIndex clip,
      @Nullable PublishedChoice given) {
    SearchProgress searchProgress = progress(modelState);
    if (given != null) {
      return reapplied(modelState, searchProgress, request.person().levels(), given);
    }
    int arms = design().model().arms();
    if (searchProgress.isOver) {
      double[] one = new double[arms];
      one[searchProgress.served] = 1;
      return new AuditedChoice(
          choice(
              searchProgress.served, DecisionReason.RECOMMENDED, one, searchProgress.isCertified),
          List.of());
    }
    int[] person = request.person().levels();
    int group = searchStrata.group(person);
    int cell = searchStrata.cell(person);
    int incumbent = steps.runSettings.control();
    double[] propensities = propensities(searchProgress, group, cell);
    int phase = searchProgress.open.phase().place();
    int drawn =
        steps.draw(searchProgress, group, cell, seededRandom.uniform(SeededRandom.Purpose.URN));
    modelState.put(PROGRESS, ExperimentBlock.of(searchProgress));
    if (drawn == Urn.NOT_SAMPLED) {
      return new AuditedChoice(
          choice(incumbent, DecisionReason.NOT_SAMPLED, propensities, false), List.of());
    }
    return new AuditedChoice(
        choice(drawn % arms, DecisionReason.SAMPLE, propensities, false),
        List.of(),
        List.of(),
        new AuditedChoice.Sample(phase, drawn / arms));
  }

  /**
   * Takes the pull that was shown out of the urn if the same phase is open and has one left. Else
   * the decision is no sample: a phase whose pulls have all been given out takes no more.
   */
  private AuditedChoice reapplied(
      ModelState modelState, SearchProgress searchProgress, int[] person, PublishedChoice given) {
    Choice choice = given.choice();
    AuditedChoice.Sample sample = given.sample();
    if (searchProgress.isOver) {
      return new AuditedChoice(choice.because(DecisionReason.RECOMMENDED), List.of());
    }
    boolean isTaken =
        sample != null
            && sample.phase() == searchProgress.open.phase().place()
            && steps.isUsable(searchStrata.group(person), searchStrata.cell(person))
            && steps.take(searchProgress, sample.type(), choice.arm());
    if (!isTaken) {
      steps.hold(searchProgress);
    }
    modelState.put(PROGRESS, ExperimentBlock.of(searchProgress));
    return isTaken
        ? new AuditedChoice(choice, List.of(), List.of(), sample)
        : new AuditedChoice(choice.because(DecisionReason.NOT_SAMPLED), List.of());
  }

  private double[] propensities(SearchProgress searchProgress, int group, int cell) {
    int incumbent = steps.runSettings.control();
    if (steps.isUsable(group, cell)) {
      return searchProgress.open.propensities(group, incumbent);
    }
    double[] held = new double[design().model().arms()];
    held[incumbent] = 1;
    return held;
  }

  /** A search has no index: nothing is compared at a decision. */
  private static Choice choice(
      int arm, DecisionReason reason, double[] propensities, boolean isCertified) {
    boolean isSure = propensities[arm] == 1;
    return new Choice(
        arm,
        reason,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        isSure ? PropensityKind.DETERMINISTIC : PropensityKind.EXACT,
        0,
        propensities,
        isCertified,
        -1,
        null,
        false);
  }

  private SearchProgress progress(ModelState modelState) {
    if (modelState.get(PROGRESS) instanceof ExperimentBlock stored) {
      return stored.progress(design());
    }
    SearchProgress begun = steps.begin();
    begun.isOver = isAborted;
    return begun;
  }

  private SampleSums sums(ModelState modelState) {
    StateBlock stored = modelState.get(SUMS);
    return stored == null ? steps.emptySums() : ((ExperimentBlock) stored).sums(design());
  }

  /**
   * The type of a pull; natural ones, the only ones in most experiments, need no room. Its phase
   * too where that may be over before the pull is settled.
   */
  @Override
  public double[] inputs(Request request, AuditedChoice audited) {
    AuditedChoice.Sample sample = audited.sample();
    if (sample != null && steps.runSettings.isGraceful()) {
      return new double[] {sample.type(), sample.phase()};
    }
    return sample == null || sample.type() == 0 ? NO_INPUTS : new double[] {sample.type()};
  }

  private static int type(double[] inputs) {
    return inputs.length == 0 ? 0 : (int) inputs[0];
  }

  private static int phase(SearchProgress searchProgress, double[] inputs) {
    return inputs.length < 2 ? searchProgress.open.phase().place() : (int) inputs[1];
  }

  /**
   * Counts a reward. One of 0 needs no level of V: it adds to no weighted sum, only to how many
   * samples there are.
   */
  @Override
  public void learn(ModelState modelState, Experience experience, long t) {
    int[] person = experience.person();
    int cell = searchStrata.cell(person);
    double reward = experience.reward();
    int observed =
        intervened < experience.mediators().length ? experience.mediators()[intervened] : -1;
    int level = observed < 0 && reward == 0 ? possible(experience.arm(), cell) : observed;
    String fault = fault(experience.arm(), cell, level, reward);
    if (fault != null) {
      throw new UnusableRequestException(fault);
    }
    SearchProgress searchProgress = progress(modelState);
    SampleSums sums = sums(modelState);
    steps.count(
        searchProgress,
        sums,
        phase(searchProgress, experience.inputs()),
        new Sample(
            type(experience.inputs()),
            searchStrata.group(person),
            experience.arm(),
            cell,
            level,
            reward));
    modelState.put(PROGRESS, ExperimentBlock.of(searchProgress));
    modelState.put(SUMS, ExperimentBlock.of(sums));
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
    return RunSettings.isReward(reward) ? null : "the reward must be in [0, 1], not " + reward;
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
  public void lose(ModelState modelState, double[] inputs) {
    SearchProgress searchProgress = progress(modelState);
    steps.miss(searchProgress, phase(searchProgress, inputs));
    modelState.put(PROGRESS, ExperimentBlock.of(searchProgress));
  }

  @Override
  public @Nullable ClosedPhase closePhase(
      ModelState modelState, long rewardsLate, long rewardsDuplicate) {
    SearchProgress searchProgress = progress(modelState);
    if (!steps.isDone(searchProgress)) {
      return null;
    }
    SampleSums sums = sums(modelState);
    PhaseEnd end = steps.close(searchProgress, sums);
    modelState.put(PROGRESS, ExperimentBlock.of(searchProgress));
    modelState.put(SUMS, ExperimentBlock.of(sums));
    TerminalRecord terminal = end.end();
    return new ClosedPhase(
        published.audit(end.phase(), rewardsLate, rewardsDuplicate),
        terminal == null ? null : published.audit(terminal));
  }

  /** Ends the experiment if the spec says so; all else goes on. */
  @Override
  public List<String> succeed(@Nullable Policy before, ModelState modelState) {
    if (isAborted
        && modelState.get(PROGRESS) instanceof ExperimentBlock stored
        && stored.isRunning()) {
      stored.abort();
      modelState.put(PROGRESS, stored);
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
    return RunSettings.isReward(reward)
        ? null
        : spec.policy().name().wire() + " takes rewards from 0 to 1 only";
  }

  /** At most: every arm sampled for every purpose, in every group. */
  @Override
  public double modelBytes() {
    SearchProgress begun = steps.begin();
    return 2.0 * Long.BYTES + begun.byteLength() + steps.emptySums().greatestLength(design());
  }

  @Override
  public String refusalOfArms() {
    return "an experiment compares the arms that it started with; publish a new experiment";
  }

  @Override
  public String dependsOn() {
    return "the design of the experiment; publish a new experiment";
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (steps.runSettings.defaultReward().isEmpty()) {
      warnings.add(
          "with join.shown confirmed a sample without a reward is left out: the answer and its"
              + " certificate are biased if those who stay silent differ from the others");
    }
    if (!design().settings().algorithm().isCumulative) {
      warnings.add(
          spec.policy().name().wire()
              + " checks each phase by its own samples; it is for comparison, csr-v2 is for use");
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
