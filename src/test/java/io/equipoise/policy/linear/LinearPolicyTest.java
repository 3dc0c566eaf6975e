package io.equipoise.policy.linear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.SpecException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decisions of linear policies, from a request to what is remembered of them. */
class LinearPolicyTest {
  private static final int ROUNDS = 300;

  /** Rounds of people who do not disclose S, after which complete rows have blocks of their own. */
  private static final int UNDISCLOSED_FIRST = 10;

  private static final List<Candidate> CATALOG =
      List.of(
          new Candidate("A=left", 0, Profile.of(0)), new Candidate("A=right", 1, Profile.of(1)));
  private static final String OF_PERSON = ", features: [intercept, level: {of: X, is: high}]";
  private static final String OF_ARM = ", features: [intercept, level: {of: A, is: left}]";

  private static final String BALANCED =
      "fair-linucb, groups: {attribute: S, privileged: a, protected: b%s}";
  private static final String FORGETFUL =
      BALANCED.formatted(", gamma: adaptive, forget: {rounds: 30}") + ", forget: {rounds: 20}";

  private final MemoryModelState blocks = new MemoryModelState();
  private long round;

  /**
   * A catalog's features are encoded once where they read no arm; a request that brings the same
   * arms itself has them encoded arm by arm.
   */
  @ParameterizedTest
  @ValueSource(strings = {OF_PERSON, OF_ARM})
  void theCatalogIsDecidedLikeTheSameArmsOfARequest(String features) {
    Policy bandit = bandit("linucb, alpha: 1, explore: {share: 0.3, over: all}" + features);
    SplittableRandom random = new SplittableRandom(11);
    for (int t = 1; t <= ROUNDS; t++) {
      Profile person = Profile.of(random.nextInt(2), random.nextInt(2));
      SeededRandom seededRandom = new SeededRandom(1, "s", "d" + t);
      Request ofSpec = new Request(person, CATALOG, true, 2);
      Request ofItself = new Request(person, CATALOG, false, 2);
      AuditedChoice expected = bandit.decide(blocks, ofItself, t, seededRandom, ClippedIndex.NONE);
      AuditedChoice found = bandit.decide(blocks, ofSpec, t, seededRandom, ClippedIndex.NONE);
      assertEquals(expected, found, "round " + t);
      int arm = found.choice().arm();
      double[] inputs = bandit.inputs(ofSpec, arm);
      assertArrayEquals(bandit.inputs(ofItself, arm), inputs);
      bandit.learn(
          blocks,
          new Experience(person.levels(), inputs, arm, arm, new int[] {-1}, random.nextDouble()),
          t);
    }
  }

  static List<String> policies() {
    return List.of(
        "linucb",
        "linucb, model: shared",
        "linucb, constraint: dual",
        "linucb, constraint: screen, model: shared",
        "linucb, forget: {discount: 0.9}",
        "linucb, forget: {rounds: 20}",
        "linucb, forget: {rounds: 20}, model: shared",
        BALANCED.formatted(""),
        BALANCED.formatted(", gamma: adaptive"),
        BALANCED.formatted(", forget: {rounds: 30}") + ", model: shared",
        FORGETFUL);
  }

  /**
   * The budget of checkpoints is what is written once every arm has learned; one whose inverse was
   * just made anew takes a number less.
   */
  @ParameterizedTest
  @MethodSource("policies")
  void aModelWeighsWhatItsBlocksDo(String policy) {
    Policy bandit = bandit(policy + ", explore: {share: 0.3, over: all}");
    bandit.succeed(null, blocks);
    play(bandit, CATALOG, 60);
    double spare = bandit.modelBytes() - bytes();
    List<Double> factors = List.of(0.0, 8.0, 16.0);
    assertTrue(factors.contains(spare), spare + " bytes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"linucb", "linucb, model: shared", "linucb, forget: {discount: 0.9}"})
  void anArmOfRequestsAddsWhatIsSaid(String policy) {
    Policy bandit = bandit(policy);
    play(bandit, CATALOG, 60);
    double before = bytes();
    play(bandit, List.of(new Candidate("own", 2, Profile.of(1))), 20);
    assertEquals(bytes() - before, bandit.bytesOfOwnArm());
  }

  /** What an arm of requests keeps when it is offered no more is a window of its own. */
  @Test
  void anArmThatIsGoneKeepsItsWindow() {
    Policy bandit = bandit(FORGETFUL);
    double before = 0;
    for (int own = 2; own < 5; own++) {
      play(bandit, List.of(new Candidate("own-" + own, own, Profile.of(1))), 80);
      double after = bytes();
      assertEquals(own > 2 ? bandit.bytesOfOwnArm() : after, after - before);
      before = after;
    }
  }

  /** Statistics go on where the two ways to say it drop the same, and only there. */
  @Test
  void naiveIsTheSameWhetherVariablesAreNamedOrCorrelated() {
    String features = ", features: [intercept, one-hot: S, one-hot: X, one-hot: A]";
    Policy named = bandit("linucb-unaware, drop: [S, X]" + features);
    String correlated =
        "linucb-unaware, drop: {correlated: %s, correlations: {X: 0.41}}" + features;
    Policy beyond = bandit(correlated.formatted(.3));
    assertEquals(3, ((LinearPolicy) beyond).dimension());
    assertEquals(named.fingerprint(), beyond.fingerprint());
    assertNotEquals(named.fingerprint(), bandit(correlated.formatted(.5)).fingerprint());
    play(named, CATALOG, 20);
    assertEquals(List.of(), beyond.succeed(named, blocks), "nothing starts anew");
  }

  @Test
  void aCertifiedSetThatCannotGrowIsWarnedOf() {
    for (String policy :
        List.of(
            "linucb, constraint: hard",
            "linucb, constraint: screen",
            "linucb, constraint: hard, explore: {share: 0.1, over: fair-set}",
            "epsilon-greedy, constraint: hard")) {
      assertTrue(isLockedIn(policy), policy);
    }
    for (String policy :
        List.of(
            "linucb",
            "linucb, constraint: dual-upper",
            "linucb, constraint: hard, model: shared",
            "linucb, constraint: hard, explore: balanced",
            "linucb, constraint: hard, explore: {share: 0.1, over: all}",
            "epsilon-greedy, constraint: screen")) {
      assertFalse(isLockedIn(policy), policy);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'linucb', 2, true",
    "'linucb-unaware, index: 1.5', 1.5, true",
    "'linucb, index: paper', 1, false",
    "'linucb, alpha: 0.3', 0.3, false",
    "'linucb-pcb, causal-bounds: {name: shop}', 1, false"
  })
  void anIndexIsForUseUnlessASpecOrAPaperSaysOtherwise(
      String policy, double factor, boolean isOfRewards) {
    LinearIndex index = new LinearCompilation(bandit(policy).spec()).policy().index();
    LinearIndex inner = index instanceof LinearIndex.Clipped clipped ? clipped.inner() : index;
    LinearIndex.Ucb ucb = (LinearIndex.Ucb) inner;
    assertEquals(new Radius.Fixed(factor), ucb.radius());
    assertEquals(isOfRewards, ucb.range() != null);
  }

  /** The price moves by what the effect exceeds tau less epsilon by. */
  @ParameterizedTest
  @ValueSource(strings = {"linucb, constraint: dual", "linucb-pcb, constraint: dual-upper"})
  void aPriceAimsBelowTauByEpsilon(String policy) {
    String causalBounds = policy.startsWith("linucb-pcb") ? ", causal-bounds: {name: shop}" : "";
    double[] price = new double[2];
    double[] epsilon = {.05, .15};
    for (int i = 0; i < 2; i++) {
      Policy bandit = bandit(policy + causalBounds + ", epsilon: " + epsilon[i]);
      MemoryModelState own = new MemoryModelState();
      Request request = new Request(Profile.of(0, 0), CATALOG.subList(0, 1), false, 2);
      for (int n = 0; n < 200; n++) {
        for (int s = 0; s < 2; s++) {
          Request taught = new Request(Profile.of(s, 0), CATALOG, true, 2);
          double[] inputs = bandit.inputs(taught, 0);
          bandit.learn(
              own,
              new Experience(taught.person().levels(), inputs, 0, 0, new int[] {-1}, .6 * s),
              1);
        }
      }
      bandit.decide(own, request, 1, new SeededRandom(1, "s", "d"), ClippedIndex.NONE);
      price[i] = ((PolicyState) Objects.requireNonNull(own.get(2L << 32))).dual();
    }
    assertTrue(price[0] > 0);
    assertEquals(100 / 100.0 * .1, price[1] - price[0], 1e-9);
  }

  @Test
  void epsilonIsBelowTauAndOfAPriceOnly() {
    for (String policy : List.of("linucb", "linucb, constraint: hard", "lin-ts")) {
      String refused = refusal(policy + ", epsilon: 0.1");
      assertTrue(refused.contains("policy.epsilon"), refused);
      assertTrue(refused.contains("what the price aims below tau"), refused);
    }
    String tooTight = refusal("linucb, constraint: dual, epsilon: 0.2");
    assertTrue(tooTight.contains("less than tau, which is 0.2"), tooTight);
    assertTrue(refusal("linucb, constraint: dual, epsilon: -0.1").contains("from 0 to below tau"));
    bandit("epsilon-greedy, constraint: dual, epsilon: 0.3");
  }

  private static String refusal(String policy) {
    return String.valueOf(assertThrows(SpecException.class, () -> bandit(policy)).getMessage());
  }

  private static boolean isLockedIn(String policy) {
    return bandit(policy).warnings().stream()
        .anyMatch(said -> said.startsWith("lock-in: with model: disjoint"));
  }

  private static Policy bandit(String policy) {
    String join = "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";
    String text = TestSpecs.text(policy, 1, join, "{range: [0, 1]}", "reject");
    return TestSpecs.compiled(text).policy();
  }

  private void play(Policy bandit, List<Candidate> offers, int rounds) {
    SplittableRandom random = new SplittableRandom(12);
    for (int i = 0; i < rounds; i++) {
      round++;
      int s = i < UNDISCLOSED_FIRST ? 2 : random.nextInt(2);
      Profile person = Profile.of(s, random.nextInt(2));
      Request request = new Request(person, offers, false, 5);
      SeededRandom seededRandom = new SeededRandom(1, "s", "d" + round);
      int place =
          bandit.decide(blocks, request, round, seededRandom, ClippedIndex.NONE).choice().arm();
      double[] inputs = bandit.inputs(request, place);
      int position = offers.get(place).position();
      bandit.learn(
          blocks, new Experience(person.levels(), inputs, -1, position, new int[] {-1}, .5), round);
    }
  }

  private double bytes() {
    double bytes = 0;
    for (Map.Entry<Long, StateBlock> entry : blocks.entries()) {
      bytes += Long.BYTES + entry.getValue().byteLength();
    }
    return bytes;
  }
}
