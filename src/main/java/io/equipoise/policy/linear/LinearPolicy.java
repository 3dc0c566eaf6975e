package io.equipoise.policy.linear;

import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.CausalBoundTable;
import io.equipoise.policy.CertificateForecast;
import io.equipoise.policy.CertificateForecast.Expected;
import io.equipoise.policy.CertificateOutlook;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.JointGroup;
import io.equipoise.policy.LevelMap;
import io.equipoise.policy.LockIn;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PublishedChoice;
import io.equipoise.policy.Refutation;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.SegmentTraffic;
import io.equipoise.policy.UnusableRequestException;
import io.equipoise.policy.constraint.ContrastForecast;
import io.equipoise.policy.constraint.DecisionRound;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.policy.constraint.EarnState;
import io.equipoise.policy.features.CoefficientBound;
import io.equipoise.policy.features.Entries;
import io.equipoise.policy.features.FeatureContrast;
import io.equipoise.policy.features.FeatureEncoder;
import io.equipoise.policy.features.FeaturePlaces;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.features.RememberedInputs;
import io.equipoise.policy.features.SeenAttributes;
import io.equipoise.policy.features.SensitivePairs;
import io.equipoise.policy.features.SensitivePairs.Pair;
import io.equipoise.policy.features.UndisclosedWorlds;
import io.equipoise.policy.features.UndisclosedWorlds.Worlds;
import io.equipoise.policy.linear.LinearFairness.Limited;
import io.equipoise.policy.linear.LinearSpec.AttributeMeaning;
import io.equipoise.policy.linear.SegmentBlocks.FullBlocks;
import io.equipoise.segmentspec.CertificatesSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides by ridge regressions over the features of a person and an arm: LinUCB, Fair-LinUCB and
 * their kin in a segment of the streaming job.
 */
public final class LinearPolicy implements Policy {
  private final SegmentSpec spec;
  private final FeatureEncoder encoder;
  private final LinearRule rule;
  private final WarmStartModels starts;
  private final RidgeEffects effects;
  private final @Nullable ContrastPlan contrasts;
  private final List<List<FeatureVector>> contrastsByArm;
  private final @Nullable LinearOutlook outlook;
  private final boolean hasNumbers;
  private final @Nullable OwnIntervals ownIntervals;
  private final ExpectedDesigns designs;
  private final Radius refuting;
  private final SensitivePairs pairs;

  /** How the features see the sensitive attributes. */
  final SeenAttributes seen;

  /** The bound of the norm that intervals rest on. */
  final CoefficientBound bound;

  private final UndisclosedWorlds undisclosed;
  private final boolean needsWorlds;
  private final boolean isAlikeForAllArms;
  private final PersonGroups groups;
  private final RememberedInputs remembered;
  private final String fingerprint;
  private final ThreadLocal<Scratch> scratch;

  private LinearPolicy(SegmentSpec spec, LinearCompilation compilation) {
    this.spec = spec;
    encoder = compilation.encoder;
    rule = compilation.policy();
    starts = compilation.starts;
    effects = compilation.effects();
    contrasts = compilation.contrasts();
    outlook =
        contrasts == null
            ? null
            : new LinearOutlook(spec, rule, contrasts, compilation.known(), encoder);
    hasNumbers = compilation.known().hasNumbers();
    contrastsByArm = rule.earns() && !hasNumbers ? compilation.known().byArm() : List.of();
    refuting = compilation.refuting();
    pairs = new SensitivePairs(spec);
    seen = compilation.attributes;
    bound = compilation.bound;
    undisclosed = compilation.undisclosed();
    needsWorlds = rule.fairness() instanceof Limited;
    isAlikeForAllArms = !encoder.readsArms() && !needsWorlds;
    groups = compilation.groups();
    remembered = new RememberedInputs(spec);
    fingerprint = compilation.fingerprint(spec);
    ownIntervals = contrasts == null ? null : new OwnIntervals(spec, contrasts, this::features);
    designs =
        new ExpectedDesigns(
            rule.model().lambda(), spec, seen.features(), rule.isShared, this::features);
    scratch = ThreadLocal.withInitial(() -> new Scratch(encoder, seen));
  }

  /**
   * Compiles a spec.
   *
   * @throws io.equipoise.segmentspec.SpecException with all faults: too many features, none left
   */
  public static LinearPolicy compile(SegmentSpec spec) {
    return new LinearPolicy(spec, new LinearCompilation(spec));
  }

  /**
   * Keeps the scratch of one thread; it belongs to a policy and a segment only during a decision.
   */
  private static final class Scratch extends LinearRound {
    private final Candidates candidates;
    private final FeatureVector x;
    private final Entries entries = new Entries();
    private final FeatureContrast apart;
    private final double[] here;
    private @Nullable IntFunction<List<AuditFinding>> auditor;

    Scratch(FeatureEncoder encoder, SeenAttributes seen) {
      super(encoder.dimension());
      int dimension = encoder.dimension();
      candidates = new Candidates(dimension);
      x = new FeatureVector(dimension);
      apart = new FeatureContrast(encoder, seen);
      here = new double[dimension];
    }

    @Override
    protected List<AuditFinding> audit(int place) {
      return Objects.requireNonNull(auditor).apply(place);
    }

    @Override
    void release() {
      super.release();
      auditor = null;
    }
  }

  @Override
  public AuditedChoice decide(
      ModelState modelState,
      Request request,
      long t,
      SeededRandom seededRandom,
      ClippedIndex clip,
      @Nullable PublishedChoice given) {
    Scratch own = scratch.get();
    int known = request.known();
    List<Pair> comparisons = pairs.of(request.person().levels());
    fill(own, request, known, comparisons, clip);
    SegmentBlocks linear = blocks(modelState, request, known);
    try {
      own.begin(rule, linear, own.candidates, t);
      own.auditor = place -> findings(own, linear, request, place, comparisons);
      AuditedChoice audited = own.decide(rule.explore, seededRandom, given);
      linear.keepContrasts();
      return audited;
    } finally {
      own.release();
    }
  }

  private SegmentBlocks blocks(ModelState modelState, Request request, int known) {
    return new SegmentBlocks(
        modelState,
        rule,
        known,
        starts(request, known),
        contrasts,
        position -> request.isSpecArms() || isOfSpec(request, position));
  }

  private boolean isOfSpec(Request request, int position) {
    for (Candidate candidate : request.candidates()) {
      if (candidate.position() == position) {
        return spec.arms().indexOf(candidate.id()) >= 0;
      }
    }
    return false;
  }

  private SegmentBlocks blocks(ModelState modelState, Experience experience) {
    return new SegmentBlocks(
        modelState,
        rule,
        experience.position() + 1,
        arm -> arm == LinearBlocks.SHARED ? starts.ofAll() : starts.of(experience.arm()),
        contrasts,
        position -> experience.arm() >= 0);
  }

  /** Returns what says which regression the arm of a position starts with. */
  private IntFunction<RidgeRegression> starts(Request request, int known) {
    if (!starts.isWarm) {
      return position -> rule.model().newArm();
    }
    Map<Integer, Integer> arms = new HashMap<>();
    int fresh = known;
    for (int place = 0; place < request.candidates().size(); place++) {
      Candidate candidate = request.candidates().get(place);
      int position = candidate.position() < 0 ? fresh++ : candidate.position();
      arms.put(position, request.isSpecArms() ? place : spec.arms().indexOf(candidate.id()));
    }
    return position ->
        position == LinearBlocks.SHARED
            ? starts.ofAll()
            : starts.of(arms.getOrDefault(position, -1));
  }

  private void fill(
      Scratch own, Request request, int known, List<Pair> comparisons, ClippedIndex clip) {
    Profile person = request.person();
    own.candidates.clear();
    if (isAlikeForAllArms && request.isSpecArms() && clip.isEmpty() && isInOrder(request)) {
      encoder.encode(person, request.candidates().get(0).arm(), own.entries, own.here);
      InputCheck inputCheck = own.candidates.addAll(request.candidates().size(), own.here);
      if (inputCheck != InputCheck.ADMITTED) {
        throw refused(request.candidates().get(0), inputCheck);
      }
      return;
    }
    List<List<Worlds>> worlds = new ArrayList<>();
    List<Double> shares = new ArrayList<>();
    for (Pair pair : needsWorlds ? comparisons : List.<Pair>of()) {
      worlds.add(undisclosed.of(person, pair));
      shares.add(
          blindShare(person, pair, comparisons) / Math.max(1, worlds.get(shares.size()).size()));
    }
    if (request.isSpecArms()) {
      own.candidates.contrasts(contrastsByArm);
    }
    int fresh = known;
    for (int place = 0; place < request.candidates().size(); place++) {
      Candidate candidate = request.candidates().get(place);
      encoder.encode(person, candidate.arm(), own.entries);
      int arm = candidate.position() < 0 ? fresh++ : candidate.position();
      InputCheck inputCheck = own.candidates.add(arm, own.entries);
      if (inputCheck != InputCheck.ADMITTED) {
        throw refused(candidate, inputCheck);
      }
      for (int i = 0; i < worlds.size(); i++) {
        addEffects(own, candidate.arm(), comparisons.get(i), worlds.get(i), shares.get(i));
      }
      if (request.isSpecArms() && !clip.isEmpty()) {
        own.candidates.bound(
            clip.lower(person.levels(), place), clip.upper(person.levels(), place));
      }
    }
  }

  /** Returns whether every candidate stands at its arm's position. */
  private static boolean isInOrder(Request request) {
    List<Candidate> candidates = request.candidates();
    for (int place = 0; place < candidates.size(); place++) {
      if (candidates.get(place).position() != place) {
        return false;
      }
    }
    return !candidates.isEmpty();
  }

  private static UnusableRequestException refused(Candidate candidate, InputCheck inputCheck) {
    return new UnusableRequestException("arm " + candidate.id() + ": " + inputCheck.meaning());
  }

  /** Returns the share that the other level of a comparison has among all levels, the own too. */
  private static double blindShare(Profile person, Pair pair, List<Pair> comparisons) {
    if (pair.joint() != null || person.levels()[pair.attribute()] != pair.factual()) {
      return 0;
    }
    long others =
        comparisons.stream()
            .filter(it -> it.joint() == null && it.attribute() == pair.attribute())
            .count();
    return 1 / (others + 1.0);
  }

  private static void addEffects(
      Scratch own, Profile arm, Pair pair, List<Worlds> worlds, double share) {
    if (worlds.isEmpty()) {
      own.candidates.addHiddenEffect();
    }
    for (Worlds pairOfWorlds : worlds) {
      own.apart.compare(pairOfWorlds, arm, pair);
      if (own.apart.isHidden()) {
        own.candidates.addHiddenEffect();
      } else {
        own.candidates.addEffect(own.apart.entries(), share);
      }
    }
  }

  private List<AuditFinding> findings(
      Scratch own, SegmentBlocks linear, Request request, int chosen, List<Pair> comparisons) {
    int key = rule.key(own.candidates.arm(chosen));
    RidgeRegression ridge = linear.complete(key);
    Profile arm = request.candidates().get(chosen).arm();
    List<AuditFinding> findings = new ArrayList<>();
    for (Pair pair : comparisons) {
      findings.add(
          effects.finding(
              ridge,
              linear.contrasts(key),
              linear.position(key),
              undisclosed.of(request.person(), pair),
              arm,
              own.apart,
              own.x,
              pair,
              spec.fairness().tau()));
    }
    return findings;
  }

  @Override
  public void learn(ModelState modelState, Experience experience, long t) {
    Scratch own = scratch.get();
    double[] inputs = experience.inputs();
    encoder.encode(
        remembered.person(experience.person(), inputs),
        remembered.arm(inputs),
        own.entries,
        own.here);
    InputCheck inputCheck = own.x.set(own.here);
    if (inputCheck == InputCheck.ADMITTED) {
      inputCheck = learn(blocks(modelState, experience), experience, own, t);
    }
    if (inputCheck != InputCheck.ADMITTED) {
      throw new UnusableRequestException(inputCheck.meaning());
    }
    end(modelState, experience.arm(), experience.position());
  }

  @Override
  public void end(ModelState modelState, int arm, int position) {
    if (rule.earns()) {
      EarnState.end(modelState, SegmentBlocks.EARN, position);
    }
  }

  private InputCheck learn(SegmentBlocks linear, Experience experience, Scratch own, long t) {
    int key = rule.key(experience.position());
    RidgeRegression complete = null;
    ContrastBlock seeing = null;
    if (undisclosed.isComplete(experience.person())) {
      complete = linear.completeOrNull(key);
      seeing = linear.contrasts(key);
    } else {
      linear.splitComplete(key);
    }
    if (complete != null) {
      rule.model().learn(complete, seeing, own.x, experience.reward(), t, own.workspace);
    }
    return rule.learn(
        linear,
        complete == null ? seeing : null,
        experience.position(),
        own.x,
        groups.of(experience.person()),
        experience.reward(),
        t,
        own.workspace);
  }

  /**
   * Returns the logarithm of an e-value against the norm that the model assumes of its
   * coefficients, after it has learned a reward; NaN where the {@linkplain NormTest test} does not
   * look. Arms share the e-value as they share delta.
   */
  public double logEvidenceAgainstNorm(ModelState modelState, Experience experience) {
    int key = rule.key(experience.position());
    SegmentBlocks linear = blocks(modelState, experience);
    double log = NormTest.logEvidence(linear.complete(key), bound.norm(), spec.fairness().scale());
    return log + StrictMath.log(AlphaSpending.share(linear.position(key)));
  }

  /** Returns whether effects have intervals of their own. */
  boolean hasContrasts() {
    return contrasts != null;
  }

  /** Returns when effects can be expected to be certified, or null where nothing says so. */
  @Nullable CertificateForecast forecast(Expected expected) {
    ContrastPlan plan = contrasts;
    if (KnownContrasts.count(spec) == 0 || isTooLarge()) {
      return null;
    }
    if (plan == null) {
      return isOfEllipsoidAlone() ? bound(expected, null, null, 1) : null;
    }
    double alpha = plan.alphaOfFirst(expected.delta(), rule.isShared);
    ContrastForecast contrast = new ContrastForecast(expected, dimension(), alpha);
    return isEllipsoidLeft()
        ? bound(expected, contrast, ownIntervals, DeltaShares.ELLIPSOID)
        : contrast;
  }

  private boolean isOfEllipsoidAlone() {
    return spec.fairness().certificates().interval() == CertificatesSpec.IntervalMethod.ELLIPSOID
        && !starts.isWarm
        && rule.model().forgetting().isNothing();
  }

  /** Returns whether a forecast would take too long. */
  boolean isTooLarge() {
    return (isEllipsoidLeft() || isOfEllipsoidAlone()) && designs.areTooLarge();
  }

  private BoundForecast bound(
      Expected expected,
      @Nullable ContrastForecast contrast,
      @Nullable OwnIntervals own,
      double share) {
    Radius.SelfNormalized radius =
        new Radius.SelfNormalized(spec.fairness().scale(), bound.norm(), share * expected.delta());
    double span = spec.reward().range().width();
    double ridge = rule.model().lambda();
    return new BoundForecast(
        contrast,
        own,
        new EllipsoidForecast(expected, designs, radius, ridge, span, false),
        new EllipsoidForecast(expected, designs, radius, ridge, span, true),
        false);
  }

  private double[] features(Profile person, Profile arm) {
    double[] x = new double[encoder.dimension()];
    encoder.encode(person, arm, x);
    return x;
  }

  /**
   * Returns whether the ellipsoid bounds some effects of the spec's arms, though others have more.
   */
  boolean isEllipsoidLeft() {
    return ownIntervals != null && ownIntervals.areIncomplete();
  }

  /** Returns a hash of the settings of those intervals; 0 where there are none. */
  long meaningOfContrasts() {
    return contrasts == null ? 0 : contrasts.meaning;
  }

  /** Returns whether the intervals of an effect under the model of a reward exclude each other. */
  boolean isModelRefuted(ModelState modelState, Experience experience) {
    ContrastBlock stored =
        SegmentBlocks.storedContrasts(modelState, rule.key(experience.position()));
    return stored != null && stored.isRefuted();
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

  @Override
  public List<Refutation> refuted(
      ModelState modelState, Request request, long t, CausalBoundTable boundsTable, BitSet known) {
    if (!undisclosed.isComplete(request.person().levels())) {
      return List.of();
    }
    Scratch own = scratch.get();
    int positions = request.known();
    SegmentBlocks linear = blocks(modelState, request, positions);
    List<Refutation> refuted = new ArrayList<>();
    List<Profile> catalog = remembered.catalog();
    for (int place = 0; place < catalog.size(); place++) {
      int row = boundsTable.row(place, request.person().levels());
      int position = request.candidates().get(place).position();
      if (row >= 0 && !known.get(row) && position >= 0) {
        encoder.encode(request.person(), catalog.get(place), own.entries, own.here);
        own.x.set(own.here);
        RidgeRegression ridge = linear.complete(rule.key(position));
        double mean = ridge.mean(own.x);
        double beta = refuting.of(ridge, rule.key(position));
        double reach = beta * Math.sqrt(ridge.squaredWidth(own.x));
        if (mean + reach < boundsTable.lower(row) || mean - reach > boundsTable.upper(row)) {
          refuted.add(new Refutation(row, place, mean, mean - reach, mean + reach));
        }
      }
    }
    return refuted;
  }

  /**
   * Keeps the regressions, and the number of decisions where this policy counts them too. A price
   * starts empty under another policy, constraint, tau or intersections, group means under other
   * groups, the debt of an adaptive gamma under another gamma too; another index or exploration
   * resets nothing.
   */
  @Override
  public List<String> succeed(@Nullable Policy before, ModelState modelState) {
    if (contrasts != null && !rule.isShared) {
      DeltaShares.adopt(modelState, DeltaShares.KEY, contrasts.models, 0);
    }
    if (before instanceof LinearPolicy other
        && AttributeMeaning.of(other.spec).equals(AttributeMeaning.of(spec))) {
      boolean keepsDebt = AttributeMeaning.isOfOneGamma(other.spec, spec);
      return !keepsDebt && SegmentBlocks.forgetDebt(modelState) ? List.of(POLICY_STATE) : List.of();
    }
    boolean isCounting = Limited.isCharging(rule.fairness());
    return SegmentBlocks.startAnew(modelState, isCounting) ? List.of(POLICY_STATE) : List.of();
  }

  @Override
  public String fingerprintOver(SegmentSpec earlier) {
    return new LinearCompilation(spec).fingerprint(earlier);
  }

  @Override
  public @Nullable String refusalOfLevels(SpecVariable variable) {
    return new LinearCompilation(spec).refusalOfLevels(variable);
  }

  @Override
  public @Nullable String refusalOfRemoval(SpecVariable variable) {
    return new LinearCompilation(spec).refusalOfRemoval(variable);
  }

  @Override
  public boolean needsLevel(SpecVariable variable) {
    return new LinearCompilation(spec).shows(variable);
  }

  @Override
  public void forgetArm(ModelState modelState, int position) {
    SegmentBlocks.forgetArm(modelState, position);
  }

  @Override
  public String dependsOn() {
    return "policy.features, model, ridge, forget, drop and warm-start, of which one is another";
  }

  /**
   * A feature of a level that nobody and no arm had was 0 in all that was learned; one of a level
   * that is gone is 0 in all that will be.
   */
  @Override
  public void extend(Policy before, LevelMap levels, ModelState modelState) {
    FeatureEncoder narrow = ((LinearPolicy) before).encoder;
    FeaturePlaces places = narrow.placesIn(encoder, levels::feature, levels::action);
    if (!places.isIdentity()) {
      SegmentBlocks.spread(modelState, places);
    }
  }

  @Override
  public double[] translated(double[] inputs, LevelMap levels) {
    return remembered.translated(inputs, levels::action);
  }

  @Override
  public List<JointGroup> jointGroups(ModelState modelState) {
    GroupMeans totals = groups.places().size() < 2 ? null : SegmentBlocks.totals(modelState);
    return totals == null ? List.of() : groups.named(totals, spec.variables().features());
  }

  @Override
  public List<CertificateOutlook> outlook(ModelState modelState, SegmentTraffic traffic) {
    ContrastPlan plan = contrasts;
    if (outlook == null || plan == null) {
      return List.of();
    }
    SegmentBlocks linear =
        new SegmentBlocks(
            modelState, rule, traffic.known(), any -> rule.model().newArm(), null, any -> true);
    int models = DeltaShares.first(modelState, plan.models);
    return outlook.of(
        linear,
        key -> {
          ContrastBlock stored = SegmentBlocks.storedContrasts(modelState, key);
          ContrastBlock copy =
              stored == null ? ContrastBlock.of(plan, rule.model().dimension()) : stored.copy();
          copy.adopt(plan, linear.position(key), models, true);
          return copy;
        },
        traffic);
  }

  @Override
  public double modelBytes() {
    return new FullBlocks(rule, undisclosed.mayBeIncomplete(), contrasts).bytes(spec.arms().size());
  }

  @Override
  public double bytesOfOwnArm() {
    return new FullBlocks(rule, undisclosed.mayBeIncomplete(), contrasts).bytesOfOneMore();
  }

  /** Returns d, the number of features. */
  public int dimension() {
    return encoder.dimension();
  }

  @Override
  public boolean takesCandidates() {
    return true;
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    String name = spec.policy().name().wire();
    if (LinearSpec.of(spec).explore().share() == 0) {
      warnings.add(DecisionRound.warningWithoutExploration(spec.policy().name()));
    }
    if (starts.isWarm) {
      warnings.add(
          name
              + " is a baseline: where the log is confounded or selected, so is what it starts"
              + " from, and rewards may take long to outweigh it; linucb-pcb has a guarantee");
    }
    if (rule.isLockedIn()) {
      warnings.add(
          LockIn.warning(
              "with model: disjoint a model learns only from its own arm",
              "Let arms share what they have in common by model: shared"));
    }
    if (!bound.isKnown()) {
      warnings.add(
          "policy.theta-norm is a guess, %.3g, so certificates have the guarantee APPROXIMATE. ANYTIME needs %s"
              .formatted(bound.norm(), bound.missing()));
    }
    warnings.addAll(seen.warnings());
    warnings.addAll(seen.assumptions());
    return warnings;
  }

  @Override
  public SegmentSpec spec() {
    return spec;
  }
}
