package io.equipoise.bandit.logistic;

import io.equipoise.bandit.AuditedChoice;
import io.equipoise.bandit.Bandit;
import io.equipoise.bandit.BetterPaid;
import io.equipoise.bandit.Block;
import io.equipoise.bandit.Blocks;
import io.equipoise.bandit.CausalBoundTable;
import io.equipoise.bandit.Choice;
import io.equipoise.bandit.ChoiceReason;
import io.equipoise.bandit.ClippedIndex;
import io.equipoise.bandit.Draw;
import io.equipoise.bandit.Experience;
import io.equipoise.bandit.LevelMap;
import io.equipoise.bandit.PropensityKind;
import io.equipoise.bandit.Refutation;
import io.equipoise.bandit.Request;
import io.equipoise.bandit.Shown;
import io.equipoise.bandit.UniformShare;
import io.equipoise.bandit.UnusableRequestException;
import io.equipoise.bandit.features.Profile;
import io.equipoise.bandit.features.RememberedInputs;
import io.equipoise.bandit.features.SeenAttributes;
import io.equipoise.bandit.features.UndisclosedWorlds;
import io.equipoise.bandit.logistic.DecisionAudit.Excluded;
import io.equipoise.spec.Aggregate;
import io.equipoise.spec.ExploreSpec;
import io.equipoise.spec.LogisticSpec;
import io.equipoise.spec.SegmentSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides by a logistic regression over the features of a person and an arm, in its streaming form:
 * the policies of Chen, Tian and Quinn 2025 and their kin in a segment of the streaming job.
 *
 * <p>Keys of blocks: 0 the model, 1 what the policy remembers, 2 the model of people who disclosed
 * all that the features show, from the first one on who did not: it audits. Dual variables move at
 * the decision, the model at the reward, in the order of arrival.
 */
public final class LogisticBandit implements Bandit {
  private static final long MODEL = 0;
  private static final long MEMORY = 1;
  private static final long COMPLETE = 2;

  private final SegmentSpec spec;
  private final LogisticSpec logistic;
  private final ExploreSpec explore;
  private final SeenAttributes seen;
  private final UndisclosedWorlds undisclosed;
  private final RequestEncoder encoder;
  private final RememberedInputs remembered;
  private final LogisticScale scale;
  private final LogisticPolicy policy;
  private final String fingerprint;

  private LogisticBandit(SegmentSpec spec, LogisticCompilation compilation) {
    this.spec = spec;
    logistic = Objects.requireNonNull(spec.policy().logistic());
    explore = logistic.explore();
    seen = compilation.attributes();
    undisclosed = UndisclosedWorlds.ofNonlinear(spec, logistic.features());
    encoder = new RequestEncoder(compilation.encoder(), seen, undisclosed, spec);
    remembered = new RememberedInputs(spec);
    scale = compilation.scale();
    policy = compilation.policy();
    fingerprint = compilation.fingerprint();
  }

  /**
   * Compiles a spec.
   *
   * @throws io.equipoise.spec.SpecException with all faults: too many features, a tau above 1, an
   *     epsilon that is not below its tau
   */
  public static LogisticBandit compile(SegmentSpec spec) {
    return new LogisticBandit(spec, new LogisticCompilation(spec));
  }

  @Override
  public AuditedChoice decide(
      Blocks blocks, Request request, long t, Draw draw, ClippedIndex clip) {
    LogisticRequest asked = encoder.encode(request);
    LogisticState state = new LogisticState(model(blocks), memory(blocks));
    int start = logistic.isSeeded() ? startOf(draw, asked.size()) : 0;
    LogisticRound round = policy.round(state, asked);
    LogisticChoice choice = round.choose(start);
    double[] propensities = propensities(round, asked.size(), choice);
    int ruled = choice.candidate();
    LogisticState audited = new LogisticState(complete(blocks), state.memory());
    int drawn = explore.share() > 0 ? explored(audited, asked, draw, propensities) : ruled;
    boolean isReplaced = drawn >= 0 && drawn != ruled;
    choice = isReplaced ? round.take(start, drawn) : choice;
    DecisionAudit audit = policy.audit(audited, asked, choice);
    policy.commit(state, asked, choice);
    blocks.put(MEMORY, state.memory());
    boolean isLeftByDraw = isReplaced && explore.overAll();
    Excluded left = isLeftByDraw ? null : audit.excluded();
    return new AuditedChoice(
            toChoice(choice, propensities, left, isReplaced).certifiedBy(audit.findings()),
            audit.findings(),
            duals(choice, audit))
        .leaving(left == null ? null : left.findings());
  }

  @Override
  public AuditedChoice recall(
      Blocks blocks, Request request, Shown shown, long t, Draw draw, ClippedIndex clip) {
    LogisticRequest asked = encoder.encode(request);
    LogisticState state = new LogisticState(model(blocks), memory(blocks));
    int start = logistic.isSeeded() ? startOf(draw, asked.size()) : 0;
    LogisticChoice taken = policy.round(state, asked).take(start, shown.choice().arm());
    LogisticState audited = new LogisticState(complete(blocks), state.memory());
    DecisionAudit audit = policy.audit(audited, asked, taken);
    policy.commit(state, asked, taken);
    blocks.put(MEMORY, state.memory());
    return new AuditedChoice(shown.choice(), audit.findings(), duals(taken, audit));
  }

  private static int startOf(Draw draw, int candidates) {
    return Math.min(candidates - 1, (int) (candidates * draw.uniform(Draw.Purpose.TIE)));
  }

  /** With seeded ties every start is as likely as the others, and all of them are tried. */
  private double[] propensities(LogisticRound round, int candidates, LogisticChoice choice) {
    double[] propensities = new double[candidates];
    if (!logistic.isSeeded()) {
      propensities[choice.candidate()] = 1;
      return propensities;
    }
    int[] chosen = new int[candidates];
    for (int start = 0; start < chosen.length; start++) {
      chosen[round.candidate(start)]++;
    }
    for (int candidate = 0; candidate < chosen.length; candidate++) {
      propensities[candidate] = (double) chosen[candidate] / chosen.length;
    }
    return propensities;
  }

  private static List<Double> duals(LogisticChoice choice, DecisionAudit audit) {
    double[] phi = choice.phiBefore();
    return phi.length == 0
        ? List.of()
        : audit.constraints().stream().map(constraint -> phi[constraint]).toList();
  }

  private int explored(
      LogisticState state, LogisticRequest request, Draw draw, double[] propensities) {
    IntPredicate isDrawnFrom = any -> true;
    if (!explore.overAll()) {
      boolean[] isFair = policy.certified(state, request);
      isDrawnFrom = candidate -> isFair[candidate];
    }
    return UniformShare.mix(explore.share(), draw, request.size(), isDrawnFrom, propensities);
  }

  private boolean isDrawn() {
    return logistic.isSeeded() || explore.share() > 0;
  }

  private Choice toChoice(
      LogisticChoice choice,
      double[] propensities,
      @Nullable Excluded excluded,
      boolean isReplaced) {
    return new Choice(
        choice.candidate(),
        choice.reason(),
        choice.optimistic()[choice.candidate()],
        choice.mean(),
        choice.width(),
        isDrawn() ? PropensityKind.EXACT : PropensityKind.DETERMINISTIC,
        propensities,
        false,
        choice.allowed(),
        excluded == null ? null : new BetterPaid(excluded.candidate(), excluded.optimistic()),
        isReplaced || choice.reason() == ChoiceReason.FORCED_EXPLORATION);
  }

  private StreamingModel model(Blocks blocks) {
    Block stored = blocks.get(MODEL);
    return stored == null ? new StreamingModel(scale) : (StreamingModel) stored;
  }

  private StreamingModel complete(Blocks blocks) {
    Block stored = blocks.get(COMPLETE);
    return stored == null ? model(blocks) : (StreamingModel) stored;
  }

  private LogisticMemory memory(Blocks blocks) {
    Block stored = blocks.get(MEMORY);
    return stored == null ? policy.newMemory(scale.n()) : (LogisticMemory) stored;
  }

  @Override
  public void learn(Blocks blocks, Experience experience, long t) {
    double reward = experience.reward();
    String refusal = refusalOf(reward);
    if (refusal != null) {
      throw new UnusableRequestException("a reward of " + reward + ": " + refusal);
    }
    double[] inputs = experience.inputs();
    double[] x =
        encoder.features(remembered.person(experience.person(), inputs), remembered.arm(inputs));
    StreamingModel model = model(blocks);
    Block complete = blocks.get(COMPLETE);
    if (!undisclosed.isComplete(experience.person())) {
      blocks.put(COMPLETE, complete == null ? model.copy() : complete);
    } else if (complete != null) {
      ((StreamingModel) complete).learn(x, reward);
      blocks.put(COMPLETE, complete);
    }
    model.learn(x, reward);
    blocks.put(MODEL, model);
  }

  @Override
  public double[] inputs(Request request, int offer) {
    return remembered.of(request.person(), request.offers().get(offer).arm());
  }

  @Override
  public double[] inputsOfArm(double[] inputs, Profile arm) {
    return remembered.withArm(inputs, arm);
  }

  @Override
  public double[] numbers(double[] inputs) {
    return remembered.numbers(inputs);
  }

  /** Returns nothing: a logistic policy takes no causal bounds. */
  @Override
  public List<Refutation> refuted(
      Blocks blocks, Request request, long t, CausalBoundTable boundsTable, BitSet known) {
    return List.of();
  }

  /**
   * Keeps the model and the number of decisions. Prices and the need of forced-exploration start
   * anew under another policy, tau or epsilon, the design of glm-ucb under another policy; another
   * cap, schedule, slack or radius starts nothing anew, but a price above a smaller cap is cut to
   * it.
   */
  @Override
  public List<String> succeed(@Nullable Bandit before, Blocks blocks) {
    if (blocks.get(MEMORY) == null) {
      return List.of();
    }
    LogisticMemory memory = memory(blocks);
    boolean isSame =
        before instanceof LogisticBandit other
            && policy.parameters().meansTheSameAs(other.policy.parameters());
    if (isSame) {
      memory.duals().cutTo(policy.parameters().rho());
      blocks.put(MEMORY, memory);
      return List.of();
    }
    LogisticMemory next = memory.startedAnew(policy.newMemory(scale.n()));
    blocks.put(MEMORY, next);
    return memory.goesOnWholeIn(next) ? List.of() : List.of(POLICY_STATE);
  }

  /** More levels mean the same as long as no feature shows them. */
  @Override
  public @Nullable LevelMap extensionOf(Bandit before) {
    return before instanceof LogisticBandit
        ? new LogisticCompilation(spec).extensionOf(before.spec().variables(), before.fingerprint())
        : null;
  }

  @Override
  public double modelBytes() {
    int models = undisclosed.mayBeIncomplete() ? 2 : 1;
    return (1.0 + models) * Long.BYTES
        + (double) models * StreamingModel.byteLength(scale.n())
        + policy.newMemory(scale.n()).byteLength();
  }

  /** Returns n, the number of features. */
  public int dimension() {
    return scale.n();
  }

  @Override
  public boolean takesOffers() {
    return true;
  }

  @Override
  public @Nullable String refusalOf(double reward) {
    return LogisticScale.isReward(reward)
        ? null
        : spec.policy().name().wire()
            + " learns from rewards of 0 and 1 only; a policy like linucb takes others";
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (!isDrawn()) {
      warnings.add(UniformShare.warningWithout(spec.policy().name()));
    }
    warnings.addAll(seen.warnings());
    Aggregate aggregate = spec.join().aggregate();
    if (aggregate == Aggregate.SUM || aggregate == Aggregate.MEAN) {
      warnings.add(
          "with join.aggregate "
              + aggregate.wire()
              + " a decision with several rewards may sum up to neither 0 nor 1, and is not"
              + " learned");
    }
    return warnings;
  }

  @Override
  public SegmentSpec spec() {
    return spec;
  }
}
