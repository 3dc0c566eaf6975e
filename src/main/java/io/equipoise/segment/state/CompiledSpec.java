package io.equipoise.segment.state;

import io.equipoise.causal.DistributionException;
import io.equipoise.policy.PhasedPolicy;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PolicyCall;
import io.equipoise.policy.PolicyFamilies;
import io.equipoise.policy.PolicyFamily;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.features.SensitivePairs;
import io.equipoise.policy.refutation.AssumptionPlan;
import io.equipoise.policy.refutation.Assumptions;
import io.equipoise.policy.split.LiveSplits;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.ContextEncoder;
import io.equipoise.segmentspec.DefaultReward;
import io.equipoise.segmentspec.Intersections;
import io.equipoise.segmentspec.JoinSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.ShownRule;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compiles a segment spec into its policy, its encoder and the views that every event reads. Only
 * the spec is given; the constructor derives the other fields, and {@link #warnings} are derived at
 * the first call. Immutable and safe for many threads.
 */
public final class CompiledSpec {
  private static final long MIN_BUCKET_MILLIS = 1_000;
  private static final int BUCKETS_PER_WINDOW = 512;
  private static final int BUCKETS_PER_MEMORY = 128;

  /** Stands for the position of an arm that no segment knows yet. */
  private static final int UNKNOWN = -1;

  private final SegmentSpec spec;
  private final Policy policy;
  private final String fingerprint;
  private final ContextEncoder encoder;

  /** Unmodifiable, so that {@link List#copyOf} returns the same list for every record. */
  private final List<String> armIds;

  private final List<Candidate> specArms;
  private final List<SpecVariable> features;
  private final List<SpecVariable> mediators;
  private final List<Integer> sensitive;
  private final Intersections intersections;
  private final Assumptions assumptions;
  private final LiveSplits splits;
  private volatile @Nullable List<String> warnings;

  private CompiledSpec(SegmentSpec spec) {
    this.spec = spec;
    this.policy = compile(spec);
    this.fingerprint = PolicyFamilies.installed().fingerprint(policy);
    this.encoder = new ContextEncoder(spec);
    List<Arm> arms = spec.arms().list();
    this.armIds = arms.stream().map(Arm::id).collect(Collectors.toUnmodifiableList());
    this.specArms =
        arms.stream()
            .map(arm -> new Candidate(arm.id(), UNKNOWN, Profile.ofArm(arm)))
            .collect(Collectors.toUnmodifiableList());
    this.features = spec.variables().features();
    this.mediators = spec.variables().mediators();
    this.sensitive = spec.variables().sensitive();
    this.intersections = Intersections.of(spec);
    this.assumptions = AssumptionPlan.of(spec, policy);
    this.splits = new LiveSplits(spec);
  }

  /**
   * Compiles a parsed spec.
   *
   * @throws SpecException if no policy follows from it, a default reward cannot be learned, levels
   *     of a variable are the same number, or the policy has no use for safe arms; with all the
   *     reasons
   */
  public static CompiledSpec of(SegmentSpec spec) {
    List<SpecFault> faults = new ArrayList<>();
    CompiledSpec compiled = null;
    try {
      compiled = PolicyCall.of(() -> new CompiledSpec(spec));
    } catch (SpecException e) {
      faults.addAll(e.faults());
    }
    faults.addAll(faultsOf(spec));
    if (compiled != null) {
      compiled.faultOfDefault().ifPresent(faults::add);
    }
    if (compiled == null || !faults.isEmpty()) {
      throw new SpecException(faults);
    }
    return compiled;
  }

  /** Returns the faults that need no compiled policy. */
  private static List<SpecFault> faultsOf(SegmentSpec spec) {
    PolicyFamily family = PolicyFamilies.installed().of(spec.policy().name());
    List<SpecFault> faults = new ArrayList<>(family.faults(spec));
    for (SpecVariable variable : spec.variables().all()) {
      String level = variable.levelOfSameNumber();
      if (level != null) {
        faults.add(
            new SpecFault(
                "variables." + variable.name() + ".levels",
                level + " and another way to write this number",
                "every number once; where they are codes, give them a letter, like v" + level));
      }
    }
    return faults;
  }

  /**
   * Returns whether a missing reward counts as the default reward only if the arm was confirmed as
   * shown.
   */
  public boolean isSilenceConfirmed() {
    return byDefault() != null && spec.join().shown() == ShownRule.CONFIRMED;
  }

  private Optional<SpecFault> faultOfDefault() {
    DefaultReward reward = byDefault();
    if (reward == null || policy.canLearnDefault(defaultMediators(), reward.value())) {
      return Optional.empty();
    }
    List<String> missing = new ArrayList<>(policy.mediatorsNeeded());
    missing.removeAll(reward.mediators().keySet());
    return Optional.of(
        new SpecFault(
            "reward.default.mediators",
            "no level of " + String.join(", ", missing),
            "a level of each of %s, since %s; or no reward.default: then silence teaches nothing"
                .formatted(
                    String.join(", ", policy.mediatorsNeeded()), policy.needsOfMediators())));
  }

  private static Policy compile(SegmentSpec spec) {
    try {
      return PolicyFamilies.installed().of(spec.policy().name()).compile(spec);
    } catch (IllegalArgumentException e) {
      boolean isOfTables = e instanceof DistributionException;
      throw new SpecException(
          List.of(
              new SpecFault(
                  isOfTables ? "distributions" : "policy",
                  String.valueOf(e.getMessage()),
                  (isOfTables ? "tables of fewer levels" : "less extreme settings or rewards")
                      + ", which the policy can compute with")));
    }
  }

  /** Returns the parsed spec. */
  public SegmentSpec spec() {
    return spec;
  }

  /** Returns the compiled policy. */
  public Policy policy() {
    return policy;
  }

  /** Returns the policy's warnings for the author of the spec; computed at the first call. */
  public List<String> warnings() {
    List<String> known = warnings;
    if (known == null) {
      known = List.copyOf(policy.warnings());
      warnings = known;
    }
    return known;
  }

  /**
   * Returns the fingerprint of what the model's statistics mean, with the version of a foreign
   * family. Specs with the same fingerprint can use the same model.
   */
  public String fingerprint() {
    return fingerprint;
  }

  /** Returns the assumptions that rewards can refute. */
  public Assumptions assumptions() {
    return assumptions;
  }

  /** Returns the splits of the gaps between groups; they count learned rewards. */
  public LiveSplits splits() {
    return splits;
  }

  /** Returns the policy if it is an experiment, which has phases and an end, else null. */
  @Nullable
  public PhasedPolicy experiment() {
    return policy instanceof PhasedPolicy experiment ? experiment : null;
  }

  /**
   * Returns the reward of a decision without one, null if nothing is learned then. A sample of an
   * experiment always has one: 0 unless the spec states another.
   */
  @Nullable
  public DefaultReward byDefault() {
    DefaultReward given = spec.reward().byDefault();
    boolean isImplied = given == null && experiment() != null;
    return isImplied ? new DefaultReward(0, Map.of()) : given;
  }

  /**
   * Returns the levels of the mediators that come with the default reward, -1 for those without.
   */
  public int[] defaultMediators() {
    DefaultReward reward = byDefault();
    Map<String, String> levels = reward == null ? Map.of() : reward.mediators();
    return mediators.stream()
        .mapToInt(it -> it.indexOf(levels.getOrDefault(it.name(), "")))
        .toArray();
  }

  /** Returns a message on why the model cannot learn a reward, or null if it can. */
  @Nullable
  public String refusalOf(double reward) {
    String refusal = spec.reward().refusalOf(reward);
    return refusal == null ? policy.refusalOf(reward) : refusal;
  }

  /** Returns the encoder from attributes to the context vector. */
  public ContextEncoder encoder() {
    return encoder;
  }

  /** Returns the ids of the arms in the order of the spec. */
  public List<String> armIds() {
    return armIds;
  }

  /** Returns the arms of the spec as candidates without a position in a segment. */
  public List<Candidate> specArms() {
    return specArms;
  }

  /** Returns the context and sensitive variables: the order of a context vector. */
  public List<SpecVariable> features() {
    return features;
  }

  /** Returns the index of a feature, -1 if there is none of this name. */
  public int placeOf(String feature) {
    int place = features.size() - 1;
    while (place >= 0 && !features.get(place).name().equals(feature)) {
      place--;
    }
    return place;
  }

  /**
   * Returns the sets of attributes that the audit changes together; it also names single
   * attributes.
   */
  public Intersections intersections() {
    return intersections;
  }

  /**
   * Returns how many comparisons the audit of a person's decision has, each with a record of its
   * own; none in an experiment.
   *
   * @param attributes that the spec accepts
   */
  public int comparisons(Map<String, ? extends @Nullable Object> attributes) {
    return experiment() == null
        ? new SensitivePairs(spec)
            .of(encoder.encode(attributes).levels()).stream()
                .mapToInt(pair -> policy.effectsOf(pair.attribute()))
                .sum()
        : 0;
  }

  /** Returns the mediators: the order of their levels. */
  public List<SpecVariable> mediators() {
    return mediators;
  }

  /** Returns the levels of the sensitive variables in a context vector. */
  public int[] sensitive(int[] context) {
    int[] levels = new int[sensitive.size()];
    for (int i = 0; i < levels.length; i++) {
      levels[i] = context[sensitive.get(i)];
    }
    return levels;
  }

  /** Returns the maximum event time between a context and its reward, ms. */
  public long windowMillis() {
    return spec.join().rewardWindow().toMillis();
  }

  /** Returns {@link #bucketMillis(JoinSpec, DueIndex.Queue)} of this spec. */
  public long bucketMillis(DueIndex.Queue queue) {
    return bucketMillis(spec.join(), queue);
  }

  /**
   * Returns the width of a bucket of the due index, ms, which is also the maximum delay of a due
   * id. A policy learns at the end of a window, so these buckets are narrower than those of ids to
   * forget.
   */
  public static long bucketMillis(JoinSpec join, DueIndex.Queue queue) {
    long window = join.rewardWindow().toMillis();
    long width =
        switch (queue) {
          case PENDING -> window / BUCKETS_PER_WINDOW;
          case DEDUP_ENTRIES -> (window + join.dedupWindow().toMillis()) / BUCKETS_PER_MEMORY;
          case EARLY -> join.earlyRewardTimeout().toMillis() / BUCKETS_PER_MEMORY;
        };
    return Math.max(MIN_BUCKET_MILLIS, width);
  }
}
