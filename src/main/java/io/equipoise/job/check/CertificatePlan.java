package io.equipoise.job.check;

import io.equipoise.causal.Cpt;
import io.equipoise.cli.NumberLimit;
import io.equipoise.event.EffectUnit;
import io.equipoise.job.check.CheckpointBudget.Load;
import io.equipoise.policy.CertificateForecast;
import io.equipoise.policy.CertificateForecast.Expected;
import io.equipoise.policy.CertificateForecast.Levels;
import io.equipoise.policy.CertificateForecast.Question;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PolicyFamilies;
import io.equipoise.policy.PolicyFamily;
import io.equipoise.policy.constraint.EarnRule;
import io.equipoise.segmentspec.CertificatesSpec;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.FairnessSpec;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.JoinSpec;
import io.equipoise.segmentspec.KeyEdit;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts how many decisions a spec needs until its effects are certified:
 * docs/math/weighted-sums.md#forecasts. Before data all arms are alike. So the plan separates the
 * first certified arm, which the rule or the target of exploration chooses, from each further one,
 * which only exploration plays. Immutable.
 */
public final class CertificatePlan {
  /** A forecast of more decisions is reported as hopeless. */
  public static final double HOPELESS = CertificateForecast.HOPELESS;

  private static final double START = 0.9;

  /** Contrasts of odds ratios at lower rates were certified in 0.58 to 0.91 of the forecast. */
  private static final double LEAST_RATE = 0.05;

  /** From so many decisions for each further arm on there is a warning. */
  private static final double MANY = 1_000_000;

  private static final double SECONDS_OF_DAY = 86_400;
  private static final double SECONDS_OF_YEAR = 365 * SECONDS_OF_DAY;

  private static final double NEVER = CertificateForecast.NEVER;

  private final SegmentSpec spec;
  private final Policy policy;
  private final People people;
  private final List<PlanRow> rows;
  private volatile @Nullable List<Remedy> remedies;

  /**
   * Describes the people as assumed before the first decision.
   *
   * @param shares by attribute, the share of the people who have each disclosed level
   * @param baseRate mean reward, in units of the reward
   * @param effect size of the true effect of every attribute, in units of the reward
   * @param answered share of the decisions whose reward arrives
   * @param delay decisions between a decision and its reward
   */
  public record People(
      Map<String, List<Double>> shares,
      double baseRate,
      double effect,
      double answered,
      double delay) {
    /** Copies the map. */
    public People {
      shares = Map.copyOf(shares);
    }

    /** Takes levels from the distributions of a spec, else uniform, and the middle reward. */
    public static People of(SegmentSpec spec) {
      Map<String, List<Double>> shares = new LinkedHashMap<>();
      for (int place : spec.variables().sensitive()) {
        SpecVariable attribute = spec.variables().features().get(place);
        int levels = attribute.disclosedLevels();
        Optional<Cpt> table =
            spec.distributions().cpt(attribute.name()).filter(cpt -> cpt.parents().isEmpty());
        List<Double> one = new ArrayList<>();
        for (int level = 0; level < levels; level++) {
          one.add(table.isPresent() ? table.get().table()[level] : 1.0 / levels);
        }
        shares.put(attribute.name(), one);
      }
      NumberRange range = spec.reward().range();
      return new People(shares, range.low() + range.width() / 2, 0, 1, 0);
    }

    /**
     * Returns the same people with another mean reward.
     *
     * @param mean in units of the reward; null keeps it
     * @throws IllegalArgumentException if it does not lie within the spec's range of rewards
     */
    public People withBaseRate(SegmentSpec spec, @Nullable Double mean) {
      NumberRange range = spec.reward().range();
      if (mean != null && !NumberLimit.MEAN.admits((mean - range.low()) / range.width())) {
        throw new IllegalArgumentException(
            "--base-rate %s must be above %s and below %s, the reward range of %s, by a billionth of its width"
                .formatted(
                    Double.isFinite(mean) ? Field.shown(mean) : mean,
                    Field.shown(range.low()),
                    Field.shown(range.high()),
                    spec.name()));
      }
      return mean == null ? this : new People(shares, mean, effect, answered, delay);
    }

    /** Returns a sentence if a stated base rate is no greater than tau. */
    Optional<String> excess(SegmentSpec spec) {
      double rate = baseRate - spec.reward().range().low();
      double tau = spec.fairness().tau();
      boolean isStated = baseRate != of(spec).baseRate();
      return isStated && spec.fairness().unit() == EffectUnit.REWARD && tau >= rate
          ? Optional.of(
              "fairness.tau is %s and the base rate %s: an effect as large as the mean reward counts as fair, so certificates say little; four fifths of the rate is a tau of %s"
                  .formatted(Field.shown(tau), Field.shown(baseRate), number(0.2 * rate)))
          : Optional.empty();
    }

    /**
     * Returns the same people whose rewards are learned after a mean delay, or at the end of their
     * window where the spec collects them until then and that is later.
     *
     * @param seconds mean delay of a reward
     * @param rate decisions per second
     */
    public People withDelay(SegmentSpec spec, double seconds, double rate) {
      JoinSpec join = spec.join();
      double window = join.isLearnedAtOnce() ? 0 : join.rewardWindow().toMillis() / 1e3;
      return new People(shares, baseRate, effect, answered, Math.max(seconds, window) * rate);
    }
  }

  /**
   * Holds the forecast for one pair of levels.
   *
   * @param levels the compared levels
   * @param median decisions until the first arm is certified in half of all runs
   * @param ninetyPercent likewise in nine of ten runs
   * @param further decisions until each further arm is certified, in half of all runs
   * @param isWithinBudget whether exploration certifies a further arm before its budget is spent
   * @param isOfEllipsoid whether the effect of some arm has no interval of its own
   */
  public record PlanRow(
      Levels levels,
      String attribute,
      String one,
      String other,
      double median,
      double ninetyPercent,
      double further,
      boolean isWithinBudget,
      boolean isOfEllipsoid) {
    /** Returns the share of the people with the rarer level. */
    public double rarest() {
      return Math.min(levels.oneShare(), levels.otherShare());
    }
  }

  /**
   * Proposes a change of the spec, with the forecast of the changed spec for the pair that needs
   * most decisions then.
   *
   * @param change a key of the spec and its value
   * @param first decisions until the first arm is certified
   * @param further decisions until each further arm is certified
   */
  public record Remedy(String change, double first, double further) {}

  private CertificatePlan(SegmentSpec spec, Policy policy, People people, List<PlanRow> rows) {
    this.spec = spec;
    this.policy = policy;
    this.people = people;
    this.rows = List.copyOf(rows);
  }

  /** Plans a compiled spec; empty if its policy has no forecast or no comparison. */
  public static Optional<CertificatePlan> of(Policy policy, People people) {
    SegmentSpec spec = policy.spec();
    Setting setting = Setting.of(spec, people);
    CertificateForecast forecast = forecast(policy, people);
    if (forecast == null) {
      return Optional.empty();
    }
    List<PlanRow> rows = new ArrayList<>();
    double effect = scaled(spec, people.effect());
    for (int place : spec.variables().sensitive()) {
      SpecVariable attribute = spec.variables().features().get(place);
      List<Double> shares = people.shares().getOrDefault(attribute.name(), List.of());
      for (int one = 0; one < shares.size(); one++) {
        for (int other = one + 1; other < shares.size(); other++) {
          Levels levels = new Levels(place, one, other, shares.get(one), shares.get(other));
          rows.add(row(attribute, forecast, setting, new Pair(levels, effect), people.delay()));
        }
      }
    }
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(new CertificatePlan(spec, policy, people, rows));
  }

  /** Returns why there is no plan, where the policy's family says so. */
  public static Optional<String> whyNone(Policy policy) {
    PolicyFamily family = PolicyFamilies.installed().of(policy.spec().policy().name());
    return Optional.ofNullable(family.whyNoForecast(policy));
  }

  private record Pair(Levels levels, double effect) {
    Question at(double armShare) {
      return new Question(levels, armShare, effect);
    }

    boolean isEmpty() {
      return !(levels.oneShare() > 0 && levels.otherShare() > 0);
    }
  }

  private record Setting(int arms, double tau, ExploreSpec explore) {
    static Setting of(SegmentSpec spec, People people) {
      ExploreSpec explore = spec.policy().family().explore();
      return new Setting(
          spec.arms().size(), limit(spec, people), explore == null ? ExploreSpec.NEVER : explore);
    }

    boolean hasTarget() {
      return explore.earns();
    }

    /** Returns the first decisions of a goal, which go by turns. */
    double turns() {
      return EarnRule.turns(arms) * (double) arms;
    }

    /** Returns the pace of the target. */
    TargetPace pace(CertificateForecast forecast, Pair pair) {
      return new TargetPace(forecast, pair.at(1), tau, explore.over());
    }

    /** Returns those of some decisions that bring the first certificate of a pair nearer. */
    double toward(double decisions, CertificateForecast forecast, Pair pair) {
      if (!hasTarget()) {
        return decisions;
      }
      double then = decisions - turns();
      if (forecast.isOfAllArms(pair.levels())) {
        return then;
      }
      TargetPace pace = pace(forecast, pair);
      return then <= 0 ? 0 : CertificateForecast.fewest(own -> pace.decisions(own) >= then);
    }

    /** Returns the share of the decisions that the first arm gets. */
    double first() {
      double others = hasTarget() ? 0 : explore.share();
      return 1 - others + others / arms;
    }

    /** Returns the share of the decisions that the next arm gets. */
    double further() {
      return hasTarget() ? EarnRule.aimBeside(explore.over()) : explore.share() / arms;
    }
  }

  /** Returns tau for rewards in [0, 1]; that of log odds is taken at the base rate. */
  private static double limit(SegmentSpec spec, People people) {
    double tau = spec.fairness().tau();
    return spec.fairness().unit() == EffectUnit.REWARD
        ? scaled(spec, tau)
        : tau * people.baseRate() * (1 - people.baseRate());
  }

  private static double scaled(SegmentSpec spec, double size) {
    return size / spec.reward().range().width();
  }

  private static @Nullable CertificateForecast forecast(Policy policy, People people) {
    SegmentSpec spec = policy.spec();
    PolicyFamily family = PolicyFamilies.installed().of(spec.policy().name());
    double baseRate =
        (people.baseRate() - spec.reward().range().low()) / spec.reward().range().width();
    return family.forecast(
        policy,
        new Expected(limit(spec, people), spec.fairness().delta(), baseRate, people.answered()));
  }

  private static PlanRow row(
      SpecVariable attribute,
      CertificateForecast forecast,
      Setting setting,
      Pair pair,
      double delay) {
    double further = further(forecast, setting, pair, delay);
    return new PlanRow(
        pair.levels(),
        attribute.name(),
        attribute.levels().get(pair.levels().one()),
        attribute.levels().get(pair.levels().other()),
        first(forecast, setting, pair, CertificateForecast.MEDIAN, delay),
        first(forecast, setting, pair, CertificateForecast.NINETY_PERCENT, delay),
        further,
        further < NEVER,
        forecast.further().isOfEllipsoid(pair.levels()));
  }

  /** All arms in turn until the first interval is narrower than the range; then the rule's arm. */
  private static double first(
      CertificateForecast forecast, Setting setting, Pair pair, double quantile, double delay) {
    if (pair.isEmpty()) {
      return NEVER;
    }
    if (setting.tau() >= 1) {
      return 1; // no effect is larger than the range
    }
    Question none = new Question(pair.levels(), 1, 0);
    double start =
        setting.hasTarget()
            ? setting.turns()
            : (setting.arms() - 1) * forecast.decisions(none, START, CertificateForecast.MEDIAN);
    double then = forecast.decisions(pair.at(setting.first()), setting.tau(), quantile);
    if (setting.hasTarget() && !forecast.isOfAllArms(pair.levels())) {
      then = setting.pace(forecast, pair).decisions(then);
    }
    return Math.min(NEVER, start + then + delay);
  }

  private static double further(
      CertificateForecast forecast, Setting setting, Pair pair, double delay) {
    if (pair.isEmpty() || setting.further() == 0 || setting.arms() == 1) {
      return NEVER;
    }
    if (setting.tau() >= 1) {
      return 1;
    }
    Question question = pair.at(setting.further());
    double then = forecast.further().decisions(question, setting.tau(), CertificateForecast.MEDIAN);
    Integer budget = setting.explore().budget();
    boolean isBeyond = budget != null && then * setting.further() > budget;
    return isBeyond ? NEVER : Math.min(NEVER, then + delay);
  }

  public SegmentSpec spec() {
    return spec;
  }

  /** Returns a row for each pair of levels, in the order of the spec. */
  public List<PlanRow> rows() {
    return rows;
  }

  /** Returns the pair that needs most: only when it is certified has every person a fair arm. */
  public PlanRow slowest() {
    return rows.stream().max(Comparator.comparingDouble(PlanRow::median)).orElseThrow();
  }

  /**
   * Returns the expected share of the people for whom no arm is certified after some decisions.
   * They are served the fallback.
   */
  public double fallbackShare(double decisions) {
    Setting setting = Setting.of(spec, people);
    CertificateForecast forecast = forecast(policy, people);
    if (forecast == null) {
      return 1;
    }
    double served = 1;
    double learned = decisions - people.delay();
    double effect = scaled(spec, people.effect());
    for (int place : spec.variables().sensitive()) {
      String name = spec.variables().features().get(place).name();
      List<Double> shares = people.shares().getOrDefault(name, List.of());
      double certified = 0;
      for (int own = 0; own < shares.size(); own++) {
        double all = shares.get(own);
        for (int other = 0; other < shares.size(); other++) {
          Levels levels = new Levels(place, own, other, shares.get(own), shares.get(other));
          Pair pair = new Pair(levels, effect);
          if (own != other) {
            double toward = pair.isEmpty() ? 0 : setting.toward(learned, forecast, pair);
            all *= toward <= 0 ? 0 : forecast.certified(pair.at(setting.first()), toward);
          }
        }
        certified += all;
      }
      served *= certified;
    }
    return Math.max(0, 1 - served);
  }

  /** Returns the effects of single changes, first those that cost the product least. */
  public List<Remedy> remedies() {
    List<Remedy> known = remedies;
    if (known == null) {
      known = changes().stream().flatMap(change -> remedy(change).stream()).toList();
      remedies = known;
    }
    return known;
  }

  /** A key of the spec and another value. */
  private record Change(String key, String value) {}

  private List<Change> changes() {
    List<Change> changes = new ArrayList<>();
    ExploreSpec explore = Setting.of(spec, people).explore();
    double more = Math.min(0.5, 2 * explore.share());
    if (explore.earns() && explore.over() != ExploreSpec.Over.CERTIFY) {
      changes.add(new Change("policy.explore", "certify"));
    } else if (explore.share() == 0) {
      changes.add(new Change("policy.explore", "{share: 0.1, over: all}"));
    } else if (more > explore.share()) {
      changes.add(new Change("policy.explore.share", number(more)));
    }
    double delta = Math.min(0.5, 2 * spec.fairness().delta());
    if (delta > spec.fairness().delta()) {
      changes.add(new Change("fairness.delta", number(delta)));
    }
    changes.add(wider(spec.fairness(), 1.5));
    changes.add(wider(spec.fairness(), 2));
    return changes;
  }

  private static Change wider(FairnessSpec fairness, double factor) {
    if (!fairness.kinds().isEmpty()) {
      return new Change(
          "fairness.tau",
          fairness.kinds().entrySet().stream()
              .sorted(Map.Entry.comparingByKey())
              .map(
                  limit ->
                      limit.getKey().name().toLowerCase(Locale.ROOT)
                          + ": "
                          + number(factor * limit.getValue()))
              .collect(Collectors.joining(", ", "{", "}")));
    }
    double tau = factor * fairness.tau();
    return fairness.unit() == EffectUnit.REWARD
        ? new Change("fairness.tau", number(tau))
        : new Change("fairness.odds-ratio", number(StrictMath.exp(tau)));
  }

  /** Plans the changed spec; empty if it is none. */
  private Optional<Remedy> remedy(Change change) {
    PolicyFamily family = PolicyFamilies.installed().of(spec.policy().name());
    try {
      String text = KeyEdit.with(spec.text(), change.key(), change.value());
      return of(SpecParser.parse(text, family::compile), people)
          .map(CertificatePlan::slowest)
          .map(
              row -> new Remedy(change.key() + ": " + change.value(), row.median(), row.further()));
    } catch (SpecException e) {
      return Optional.empty();
    }
  }

  /** Returns the first remedy that at least halves the first arm's forecast. */
  public Optional<Remedy> cheapest() {
    double median = slowest().median();
    return remedies().stream().filter(remedy -> remedy.first() <= median / 2).findFirst();
  }

  /**
   * Returns why certificates come too late at a rate to play an arm, and the remedy; empty if they
   * come within a year.
   *
   * @param rate decisions per second
   */
  Optional<String> lateness(double rate) {
    double year = rate * SECONDS_OF_YEAR;
    PlanRow slowest = slowest();
    if (slowest.median() <= year) {
      return overspent();
    }
    String remedy =
        remedies().stream()
            .filter(it -> it.first() <= year && it.first() < NEVER)
            .findFirst()
            .map(it -> it.change() + " needs " + rounded(it.first()))
            .orElse("use a larger fairness.tau or fewer groups, see equipoise plan");
    return Optional.of(
        String.format(
            Locale.ROOT,
            "at %s decisions a second a segment has %.0f a year, and needs %s for the first"
                + " certificate of %s: a rule that plays certified arms only has none to play; %s",
            Field.shown(rate),
            year,
            slowest.median() >= NEVER ? "more than any" : rounded(slowest.median()),
            pair(),
            remedy));
  }

  /** Returns a sentence if no further certificate fits into the budget of tries. */
  private Optional<String> overspent() {
    Setting setting = Setting.of(spec, people);
    CertificateForecast forecast = forecast(policy, people);
    Pair pair = new Pair(slowest().levels(), scaled(spec, people.effect()));
    boolean isPossible = setting.arms() > 1 && setting.further() > 0 && !pair.isEmpty();
    Integer budget = setting.explore().budget();
    if (forecast == null || budget == null || !isPossible || slowest().isWithinBudget()) {
      return Optional.empty();
    }
    Question question = pair.at(setting.further());
    double tries =
        setting.further()
            * forecast.further().decisions(question, setting.tau(), CertificateForecast.MEDIAN);
    return Optional.of(
        "policy.explore.budget is %d, and a further arm needs about %s tries for the certificate of %s: only the first certified arm is ever played; give a budget of %s or a larger fairness.tau"
            .formatted(budget, rounded(tries), pair(), rounded(tries)));
  }

  private String pair() {
    PlanRow slowest = slowest();
    return "%s %s and %s".formatted(slowest.attribute(), slowest.one(), slowest.other());
  }

  /** Returns how to forecast for another base rate; nothing if one was stated. */
  String otherRate() {
    return people.baseRate() == People.of(spec).baseRate()
        ? "; that assumes a base rate of %s, equipoise check --base-rate REWARD takes yours"
            .formatted(Field.shown(people.baseRate()))
        : "";
  }

  /** Returns the mean reward that the forecast assumes, in units of the reward. */
  double baseRate() {
    return people.baseRate();
  }

  /**
   * Returns whether the first certificate needs too many decisions, without the wait for rewards.
   */
  boolean isHopeless() {
    double median = slowest().median();
    return median >= NEVER || median - people.delay() >= HOPELESS;
  }

  /**
   * Returns one line for people.
   *
   * @param rate decisions per second
   */
  public String summary(double rate) {
    return "certificates: %s; assumes a base rate of %s, %s, and %s s until a reward is learned"
            .formatted(
                expected(),
                Field.shown(people.baseRate()),
                Load.words(rate),
                Field.shown(Math.rint(1e3 * people.delay() / rate) / 1e3))
        + (isRough() ? "; at so low a rate an odds ratio may need only half of it" : "");
  }

  /**
   * Returns whether forecasts were off by more than a factor of 1.5 in such settings
   * (docs/plan.md#method).
   */
  private boolean isRough() {
    boolean isRare = Math.min(people.baseRate(), 1 - people.baseRate()) < LEAST_RATE;
    return isRare
        && spec.fairness().unit() == EffectUnit.LOG_ODDS
        && spec.fairness().certificates().interval() == CertificatesSpec.IntervalMethod.CONTRAST;
  }

  private String expected() {
    PlanRow slowest = slowest();
    if (slowest.median() >= NEVER) {
      return "no arm is to be expected within %.0f decisions for %s".formatted(NEVER, pair());
    }
    if (isHopeless()) {
      return "more than %.0f decisions for %s".formatted(HOPELESS, pair());
    }
    return "the first arm after about %s decisions (9 of 10 runs: %s), %s; %s needs most"
        .formatted(
            rounded(slowest.median()),
            slowest.ninetyPercent() >= NEVER
                ? "more than %.0f".formatted(NEVER)
                : rounded(slowest.ninetyPercent()),
            slowest.further() >= NEVER
                ? "no further arm is to be expected"
                : "each further arm after " + rounded(slowest.further()),
            pair());
  }

  /** Returns which bound answers where an effect has no interval of its own. */
  public Optional<String> ellipsoid() {
    return rows.stream().anyMatch(PlanRow::isOfEllipsoid)
        ? Optional.of(CertificateForecast.ELLIPSOID_LEFT)
        : Optional.empty();
  }

  /**
   * Returns how long arms after the first wait for a certificate, if that is very long.
   *
   * @param rate decisions per second
   */
  Optional<String> patience(double rate) {
    PlanRow slowest = slowest();
    Setting setting = Setting.of(spec, people);
    boolean isExplored =
        setting.arms() > 1
            && setting.further() > 0
            && (setting.explore().budget() == null || slowest.isWithinBudget());
    if (slowest.median() >= NEVER || !isExplored || slowest.further() < MANY) {
      return Optional.empty();
    }
    String needed =
        slowest.further() >= NEVER
            ? "no arm after the first is to be expected to get its certificate of " + pair()
            : "each arm after the first needs about %s decisions, %s days at %s, for its certificate of %s"
                .formatted(
                    rounded(slowest.further()),
                    rounded(slowest.further() / rate / SECONDS_OF_DAY),
                    Load.words(rate),
                    pair());
    return Optional.of(
        needed
            + "; fewer arms or levels, a larger fairness.tau or more exploration need fewer, see equipoise plan");
  }

  /** Returns a number of decisions with two significant digits, or "never". */
  public static String rounded(double decisions) {
    if (decisions >= NEVER) {
      return "never";
    }
    double unit = Math.pow(10, Math.floor(Math.log10(decisions)) - 1);
    return String.format(Locale.ROOT, "%.0f", Math.ceil(decisions / unit) * unit);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3g", value);
  }
}
