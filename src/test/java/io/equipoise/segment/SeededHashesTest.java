package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.Tier;
import io.equipoise.event.CandidateArm;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.Sha256;
import io.equipoise.policy.PolicyFamilies;
import io.equipoise.segment.log.WriterEpoch;
import io.equipoise.segment.state.ModelDigest;
import io.equipoise.segment.state.SegmentHeader;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Seeded decisions, propensities, audits and state are, bit for bit, those that the hashes of a
 * file say.
 *
 * <p>A segment serves people under every policy name, with late and lost rewards, candidates of
 * requests, changes of the spec, causal bounds, and answers that a lost attempt gave before. The
 * hashes are of the values by name, sorted, and leave out null: nesting the components of a record
 * does not change them.
 */
@Tag("slow")
class SeededHashesTest {
  private static final Path FILE = Path.of("src/test/resources/segment/seeded-hashes.tsv");
  private static final long SEED = 20_261_127;
  private static final int CI_ROUNDS = 300;
  private static final int ROUNDS_OF_A_SPEC = 60;
  private static final long STEP_MILLIS = 1_000;
  private static final double[] VALUES = {0, 0, 0.25, 1, 1};
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, max-pending: 50}";
  private static final String EVIDENCE =
      ", warm-start: [{arm: A=left, context: {S: a, X: low}, n: 20, mean: 0.5}]";
  private static final String BOUNDS = TestBounds.policy("", "ignore");
  private static final String GROUPS =
      ", groups: {attribute: S, privileged: a, protected: b, gamma: 2}";
  private static final String CONTROL = ", samples: 300, control: \"A=left\"";

  private static final List<String> POLICIES =
      List.of(
          "ucb",
          "ucb, constraint: dual, explore: {share: 0.2, over: all}, ties: seeded",
          "ucb, constraint: screen, explore: certify",
          "c-ucb",
          "d-ucb",
          "d-ucb, constraint: dual-upper",
          "f-ucb, ties: seeded",
          "f-ucb, explore: balanced",
          "ucb-pcb" + BOUNDS,
          "f-ucb" + BOUNDS,
          "linucb, explore: {share: 0.2, over: all}",
          "linucb, model: shared, constraint: hard, explore: earn",
          "linucb, constraint: dual, forget: {rounds: 40}",
          "linucb, constraint: hard, explore: balanced",
          "linucb, constraint: screen, forget: {discount: 0.95}",
          "linucb-unaware, features: [intercept, one-hot: S, one-hot: X]",
          "fair-linucb" + GROUPS,
          "fair-linucb, model: shared, forget: {rounds: 50}"
              + GROUPS.replace("gamma: 2", "forget: {discount: 0.9}"),
          "lin-ts, sample: {draws: 3}",
          "lin-ts, model: shared",
          "epsilon-greedy, epsilon: 0.2",
          "linucb-pcb" + BOUNDS,
          "linucb-biased" + EVIDENCE,
          "linucb-cp" + EVIDENCE,
          "glm-ucb",
          "ofulog, ties: seeded",
          "cclb, radius: {kind: lee24}, dual: {schedule: fixed, horizon: 500}",
          "eps-cclb, epsilon: 0.05, dual: {schedule: anytime}",
          "screen, radius: {kind: lee24b}, explore: {share: 0.2, over: fair-set}, ties: seeded",
          "screen, explore: {over: balanced, budget: 50}",
          "dual-upper, dual: {cap: 3, schedule: doubling}",
          "forced-exploration, explore: {share: 0.3, over: all}",
          "oam, horizon: 1000",
          "oam, horizon: 1000, explore: {share: 0.3, over: all}",
          "oam-pcb, horizon: 1000" + BOUNDS,
          "csr-v1" + CONTROL,
          "csr-v2" + CONTROL + ", mode: separate",
          "ts-v1" + CONTROL + ", mode: natural",
          "ts-v2" + CONTROL + ", mode: pooled, estimate: direct");

  /** The JVM makes new ones at each call. */
  private static final ClassValue<RecordComponent[]> PARTS =
      new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
          return type.getRecordComponents();
        }
      };

  static List<String> policies() {
    return POLICIES;
  }

  @Test
  void everyPolicyNameIsPlayed() {
    Set<String> played = new TreeSet<>();
    POLICIES.forEach(policy -> played.add(policy.replaceFirst(",.*", "")));
    Set<String> installed = new TreeSet<>();
    PolicyFamilies.installed().names().forEach(name -> installed.add(name.wire()));
    assertEquals(installed, played);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void decisionsAuditsAndStateAreThoseOfTheFile(String policy) throws IOException {
    List<String> written =
        Files.readAllLines(FILE).stream().filter(it -> it.startsWith(policy + "\t")).toList();
    List<String> expected = written.subList(0, Tier.count(1, written.size()));
    String longest = expected.get(expected.size() - 1).split("\t", -1)[1];
    assertEquals(
        expected,
        played(policy, Integer.parseInt(longest)),
        "policy, rounds, and the hashes of decisions, audits, the rest of the log, state");
  }

  /**
   * Run with {@code -Dequipoise.write-hashes=5000} where behavior changes on purpose: the full tier
   * plays that many rounds then, and CI the first 300.
   */
  @Test
  @EnabledIfSystemProperty(named = "equipoise.write-hashes", matches = "\\d+")
  void writeTheFile() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String policy : POLICIES) {
      lines.addAll(played(policy, Integer.getInteger("equipoise.write-hashes")));
    }
    Files.createDirectories(Objects.requireNonNull(FILE.getParent()));
    Files.write(FILE, lines);
  }

  private static List<String> played(String policy, int rounds) {
    Play play = new Play(policy);
    List<String> lines = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      if (round == CI_ROUNDS) {
        lines.add(play.line());
      }
      play.round();
    }
    lines.add(play.line());
    return lines;
  }

  /** One segment that people visit. */
  private static final class Play {
    private final String policy;
    private final TestBook book = new TestBook();
    private final TestBounds bounds = new TestBounds();
    private final ByteSegmentState state = new ByteSegmentState();
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final TreeMap<Long, RewardEvent> rewards = new TreeMap<>();
    private final MessageDigest decisions = Sha256.begin();
    private final MessageDigest audits = Sha256.begin();
    private final MessageDigest rest = Sha256.begin();
    private RecordedLog log = new RecordedLog();
    private int round;
    private long now = Scenario.ORIGIN_MILLIS;

    Play(String policy) {
      this.policy = policy;
    }

    void round() {
      if (round % ROUNDS_OF_A_SPEC == 0) {
        book.publish(spec(round / ROUNDS_OF_A_SPEC));
        double left = random.nextDouble();
        bounds.publish(
            TestBounds.set(
                1 + round / ROUNDS_OF_A_SPEC,
                new double[] {left / 2, 0.5 + left / 2},
                new double[] {0, 0.25 + random.nextDouble() / 2}));
      }
      round++;
      now += STEP_MILLIS;
      for (var due = state.pollTimer(now); due != null; due = state.pollTimer(now)) {
        machine(null).onTimer(due, Scenario.SEGMENT, state, log);
      }
      while (!rewards.isEmpty() && rewards.firstKey() <= now) {
        machine(null)
            .onReward(Objects.requireNonNull(rewards.pollFirstEntry()).getValue(), state, log);
      }
      ContextEvent context = context();
      long at = now + random.nextLong(70) * STEP_MILLIS + round % STEP_MILLIS;
      if (random.nextInt(5) > 0) {
        rewards.put(at, reward(context, at));
      }
      machine(random.nextInt(8) == 0 ? lost(context) : null).onContext(context, state, log);
      log.decisions.forEach(it -> hash(decisions, it));
      log.audits.forEach(it -> hash(audits, it));
      Stream.of(log.experiments, log.segmentEvents, log.metrics, log.deadLetters)
          .flatMap(List::stream)
          .forEach(it -> hash(rest, it));
      log = new RecordedLog();
    }

    /** Returns the answer of an attempt that was lost, now and then with another arm. */
    private Decision lost(ContextEvent context) {
      RecordedLog answers = new RecordedLog();
      machine(null).onContext(context, state.copy(), answers);
      Decision answer = answers.decisions.get(0);
      boolean isOther = answer.candidates().size() > 1 && random.nextInt(3) == 0;
      return isOther
          ? new DecisionCopy(answer)
              .arm(answer.candidates().get(random.nextInt(answer.candidates().size())))
              .made()
          : answer;
    }

    private SegmentMachine machine(@Nullable Decision given) {
      List<Decision> owed = given == null ? List.of() : List.of(given);
      List<Decision> left = new ArrayList<>(owed);
      WriterEpoch epoch =
          new WriterEpoch(1, any -> left.isEmpty() ? null : left.remove(0), segment -> 5);
      return new SegmentMachine(book, bounds, () -> now, epoch);
    }

    private ContextEvent context() {
      String id = "d" + (random.nextInt(20) == 0 ? random.nextInt(round) : round);
      String x = random.nextInt(40) == 0 ? "mid" : random.nextBoolean() ? "low" : "high";
      List<CandidateArm> candidates =
          random.nextInt(10) == 0
              ? List.of(
                  new CandidateArm("A=left", Map.of("A", "left")),
                  new CandidateArm("new", Map.of("A", "right")))
              : null;
      return new ContextEvent(
          id,
          Scenario.SEGMENT,
          now - random.nextLong(2_000),
          Map.of("S", random.nextInt(3) == 0 ? "a" : "b", "X", x),
          candidates,
          random.nextInt(20) == 0 ? now - 1 : null,
          new Origin("contexts", 0, round, now),
          id.getBytes(StandardCharsets.UTF_8));
    }

    private RewardEvent reward(ContextEvent context, long at) {
      return new RewardEvent(
          context.decisionId(),
          null,
          Scenario.SEGMENT,
          at,
          VALUES[random.nextInt(VALUES.length)],
          random.nextInt(10) == 0 ? Map.of() : Map.of("M", random.nextBoolean() ? "1" : "0"),
          random.nextInt(20) == 0 ? "A=right" : null,
          new Origin("rewards", 0, round, at),
          new byte[] {(byte) round});
    }

    /** Changes the rule, the levels, the arms, and back. */
    private String spec(int change) {
      String reward = "{range: [0, 1], default: {value: 0, mediators: {M: \"1\"}}}";
      if (policy.contains("samples:")) {
        String text = TestSpecs.experiment(policy, 1 + change, JOIN, reward, "reset");
        return change / 4 % 2 == 0 ? text : text.replace("tau: 0.2", "tau: 0.3");
      }
      SpecVariant variant = SpecVariant.of(policy).version(1 + change).join(JOIN).reward(reward);
      variant.onIncompatibleChange("reset");
      return switch (change % 5) {
        case 1 -> variant.fairness("tau: 0.1, delta: 0.05").text();
        case 2 -> variant.levels("X", "low", "mid", "high").text();
        case 3 -> variant.arms("{id: \"A=left\", A: left}", "{id: two, A: right}").text();
        case 4 -> variant.reward("{range: [0, 1]}").text();
        default -> variant.text();
      };
    }

    String line() {
      return String.join(
          "\t", policy, "" + round, hex(decisions), hex(audits), hex(rest), stateHash());
    }

    private String stateHash() {
      SegmentHeader head = Objects.requireNonNull(state.head());
      return ModelDigest.of(state, head).substring(0, 16) + ModelDigest.pending(head);
    }

    private static String hex(MessageDigest digest) {
      try {
        return HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest(), 0, 8);
      } catch (CloneNotSupportedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void hash(MessageDigest into, Record written) {
    List<String> leaves = new ArrayList<>();
    addLeaves(written.getClass().getSimpleName(), written, leaves);
    into.update((leaves + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static void addLeaves(String path, @Nullable Object value, List<String> leaves) {
    if (value instanceof Record nested) {
      for (RecordComponent part : PARTS.get(nested.getClass())) {
        addLeaves(path + "." + part.getName(), valueOf(part, nested), leaves);
      }
    } else if (value instanceof Collection<?> many) {
      int place = 0;
      for (Object one : many) {
        addLeaves(path + "[" + place++ + "]", one, leaves);
      }
    } else if (value instanceof Map<?, ?> named) {
      new TreeMap<>(named).forEach((key, one) -> addLeaves(path + "{" + key + "}", one, leaves));
    } else if (value != null && value.getClass().isArray()) {
      for (int place = 0; place < Array.getLength(value); place++) {
        addLeaves(path + "[" + place + "]", Array.get(value, place), leaves);
      }
    } else if (value != null) {
      leaves.add(path + "=" + value);
    }
  }

  private static @Nullable Object valueOf(RecordComponent part, Record of) {
    try {
      return part.getAccessor().invoke(of);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
