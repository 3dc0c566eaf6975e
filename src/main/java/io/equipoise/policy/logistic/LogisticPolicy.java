package io.equipoise.policy.logistic;

import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.CausalBoundTable;
import io.equipoise.policy.CertificateForecast;
import io.equipoise.policy.CertificateForecast.Expected;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.LevelMap;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PublishedChoice;
import io.equipoise.policy.Refutation;
import io.equipoise.policy.Request;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.UnusableRequestException;
import io.equipoise.policy.constraint.DecisionRound;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.policy.constraint.EarnRound;
import io.equipoise.policy.constraint.EarnState;
import io.equipoise.policy.features.FeatureEncoder;
import io.equipoise.policy.features.FeaturePlaces;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.features.RememberedInputs;
import io.equipoise.policy.features.SeenAttributes;
import io.equipoise.policy.features.UndisclosedWorlds;
import io.equipoise.policy.linear.ContrastBlock;
import io.equipoise.policy.linear.ContrastPlan;
import io.equipoise.policy.linear.ExpectedDesigns;
import io.equipoise.policy.linear.KnownContrasts;
import io.equipoise.policy.linear.OwnIntervals;
import io.equipoise.policy.linear.RidgeRegression;
import io.equipoise.policy.logistic.PairsPlan.PairBounds;
import io.equipoise.segmentspec.Aggregate;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides by a logistic regression over the features of a person and an arm, in its streaming form:
 * the policies of Chen, Tian and Quinn 2025 and their kin in a segment of the streaming job.
 *
 * <p>Keys of blocks: 0 the model, 1 what the policy remembers, 2 the model of people who disclosed
 * all that the features show, from the first one on who did not: it audits, 3 that model's
 * contrasts, 4 {@link EarnState}, from 2^32 the matched pairs of each arm by its position. Dual
 * variables move at the decision, the model at the reward, in the order of arrival.
 */
public final class LogisticPolicy implements Policy {
  private static final long MODEL = 0;
  static final long MEMORY = 1;
  private static final long COMPLETE = 2;
  private static final long CONTRASTS = 3;
  static final long EARNING = 4;
  private static final long PAIRS = 1L << 32;

  private final SegmentSpec spec;
  private final LogisticSpec logistic;
  private final ExploreSpec explore;

  /** How the features see the sensitive attributes. */
  final SeenAttributes seen;

  private final UndisclosedWorlds undisclosed;
  private final FeatureEncoder features;
  private final RequestEncoder encoder;
  private final RememberedInputs remembered;
  private final LogisticScale scale;
  private final LogisticRule rule;
  private final @Nullable ContrastPlan plan;
  private final @Nullable PairsPlan pairs;
  private final @Nullable OwnIntervals ownIntervals;
  private final ExpectedDesigns designs;
  private final EarnRound.Terms terms;
  private final String fingerprint;

  private LogisticPolicy(SegmentSpec spec, LogisticCompilation compilation) {
    this.spec = spec;
    logistic = LogisticSpec.of(spec);
    explore = logistic.explore();
    seen = compilation.attributes;
    undisclosed = UndisclosedWorlds.ofNonlinear(spec, logistic.features());
    features = compilation.encoder;
    encoder = new RequestEncoder(features, seen, undisclosed, spec);
    remembered = new RememberedInputs(spec);
    scale = compilation.scale;
    rule = compilation.policy();
    plan = compilation.contrasts();
    pairs = compilation.pairs();
    terms =
        new EarnRound.Terms(0, 1, spec.fairness().delta(), Math.max(1, KnownContrasts.count(spec)));
    fingerprint = compilation.fingerprint(spec);
    ownIntervals = plan == null ? null : new OwnIntervals(spec, plan, encoder::features);
    designs =
        new ExpectedDesigns(scale.lambda(), spec, logistic.features(), true, encoder::features);
  }

  /**
   * Compiles a spec.
   *
   * @throws io.equipoise.segmentspec.SpecException with all faults: too many features, a tau above
   *     1, an epsilon that is not below its tau, features or strata that do not fit matched pairs
   */
  public static LogisticPolicy compile(SegmentSpec spec) {
    return new LogisticPolicy(spec, new LogisticCompilation(spec));
  }

  @Override
  public AuditedChoice decide(
      ModelState modelState,
      Request request,
      long t,
      SeededRandom seededRandom,
      ClippedIndex clip,
      @Nullable PublishedChoice given) {
    LogisticRequest asked = encoder.encode(request);
    OddsBounds bounds = bounds(modelState, request);
    LogisticState state = new LogisticState(model(modelState), memory(modelState), bounds);
    LogisticState audited = new LogisticState(complete(modelState), state.memory(), bounds);
    AuditedChoice made =
        new LogisticDecision(
                rule,
                modelState,
                state,
                audited,
                request,
                asked,
                logistic,
                spec.variables().sensitive().size(),
                terms)
            .decide(explore, seededRandom, given);
    keep(bounds, modelState);
    return made;
  }

  private StreamingModel model(ModelState modelState) {
    StateBlock stored = modelState.get(MODEL);
    return stored == null ? new StreamingModel(scale) : (StreamingModel) stored;
  }

  private StreamingModel complete(ModelState modelState) {
    StateBlock stored = modelState.get(COMPLETE);
    return stored == null ? model(modelState) : (StreamingModel) stored;
  }

  private @Nullable OddsBounds bounds(ModelState modelState, Request request) {
    return pairs == null
        ? contrasts(modelState)
        : new PairBounds(
            pairs,
            spec.arms(),
            DeltaShares.first(modelState, pairs.arms),
            request,
            position -> (PairsBlock) modelState.get(PAIRS + position));
  }

  private @Nullable OddsContrasts contrasts(ModelState modelState) {
    if (plan == null) {
      return null;
    }
    StateBlock stored = modelState.get(CONTRASTS);
    ContrastBlock block =
        stored == null ? ContrastBlock.of(plan, scale.n()) : (ContrastBlock) stored;
    return new OddsContrasts(
        plan, block, complete(modelState).estimate(), rule.parameters.effects());
  }

  /** Keeps what a decision has changed of contrasts: running ends, and those it registered. */
  private static void keep(@Nullable OddsBounds bounds, ModelState modelState) {
    if (bounds instanceof OddsContrasts contrasts && contrasts.block.takeChanged()) {
      modelState.put(CONTRASTS, contrasts.block);
    }
  }

  private LogisticMemory memory(ModelState modelState) {
    StateBlock stored = modelState.get(MEMORY);
    return stored == null ? rule.newMemory(scale.n()) : (LogisticMemory) stored;
  }

  @Override
  public void learn(ModelState modelState, Experience experience, long t) {
    double reward = experience.reward();
    String refusal = refusalOf(reward);
    if (refusal != null) {
      throw new UnusableRequestException("a reward of " + reward + ": " + refusal);
    }
    double[] inputs = experience.inputs();
    double[] x =
        encoder.features(remembered.person(experience.person(), inputs), remembered.arm(inputs));
    StreamingModel model = model(modelState);
    StateBlock complete = modelState.get(COMPLETE);
    OddsContrasts contrasts = contrasts(modelState);
    if (contrasts != null && undisclosed.isComplete(experience.person())) {
      contrasts.observe(x, reward);
      modelState.put(CONTRASTS, contrasts.block);
    }
    if (pairs != null && undisclosed.isComplete(experience.person()) && experience.arm() >= 0) {
      long key = PAIRS + experience.position();
      StateBlock stored = modelState.get(key);
      PairsBlock block = stored == null ? PairsBlock.of(pairs) : (PairsBlock) stored;
      int first = DeltaShares.first(modelState, pairs.arms);
      double share = DeltaShares.share(experience.position(), first);
      pairs.observe(block, share, experience.person(), reward == 1);
      modelState.put(key, block);
    }
    if (!undisclosed.isComplete(experience.person())) {
      modelState.put(COMPLETE, complete == null ? model.copy() : complete);
    } else if (complete != null) {
      ((StreamingModel) complete).learn(x, reward);
      modelState.put(COMPLETE, complete);
    }
    model.learn(x, reward);
    modelState.put(MODEL, model);
    end(modelState, experience.arm(), experience.position());
  }

  @Override
  public void end(ModelState modelState, int arm, int position) {
    if (explore.earns()) {
      EarnState.end(modelState, EARNING, position);
    }
  }

  @Override
  public double[] inputs(Request request, int candidate) {
    return remembered.of(request.person(), request.candidates().get(candidate).arm());
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
      ModelState modelState, Request request, long t, CausalBoundTable boundsTable, BitSet known) {
    return List.of();
  }

  /**
   * Keeps the model and the number of decisions. Prices, targets and the need of forced-exploration
   * start empty under another policy, tau or epsilon, the design of glm-ucb under another policy;
   * another cap, schedule, slack or radius resets nothing, but a price above a smaller cap is cut
   * to it.
   */
  @Override
  public List<String> succeed(@Nullable Policy before, ModelState modelState) {
    if (pairs != null) {
      DeltaShares.adopt(modelState, DeltaShares.KEY, pairs.arms, 0);
    }
    if (modelState.get(MEMORY) == null) {
      return List.of();
    }
    LogisticMemory memory = memory(modelState);
    boolean isSame =
        before instanceof LogisticPolicy other
            && rule.parameters.meansTheSameAs(other.rule.parameters);
    if (isSame) {
      memory.duals().cutTo(rule.parameters.rho());
      modelState.put(MEMORY, memory);
      return List.of();
    }
    LogisticMemory next = memory.startedAnew(rule.newMemory(scale.n()));
    modelState.put(MEMORY, next);
    boolean hadTargets = modelState.get(EARNING) != null;
    modelState.remove(EARNING);
    return memory.goesOnWholeIn(next) && !hadTargets ? List.of() : List.of(POLICY_STATE);
  }

  @Override
  public String fingerprintOver(SegmentSpec earlier) {
    return new LogisticCompilation(spec).fingerprint(earlier);
  }

  @Override
  public @Nullable String refusalOfLevels(SpecVariable variable) {
    return new LogisticCompilation(spec).refusalOfLevels(variable);
  }

  @Override
  public @Nullable String refusalOfRemoval(SpecVariable variable) {
    return null;
  }

  @Override
  public boolean needsLevel(SpecVariable variable) {
    return logistic.features().variables().contains(variable.name());
  }

  @Override
  public void forgetArm(ModelState modelState, int position) {
    modelState.remove(PAIRS + position);
  }

  @Override
  public String dependsOn() {
    return "policy.features and theta-norm, of which one is another";
  }

  /**
   * A feature of a level that nobody and no arm had was 0 in all that was learned; one of a level
   * that is gone is 0 in all that will be.
   */
  @Override
  public void extend(Policy before, LevelMap levels, ModelState modelState) {
    FeatureEncoder narrow = ((LogisticPolicy) before).features;
    FeaturePlaces places = narrow.placesIn(features, levels::feature, levels::action);
    if (places.isIdentity()) {
      return;
    }
    StateBlock complete = modelState.get(modelState.get(COMPLETE) == null ? MODEL : COMPLETE);
    List<RidgeRegression.Left> leaving =
        complete == null ? List.of() : ((StreamingModel) complete).leaving(places);
    for (long key : new long[] {MODEL, COMPLETE, MEMORY, CONTRASTS}) {
      StateBlock stored = modelState.get(key);
      if (stored instanceof StreamingModel model) {
        modelState.put(key, model.spread(places));
      } else if (stored instanceof LogisticMemory memory) {
        modelState.put(key, memory.spread(places));
      } else if (stored instanceof ContrastBlock contrasts) {
        modelState.put(key, contrasts.spread(places, leaving));
      }
    }
  }

  @Override
  public double[] translated(double[] inputs, LevelMap levels) {
    return remembered.translated(inputs, levels::action);
  }

  @Override
  public double modelBytes() {
    int models = undisclosed.mayBeIncomplete() ? 2 : 1;
    return (1.0 + models) * Long.BYTES
        + (double) models * StreamingModel.byteLength(scale.n())
        + rule.newMemory(scale.n()).byteLength()
        + (explore.earns() ? Long.BYTES + (double) EarnState.byteLength(spec.arms().size()) : 0)
        + (plan == null
            ? 0
            : Long.BYTES + (double) ContrastBlock.byteLength(plan.known(), scale.n()))
        + (pairs == null
            ? 0
            : DeltaShares.KEYED_BYTES
                + spec.arms().size() * (Long.BYTES + (double) PairsBlock.of(pairs).byteLength()));
  }

  @Override
  public double bytesOfOwnArm() {
    return explore.earns() ? EarnState.byteLength(1) - EarnState.byteLength(0) : 0;
  }

  /** Returns when effects can be expected to be certified, or null where nothing says so. */
  @Nullable CertificateForecast forecast(Expected expected) {
    if (KnownContrasts.count(spec) == 0) {
      return null;
    }
    if (pairs != null) {
      return pairs.forecast(expected);
    }
    return isTooLarge()
        ? null
        : new ContrastOddsForecast(
            expected,
            rule.parameters.effects(),
            scale,
            plan == null ? null : plan.alphaOfFirst(expected.delta(), true),
            ownIntervals,
            designs,
            false);
  }

  /** Returns whether a forecast would take too long. */
  boolean isTooLarge() {
    return pairs == null && designs.areTooLarge();
  }

  /**
   * Returns whether the ellipsoid bounds some effects of the spec's arms, though others have more.
   */
  boolean isEllipsoidLeft() {
    return ownIntervals != null && ownIntervals.areIncomplete();
  }

  /** Returns n, the number of features. */
  public int dimension() {
    return scale.n();
  }

  @Override
  public boolean takesCandidates() {
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
    if (!logistic.isDrawn()) {
      warnings.add(DecisionRound.warningWithoutExploration(spec.policy().name()));
    }
    warnings.addAll(seen.warnings());
    if (pairs == null) { // which compare people of one arm
      warnings.addAll(seen.assumptions());
    }
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
