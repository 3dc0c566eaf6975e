package io.equipoise.segment;

import io.equipoise.event.CandidateArm;
import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.InputFault;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.segment.state.CompiledSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What befalls one segment, at random but the same for equal seeds. */
final class Schedule {

  /** One thing that happens. */
  sealed interface Step {}

  record Context(ContextEvent event) implements Step {}

  record Reward(RewardEvent event) implements Step {}

  /** Event time passes. */
  record Pass(long time) implements Step {}

  /** A spec comes into force; null retires all. */
  record Publish(@Nullable CompiledSpec spec) implements Step {}

  /** Causal bounds are offered; null retires all. */
  record Offer(@Nullable CausalBoundSet set) implements Step {}

  private static final String EVIDENCE =
      "{arm: A=left, context: {S: a, X: low}, n: 3, mean: 0.25},"
          + " {arm: A=left, context: {S: b, X: high}, n: 2, mean: 1},"
          + " {arm: A=right, context: {S: a, X: low}, n: 1, mean: 0.5},"
          + " {arm: A=right, context: {S: a, X: high}, n: 4, mean: 0.125}";
  private static final List<String> POLICIES =
      List.of(
          "ucb",
          "d-ucb",
          "f-ucb",
          "d-ucb, constraint: dual",
          "ucb, constraint: screen",
          "d-ucb, constraint: dual-upper, ties: seeded",
          TestBounds.policy("ucb-pcb", "ignore"),
          TestBounds.policy("d-ucb", "keep"),
          TestBounds.policy("f-ucb", "ignore"),
          "f-ucb, explore: balanced",
          "d-ucb, constraint: dual, explore: {share: 0.2, over: all}",
          TestBounds.policy("ucb-pcb", "ignore") + ", explore: {share: 0.4, over: all}",
          "linucb",
          "linucb, model: shared, constraint: hard, explore: balanced",
          "linucb, constraint: dual, forget: {rounds: 4}",
          "linucb, model: shared, constraint: dual-upper, forget: {discount: 0.9}",
          "linucb, constraint: screen, explore: {share: 0.2, over: all}, forget: {discount: 0.95}",
          "linucb-unaware, features: [intercept, one-hot: S, one-hot: X]",
          "fair-linucb, groups: {attribute: S, privileged: a, protected: b}",
          "fair-linucb, groups: {attribute: S, privileged: a, protected: b, gamma: 3,"
              + " forget: {discount: 0.8}}",
          "fair-linucb, model: shared, groups: {attribute: S, privileged: b, protected: a,"
              + " gamma: 1, forget: {rounds: 3}}, forget: {rounds: 5}",
          "fair-linucb, groups: {attributes: [S, X], privileged: [[a, low], [a, high]],"
              + " protected: [[b, \"*\"]], gamma: 2}",
          "lin-ts, sample: {draws: 3}",
          "lin-ts, model: shared",
          "epsilon-greedy, epsilon: 0.4",
          TestBounds.policy("linucb-pcb", "ignore"),
          "oam, horizon: 20",
          "oam, horizon: 40, explore: {share: 0.3, over: all}",
          "oam, horizon: 1000, variance: 0.001, epsilon: 0.3, features: [one-hot: A]",
          TestBounds.policy("oam-pcb", "ignore") + ", horizon: 50, variance: 0.01",
          TestBounds.policy("oam-pcb", "keep") + ", horizon: 9, kappa: 1",
          "linucb-cp, warm-start: [" + EVIDENCE + "]",
          "linucb-biased, model: shared, adjust-for: [X], explore: {share: 0.2, over: all},"
              + " features: [intercept, level: {of: X, is: high}, one-hot: A], warm-start: ["
              + EVIDENCE
              + "]",
          "glm-ucb",
          "ofulog, ties: seeded",
          "cclb, radius: {kind: lee24}, dual: {schedule: fixed, horizon: 50}",
          "eps-cclb, epsilon: 0.1, dual: {schedule: anytime}",
          "screen",
          "screen, explore: balanced, ties: seeded",
          "forced-exploration, explore: {share: 0.5, over: all}, features: [intercept, one-hot: S,"
              + " one-hot: X, one-hot: A]",
          "screen, slack: 0, theta-norm: 2, limits: {S: {tau: 0.05, epsilon: 0.01}}, ties: seeded",
          "dual-upper, dual: {cap: 3, schedule: doubling}",
          "forced-exploration, radius: {delta: 0.2}, features: [intercept, one-hot: S,"
              + " product: [one-hot: A, one-hot: X]]",
          "csr-v2, samples: 8, control: \"A=left\"",
          "csr-v2, samples: 20, control: \"A=right\", mode: separate, budget: 1",
          "csr-v2, samples: 9, control: \"A=left\", min-closed-fraction: 0.5",
          "ts-v2, samples: 12, control: \"A=left\", mode: separate, min-closed-fraction: 0.7",
          "csr-v1, samples: 6, control: \"A=right\", mode: natural, budget: 0.5",
          "ts-v2, samples: 6, control: \"A=left\", mode: pooled, estimate: direct, budget: 1",
          "ts-v1, samples: 12, control: \"A=left\", costs: {\"A=right\": 0.25}",
          "csr-v2, samples: 8, control: \"A=left\", abort: enough",
          "f-ucb, explore: {share: 0.3, over: fair-set}",
          "screen, explore: {share: 0.4, over: fair-set}, ties: seeded");
  private static final String CONTEXT_X = "X: {role: context";
  private static final String SENSITIVE_X = "X: {role: sensitive";
  private static final List<String> LOGISTIC =
      List.of(
          "glm-ucb", "ofulog", "cclb", "eps-cclb", "screen", "dual-upper", "forced-exploration");
  private static final Map<String, List<List<String>>> LEVELS =
      Map.of(
          "S", List.of(List.of("a", "b"), List.of("a", "b"), List.of("c", "b", "a")),
          "X",
              List.of(
                  List.of("low", "high"),
                  List.of("low", "mid", "high"),
                  List.of("high", "low", "top", "mid")),
          "A", List.of(List.of("left", "right"), List.of("right", "up", "left")),
          "M", List.of(List.of("0", "1"), List.of("half", "0", "1")));
  private static final List<String> LEFT_AND_RIGHT = List.of("{A: left}", "{A: right}");
  private static final List<List<String>> ARMS =
      List.of(
          List.of(),
          LEFT_AND_RIGHT,
          List.of("{A: right}"),
          List.of("{A: right}", "{id: \"A=left\", A: right}"));
  private static final String OTHER_GRAPH = "ab".repeat(16);
  private static final List<String> AGGREGATES =
      List.of("first", "first", "sum", "mean", "min", "max", "last");
  private static final List<String> HORIZONS = List.of("1s", "30s", "60s", "120s");
  private static final List<String> MAX_ENTRIES =
      List.of("", "", ", max-pending: 1", ", max-pending: 2", ", max-pending: 5");
  private static final List<String> RELEASES =
      List.of("", "", ", learn: on-window-close", ", learn: on-window-close");
  private static final List<String> REWARDS =
      List.of(
          "{range: [0, 1]}",
          "{range: [0, 1], default: {value: 0.25, mediators: {M: \"1\"}}}",
          "{range: [0, 1], bounded: false, scale: 1}",
          "{range: [0, 1], bounded: false, scale: 0.01}"); // a few rewards refute a bound
  private static final List<String> IDLES =
      List.of("", "", "idle-state: {after: 240s}", "idle-state: {after: 210s, retain: none}");
  private static final long LONG_SILENCE_MILLIS = 600_000;
  private static final double[] VALUES = {0, 0.25, 0.5, 1, 1, 1.5, -0.5};

  /** Of this schedule alone: thousands of schedules have tens of thousands of texts. */
  private final Map<String, CompiledSpec> compiled = new HashMap<>();

  private final SplittableRandom random;
  private final List<Step> steps = new ArrayList<>();
  private final int ids;
  private final Map<String, List<String>> levels = new TreeMap<>();
  private List<String> arms = List.of();
  private String policy;
  private String reward;
  private String join = "";
  private int number;
  private long boundsVersion;
  private long now = Scenario.ORIGIN_MILLIS;
  private long offset;

  private Schedule(long seed) {
    random = new SplittableRandom(seed);
    ids = random.nextInt(1, 25);
    policy = pick(POLICIES);
    reward = pick(REWARDS);
  }

  static List<Step> of(long seed) {
    return new Schedule(seed).steps();
  }

  private List<Step> steps() {
    if (random.nextInt(10) > 0) {
      steps.add(publish());
    }
    if (random.nextInt(4) > 0) {
      steps.add(offer());
    }
    for (int left = random.nextInt(10, 90); left > 0; left--) {
      now += random.nextInt(5) == 0 ? random.nextLong(20_000) : random.nextLong(2_000);
      steps.add(step());
      if (random.nextInt(30) == 0) {
        now += random.nextLong(LONG_SILENCE_MILLIS);
        steps.add(new Pass(now));
      }
      if (random.nextInt(12) == 0) {
        Step again = steps.get(random.nextInt(steps.size()));
        steps.add(again instanceof Publish ? step() : again);
      }
    }
    return steps;
  }

  private Step step() {
    int kind = random.nextInt(100);
    if (kind < 40) {
      return new Context(context());
    } else if (kind < 42) {
      return random.nextInt(5) == 0 ? new Offer(null) : offer();
    } else if (kind < 84) {
      return new Reward(reward());
    } else if (kind < (isExperiment() ? 96 : 94)) { // a search needs time
      return new Pass(now - random.nextLong(30_000) + random.nextLong(10_000));
    } else if (kind < 98) {
      return publish();
    } else if (kind < 99) {
      policy = pick(POLICIES);
      reward = pick(REWARDS);
      return publish();
    }
    return new Publish(random.nextInt(3) == 0 ? null : publish().spec());
  }

  private Publish publish() {
    String next =
        "{reward-window: %s, early-reward-timeout: %s, dedup-window: %s, aggregate: %s, shown: %s, fallback: \"A=right\"%s%s}"
            .formatted(
                pick(List.of("60s", "60s", "30s", "90s")),
                pick(HORIZONS),
                pick(HORIZONS),
                isExperiment() ? "first" : pick(AGGREGATES),
                pick(List.of("assumed", "confirmed")),
                pick(MAX_ENTRIES),
                policy.contains("min-closed-fraction") ? RELEASES.get(2) : pick(RELEASES));
    boolean isKept = !isExperiment() && join.contains("aggregate: first") && random.nextInt(3) > 0;
    join = isKept ? join : next; // another meaning of rewards is another model
    String onChange = pick(List.of("reset", "reset", "reject"));
    String text =
        isExperiment()
            ? TestSpecs.experiment(policy, ++number, join, experimentReward(), onChange)
            : varied()
                .version(++number)
                .join(join)
                .reward(rewardRule())
                .onIncompatibleChange(onChange)
                .text();
    text = policy.contains("attributes: [S, X]") ? text.replace(CONTEXT_X, SENSITIVE_X) : text;
    return new Publish(compiled.computeIfAbsent(text + idle(), TestSpecs::compiled));
  }

  /** A search must not forget its end. */
  private String idle() {
    String idle = pick(IDLES);
    return isExperiment() ? idle.replace(", retain: none", ", retain: model") : idle;
  }

  private boolean isExperiment() {
    return policy.matches("(csr|ts)-.*");
  }

  /** Most versions of a spec change one thing of levels and arms. */
  private SpecVariant varied() {
    int what = random.nextInt(8);
    if (what < 5) {
      String variable = pick(List.of("S", "X", "X", "A", "M"));
      levels.put(variable, pick(LEVELS.getOrDefault(variable, List.of())));
    } else if (what < 7) {
      arms = pick(ARMS);
    }
    SpecVariant spec = SpecVariant.of(policy);
    levels.forEach((variable, names) -> spec.levels(variable, names.toArray(new String[0])));
    List<String> listed = policy.contains("warm-start") ? LEFT_AND_RIGHT : arms;
    return listed.isEmpty() ? spec : spec.arms(listed.toArray(new String[0]));
  }

  /** A search needs bounded rewards, and 0 for those who stay silent or a mediator. */
  private String experimentReward() {
    return reward.contains("bounded") ? "{range: [0, 1]}" : reward;
  }

  /** Logistic policies refuse a default reward of neither 0 nor 1. */
  private String rewardRule() {
    boolean isLogistic = LOGISTIC.contains(policy.replaceFirst(",.*", ""));
    return isLogistic ? reward.replace("value: 0.25", "value: 0") : reward;
  }

  /** Offers bounds, most of which rewards can refute, of a higher number or the last one's. */
  private Offer offer() {
    boundsVersion += random.nextInt(4) == 0 ? 0 : 1;
    boolean byLevel = random.nextBoolean();
    String graph = random.nextInt(8) == 0 ? OTHER_GRAPH : TestBounds.graphHash();
    List<CausalBound> rows = new ArrayList<>();
    for (String arm : List.of("A=left", random.nextInt(10) == 0 ? "A=up" : "A=right")) {
      for (String level : byLevel ? List.of("low", "high") : List.of("")) {
        double low = pick(List.of(0.0, 0.0, 0.25, 0.75));
        double high = random.nextInt(20) == 0 ? 1.5 : low + pick(List.of(0.0, 0.125, 0.25));
        Map<String, String> context = byLevel ? Map.of("X", level) : Map.of();
        rows.add(TestBounds.row(graph, arm, context, low, high));
      }
    }
    return new Offer(TestBounds.of(Math.max(1, boundsVersion), rows.toArray(new CausalBound[0])));
  }

  private ContextEvent context() {
    String id = id();
    Map<String, Object> attributes = new TreeMap<>();
    attributes.put("S", random.nextInt(12) == 0 ? "c" : pick(List.of("a", "b")));
    attributes.put("X", random.nextInt(12) == 0 ? "mid" : pick(List.of("low", "high")));
    if (random.nextInt(20) == 0) {
      attributes.remove(pick(List.of("S", "X")));
    }
    boolean isFuture = random.nextInt(25) == 0;
    long time = isFuture ? now + 1_000_000_000 : Math.max(0, now - jitter());
    return new ContextEvent(
        id,
        Scenario.SEGMENT,
        time,
        attributes,
        random.nextInt(5) == 0 ? candidates() : null,
        random.nextInt(15) == 0 ? Scenario.ORIGIN_MILLIS + random.nextLong(-5, 5) : null,
        origin("contexts"),
        bytes(id),
        isFuture ? new InputFault(ErrorCode.EVENT_TIME_IN_FUTURE, "too far ahead") : null,
        null);
  }

  /** Offers arms that come and go; some lists cannot be. */
  private List<CandidateArm> candidates() {
    List<CandidateArm> candidates = new ArrayList<>();
    for (int left = random.nextInt(4); left > 0; left--) {
      String level = random.nextInt(20) == 0 ? "up" : pick(List.of("left", "right"));
      String arm = pick(List.of("new-1", "new-2", "new-3", "A=left"));
      candidates.add(new CandidateArm(arm, Map.of("A", level)));
    }
    return candidates;
  }

  private RewardEvent reward() {
    String id = id();
    Map<String, Object> mediators = new TreeMap<>();
    if (random.nextInt(5) > 0) {
      mediators.put("M", random.nextInt(12) == 0 ? "7" : pick(List.of("0", "1")));
    }
    boolean isBad = random.nextInt(25) == 0;
    return new RewardEvent(
        id,
        random.nextInt(5) == 0 ? null : "r" + random.nextInt(4),
        Scenario.SEGMENT,
        now - jitter() + (random.nextInt(10) == 0 ? random.nextLong(120_000) : 0),
        VALUES[random.nextInt(VALUES.length)],
        mediators,
        random.nextInt(4) == 0 ? pick(List.of("A=left", "A=right", "A=right", "A=up")) : null,
        origin("rewards"),
        bytes(id),
        isBad ? new InputFault(ErrorCode.NOT_FINITE, "the reward is not finite") : null,
        null);
  }

  private long jitter() {
    return random.nextInt(4) == 0 ? random.nextLong(70_000) : random.nextLong(3_000);
  }

  private String id() {
    return "d" + random.nextInt(ids);
  }

  private Origin origin(String topic) {
    return new Origin(topic, 0, offset++, now);
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
