package io.equipoise.policy.allocation;

import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.CausalBoundTable;
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
import io.equipoise.policy.allocation.OamCompilation.OamContexts;
import io.equipoise.policy.allocation.OamRule.OamChoice;
import io.equipoise.policy.allocation.OamRule.OamState;
import io.equipoise.policy.constraint.DecisionRound;
import io.equipoise.policy.features.FeatureContrast;
import io.equipoise.policy.features.FeatureEncoder;
import io.equipoise.policy.features.FeaturePlaces;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.features.SeenAttributes;
import io.equipoise.policy.features.SensitivePairs;
import io.equipoise.policy.features.SensitivePairs.Pair;
import io.equipoise.policy.features.UndisclosedWorlds;
import io.equipoise.policy.linear.FeatureVector;
import io.equipoise.policy.linear.InputCheck;
import io.equipoise.policy.linear.LinearBlocks;
import io.equipoise.policy.linear.Radius;
import io.equipoise.policy.linear.RidgeEffects;
import io.equipoise.policy.linear.RidgeModel;
import io.equipoise.policy.linear.RidgeRegression;
import io.equipoise.policy.linear.RidgeWorkspace;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides by optimal allocation matching in a segment of the streaming job: OAM, and OAM-PCB where
 * there are causal bounds. Its table has a row for each joint level of people's variables and arm
 * of the catalog, all of one theta.
 *
 * <p>Keys of blocks: 0 a ridge regression, which audits and refutes but chooses nothing, 1 {@link
 * OamStatistics}, 2 {@link OamPlan}. The plan moves at the decision, the others at the reward.
 */
public final class OamPolicy implements Policy {
  private static final long RIDGE = 0;
  private static final long STATISTICS = 1;
  private static final long PLAN = 2;

  private final SegmentSpec spec;
  private final OamContexts contexts;
  private final FeatureEncoder encoder;
  private final RidgeModel model;
  private final OamTable table;
  private final OamSchedule schedule;
  private final OamRule policy;
  private final RidgeEffects effects;
  private final Radius refuting;
  private final SensitivePairs pairs;

  /** How the features see the sensitive attributes. */
  final SeenAttributes seen;

  private final UndisclosedWorlds undisclosed;
  private final ExploreSpec explore;
  private final List<Profile> catalog;
  private final int numbers;
  private final String fingerprint;

  private OamPolicy(SegmentSpec spec, OamCompilation compilation) {
    this.spec = spec;
    contexts = compilation.contexts;
    encoder = compilation.encoder;
    model = compilation.model;
    table = compilation.table;
    schedule = compilation.schedule;
    policy = new OamRule(table, schedule);
    effects = compilation.effects();
    refuting = compilation.refuting();
    List<SpecVariable> features = spec.variables().features();
    pairs = new SensitivePairs(spec);
    OamSpec oam = OamSpec.of(spec);
    seen = compilation.attributes;
    undisclosed = UndisclosedWorlds.ofLinear(spec, oam.features());
    explore = oam.explore();
    catalog = spec.arms().list().stream().map(Profile::ofArm).toList();
    numbers = (int) features.stream().filter(SpecVariable::isNumeric).count();
    fingerprint = compilation.fingerprint(spec);
  }

  /**
   * Compiles a spec.
   *
   * @throws io.equipoise.segmentspec.SpecException if there are too many contexts and arms, or no
   *     feature that is not 0
   */
  public static OamPolicy compile(SegmentSpec spec) {
    return new OamPolicy(spec, new OamCompilation(spec));
  }

  /** The plan counts a round, whatever arm is pulled in it; the others move at the reward. */
  @Override
  public AuditedChoice decide(
      ModelState modelState,
      Request request,
      long t,
      SeededRandom seededRandom,
      ClippedIndex clip,
      @Nullable PublishedChoice given) {
    return new Round(modelState, request.person(), prior(clip))
        .decide(explore, seededRandom, given);
  }

  /** Decides once and leaves nobody out: allocations are planned before effects are known. */
  private final class Round extends DecisionRound<Void> {
    private final ModelState modelState;
    private final Profile person;
    private final OamState state;
    private final OamBounds bounds;
    private final int context;

    Round(ModelState modelState, Profile person, OamBounds bounds) {
      this.modelState = modelState;
      this.person = person;
      this.bounds = bounds;
      state = new OamState(statistics(modelState), plan(modelState));
      context = contexts.of(person.levels());
      begin(catalog.size());
    }

    /** Is part of {@link #pick}: the plan asks for the mean of few rows. */
    @Override
    protected void score() {}

    @Override
    protected void pick(SeededRandom seededRandom) {
      tell(policy.choose(state, bounds, context));
      modelState.put(PLAN, state.plan());
      propensity[chosen] = 1;
    }

    private void tell(OamChoice of) {
      chosen = of.arm();
      reason = of.reason();
      mean[chosen] = of.mean();
      score[chosen] = of.index();
    }

    @Override
    protected void settle() {
      if (isExplored) {
        tell(policy.drawn(state, bounds, context, chosen));
      }
    }

    @Override
    protected List<AuditFinding> audit(int arm) {
      return findings(ridge(modelState), person, catalog.get(arm));
    }
  }

  private OamBounds prior(ClippedIndex clip) {
    if (clip.isEmpty()) {
      return OamBounds.none(table);
    }
    double[] lower = new double[table.size()];
    double[] upper = new double[table.size()];
    for (int context = 0; context < table.contexts(); context++) {
      int[] levels = contexts.levels(context);
      for (int arm = 0; arm < table.arms(); arm++) {
        lower[table.row(context, arm)] = clip.lower(levels, arm);
        upper[table.row(context, arm)] = clip.upper(levels, arm);
      }
    }
    return OamBounds.of(table, lower, upper);
  }

  private List<AuditFinding> findings(RidgeRegression ridge, Profile person, Profile arm) {
    List<AuditFinding> findings = new ArrayList<>();
    FeatureContrast apart = new FeatureContrast(encoder, seen);
    FeatureVector c = new FeatureVector(encoder.dimension());
    for (Pair pair : pairs.of(person.levels())) {
      findings.add(
          effects.finding(
              ridge,
              null,
              LinearBlocks.SHARED,
              undisclosed.of(person, pair),
              arm,
              apart,
              c,
              pair,
              spec.fairness().tau()));
    }
    return findings;
  }

  private double[] encoded(Profile person, Profile arm) {
    double[] features = new double[encoder.dimension()];
    encoder.encode(person, arm, features);
    return features;
  }

  @Override
  public void learn(ModelState modelState, Experience experience, long t) {
    int place = experience.arm();
    Profile arm = place < 0 ? Profile.of(experience.levels()) : catalog.get(place);
    double[] features = encoded(new Profile(experience.person(), new double[numbers]), arm);
    if (undisclosed.isComplete(experience.person())) {
      FeatureVector x = FeatureVector.of(features);
      RidgeRegression ridge = ridge(modelState);
      RidgeWorkspace workspace = new RidgeWorkspace(encoder.dimension());
      InputCheck inputCheck = model.learn(ridge, x, experience.reward(), t, workspace);
      if (inputCheck != InputCheck.ADMITTED) {
        throw new UnusableRequestException(inputCheck.meaning());
      }
      modelState.put(RIDGE, ridge);
    }
    OamState state = new OamState(statistics(modelState), plan(modelState));
    if (place < 0) {
      policy.learnRetired(state, features, experience.reward());
    } else {
      policy.learn(state, contexts.of(experience.person()), place, experience.reward());
    }
    modelState.put(STATISTICS, state.statistics());
  }

  @Override
  public List<Refutation> refuted(
      ModelState modelState, Request request, long t, CausalBoundTable boundsTable, BitSet known) {
    if (!undisclosed.isComplete(request.person().levels())) {
      return List.of();
    }
    RidgeRegression ridge = ridge(modelState);
    List<Refutation> refuted = new ArrayList<>();
    for (int arm = 0; arm < catalog.size(); arm++) {
      int row = boundsTable.row(arm, request.person().levels());
      if (row >= 0 && !known.get(row)) {
        FeatureVector x = FeatureVector.of(encoded(request.person(), catalog.get(arm)));
        double mean = ridge.mean(x);
        double reach = refuting.of(ridge, LinearBlocks.SHARED) * Math.sqrt(ridge.squaredWidth(x));
        if (mean + reach < boundsTable.lower(row) || mean - reach > boundsTable.upper(row)) {
          refuted.add(new Refutation(row, arm, mean, mean - reach, mean + reach));
        }
      }
    }
    return refuted;
  }

  private RidgeRegression ridge(ModelState modelState) {
    StateBlock stateBlock = modelState.get(RIDGE);
    return stateBlock == null ? model.newArm() : (RidgeRegression) stateBlock;
  }

  private OamStatistics statistics(ModelState modelState) {
    StateBlock stateBlock = modelState.get(STATISTICS);
    return stateBlock == null ? new OamStatistics(table) : (OamStatistics) stateBlock;
  }

  private OamPlan plan(ModelState modelState) {
    StateBlock stateBlock = modelState.get(PLAN);
    return stateBlock == null ? new OamPlan(table.size()) : (OamPlan) stateBlock;
  }

  /** The plan means something under its schedule only; what it was solved for shows in itself. */
  @Override
  public List<String> succeed(@Nullable Policy before, ModelState modelState) {
    boolean isSame = before instanceof OamPolicy oam && oam.schedule.hasSettingsOf(schedule);
    if (isSame || modelState.get(PLAN) == null) {
      return List.of();
    }
    modelState.remove(PLAN);
    return List.of(POLICY_STATE);
  }

  @Override
  public String fingerprintOver(SegmentSpec earlier) {
    return new OamCompilation(spec).fingerprint(earlier);
  }

  @Override
  public @Nullable String refusalOfLevels(SpecVariable variable) {
    return new OamCompilation(spec).refusalOfLevels(variable);
  }

  @Override
  public String dependsOn() {
    return "policy.features and ridge, of which one is another";
  }

  @Override
  public void extend(Policy before, LevelMap levels, ModelState modelState) {
    OamPolicy earlier = (OamPolicy) before;
    FeaturePlaces places = earlier.encoder.placesIn(encoder, levels::feature, levels::action);
    OamMigration migration =
        new OamMigration(earlier.table, table, places, rowsOf(earlier, levels));
    if (modelState.get(RIDGE) != null) {
      modelState.put(RIDGE, earlier.ridge(modelState).spread(places));
    }
    if (modelState.get(STATISTICS) != null) {
      modelState.put(STATISTICS, migration.carried(earlier.statistics(modelState)));
    }
    if (modelState.get(PLAN) != null) {
      modelState.put(PLAN, migration.carried(earlier.plan(modelState)));
    }
  }

  /** Returns the row of each context and arm of an earlier spec, -1 where the arm is retired. */
  private int[] rowsOf(OamPolicy earlier, LevelMap levels) {
    int[] rows = new int[earlier.table.size()];
    for (int context = 0; context < earlier.table.contexts(); context++) {
      int moved = contexts.of(levels.features(earlier.contexts.levels(context)));
      for (int arm = 0; arm < earlier.table.arms(); arm++) {
        int there = spec.arms().indexOf(earlier.spec.arms().get(arm).id());
        rows[earlier.table.row(context, arm)] = there < 0 ? -1 : table.row(moved, there);
      }
    }
    return rows;
  }

  @Override
  public double modelBytes() {
    return 3 * Long.BYTES
        + model.learnedBytes()
        + new OamStatistics(table).byteLength()
        + new OamPlan(table.size()).byteLength();
  }

  /** Returns the number of features. */
  public int features() {
    return encoder.dimension();
  }

  /** Returns d, the dimension of what the features of all rows span. */
  public int dimension() {
    return table.dimension;
  }

  /** Returns the number of contexts that it tells apart. */
  public int contexts() {
    return table.contexts();
  }

  /** Returns the least gap between means that the horizon can resolve. */
  public double resolution() {
    return schedule.resolution();
  }

  @Override
  public double[] numbers(double[] inputs) {
    return new double[numbers];
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (explore.share() == 0) {
      warnings.add(DecisionRound.warningWithoutExploration(spec.policy().name()));
    }
    warnings.add(
        "%s plans for %d decisions a segment; it goes on after them, as sure as it was then"
            .formatted(spec.policy().name().wire(), schedule.rounds()));
    warnings.addAll(seen.warnings());
    warnings.addAll(seen.assumptions());
    return warnings;
  }

  @Override
  public SegmentSpec spec() {
    return spec;
  }
}
