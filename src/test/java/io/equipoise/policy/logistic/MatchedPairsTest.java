package io.equipoise.policy.logistic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.Tier;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditInterval;
import io.equipoise.event.AuditVerdict;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.CertificateForecast.Expected;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.logistic.PairsPlan.PairsForecast;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Matched pairs: docs/math/weighted-sums.md#matched-pairs. */
@Tag("slow")
class MatchedPairsTest extends LogisticPolicyFixture {
  private static final double DELTA = .05;

  /** The threshold of one pair of levels of one arm. */
  private static final double ONE_TEST = Math.log(2 / (.95 * DELTA));

  /** The same where later anchors have their share. */
  private static final double FIRST_ANCHOR = ONE_TEST - Math.log(.8);

  private static double anchor(double tau) {
    return 2 * Math.log((1 + tau) / (1 - tau));
  }

  private static PairTest test(int strata, double tau) {
    PairTest test = new PairTest(strata);
    test.adopt(anchor(tau), ONE_TEST);
    return test;
  }

  private static boolean isOne(SplittableRandom random, double base, double l, int level) {
    return random.nextDouble() < Logistic.mean(base + l * (level - .5));
  }

  /** Observes rewards whose log odds are base -/+ half of l at the two levels. */
  private static void learn(
      PairTest test,
      SplittableRandom random,
      int rewards,
      double base,
      double l,
      boolean isSticky) {
    for (int i = 0; i < rewards; i++) {
      int level = random.nextInt(2);
      test.observe(random.nextInt(18), level == 1, isOne(random, base, l, level), isSticky);
    }
  }

  @Test
  void countsAndWealthAreTheGoldenOnes() throws IOException {
    JsonNode golden;
    try (InputStream in =
        Objects.requireNonNull(getClass().getResourceAsStream("/certificates/pairs.json"))) {
      golden = new ObjectMapper().readTree(in);
    }
    PairTest test = new PairTest(6);
    int t = 0;
    int checked = 0;
    for (JsonNode row : golden.get("rows")) {
      test.observe(row.get(0).asInt(), row.get(1).asInt() == 1, row.get(2).asInt() == 1, true);
      t++;
      for (JsonNode at : golden.get("trace")) {
        if (at.get("t").asInt() == t) {
          long[] counts = test.counts();
          assertThat(counts)
              .containsExactly(at.get("D").asInt(), at.get("A").asInt(), at.get("open").asInt());
          assertWealth(counts, .604, at.get("against"));
          assertWealth(counts, 1, at.get("againstOne"));
          checked++;
        }
      }
    }
    assertThat(checked).isEqualTo(4);
  }

  private static void assertWealth(long[] counts, double l0, JsonNode expected) {
    long[] ones = {counts[1], counts[0] - counts[1]};
    for (int side = 0; side < 2; side++) {
      double value = expected.get(side).asDouble();
      assertThat(PairTest.logWealth(counts[0], ones[side], counts[2], .604, l0))
          .isCloseTo(value, within(1e-9 * Math.abs(value)));
    }
  }

  /** What the end refutes is what the certificate's rule refutes: wealth, and where it rises. */
  @Test
  void anEndIsTheLeastOddsThatTheWealthRefutes() {
    SplittableRandom random = new SplittableRandom(1);
    int refuted = 0;
    for (int run = 0; run < 12; run++) {
      double tau = .05 + .3 * random.nextDouble();
      PairTest test = test(6, tau);
      int rewards = 100 + random.nextInt(2000);
      for (int i = 0; i < rewards; i++) {
        test.observe(random.nextInt(6), random.nextBoolean(), random.nextBoolean(), false);
      }
      long[] counts = test.counts();
      for (double l0 = anchor(tau); l0 < 3; l0 += .05) {
        boolean isRefuted =
            PairTest.logWealth(counts[0], counts[1], counts[2], anchor(tau), l0) >= FIRST_ANCHOR
                && Logistic.mean(l0) * (counts[0] + counts[2]) >= counts[1] + counts[2];
        assertThat(test.upper() <= l0).as("%s at %s", tau, l0).isEqualTo(isRefuted);
        refuted += isRefuted ? 1 : 0;
      }
      assertThat(test.upper()).isGreaterThan(0);
      assertThat(test.lower()).isLessThan(0);
    }
    assertThat(refuted).isGreaterThan(100);
  }

  /** Opens halves at the lower level, and lets a partner come only to a half with a 1. */
  private static double greatestOfLucky(
      SplittableRandom random, int strata, double l0, boolean isCharged) {
    PairTest test = new PairTest(strata);
    double greatest = Double.NEGATIVE_INFINITY;
    for (int stratum = 0; stratum < strata; stratum++) {
      while (isOne(random, 0, l0, 0)) {
        test.observe(stratum, false, true, true);
        test.observe(stratum, true, isOne(random, 0, l0, 1), true);
        greatest = Math.max(greatest, wealth(test, l0, isCharged));
      }
      test.observe(stratum, false, false, true);
      greatest = Math.max(greatest, wealth(test, l0, isCharged));
    }
    return greatest;
  }

  private static double wealth(PairTest test, double l0, boolean isCharged) {
    long[] counts = test.counts();
    return PairTest.logWealth(counts[0], counts[1], isCharged ? counts[2] : 0, l0, l0);
  }

  /** Table of section 8: 0 % with the charge, 97.7 % of runs without it, at 50 strata. */
  @Test
  void aPolicyThatOnlyClosesLuckyHalvesIsChargedForTheOthers() {
    int runs = Tier.count(40, 2000);
    int charged = 0;
    int free = 0;
    SplittableRandom random = new SplittableRandom(2);
    for (int run = 0; run < runs; run++) {
      charged += greatestOfLucky(random, 100, .604, true) >= Math.log(1 / DELTA) ? 1 : 0;
      free += greatestOfLucky(random, 100, .604, false) >= Math.log(1 / DELTA) ? 1 : 0;
    }
    Tier.foundShare(getClass(), "pairs: hostile runs that cross", charged, runs);
    Tier.foundShare(getClass(), "pairs: hostile runs that cross without the charge", free, runs);
    assertThat(charged).isLessThanOrEqualTo((int) (DELTA * runs));
    assertThat(free).isGreaterThan(runs / 2);
  }

  /** The true l is that which tau allows, so that every certificate is false. */
  @Test
  void atTheBorderPairsCertifyAtMostDelta() {
    int runs = Tier.count(60, 2000);
    double border = anchor(.15);
    int wrong = 0;
    SplittableRandom random = new SplittableRandom(3);
    for (int run = 0; run < runs; run++) {
      PairTest test = test(18, .15);
      learn(test, random, 3000, 0, run % 2 == 0 ? border : -border, true);
      wrong += Math.max(test.upper(), -test.lower()) <= border ? 1 : 0;
    }
    Tier.foundShare(getClass(), "pairs: runs with a false certificate at the border", wrong, runs);
    assertThat(wrong).isLessThanOrEqualTo((int) (DELTA * runs));
  }

  /** Rows of table 5.3, looked at every 50: 1,450 and 2,750 rewards. */
  @ParameterizedTest
  @CsvSource({".15, 1150, 1800", ".1, 2200, 3300"})
  void pairsCertifyAfterTheRewardsOfTheTable(double tau, int from, int to) {
    int runs = Tier.count(7, 101);
    int[] first = new int[runs];
    SplittableRandom random = new SplittableRandom(4);
    for (int run = 0; run < runs; run++) {
      PairTest test = test(18, tau);
      while (Math.max(test.upper(), -test.lower()) > anchor(tau)) {
        learn(test, random, 50, 0, 0, false);
        first[run] += 50;
      }
    }
    Arrays.sort(first);
    assertThat(first[runs / 2]).isBetween(from, to);
    Tier.found(getClass(), "rewards until certified, tau " + tau, first[runs / 2]);
  }

  /** Another anchor is another test, which must not use the share of the one before again. */
  @Test
  void aSlightlyOtherTauIsTheSameTestAndADistantOneHasAShareOfItsOwn() {
    PairTest test = test(18, .15);
    PairTest fresh = test(18, .04);
    learn(test, new SplittableRandom(6), 6000, 0, 0, false);
    learn(fresh, new SplittableRandom(6), 6000, 0, 0, false);
    double before = test.upper();
    test.adopt(anchor(.2), ONE_TEST);
    assertThat(test.upper()).isEqualTo(before);
    test.adopt(anchor(.04), ONE_TEST);
    assertThat(test.upper()).isGreaterThan(fresh.upper());
    test.adopt(anchor(.15), ONE_TEST);
    assertThat(test.upper()).as("what was given out is gone").isGreaterThan(before);
  }

  @Test
  void exchangedLevelsMirrorTheEndsAndStickyEndsOnlyNarrow() {
    SplittableRandom random = new SplittableRandom(5);
    PairTest test = test(6, .15);
    PairTest mirrored = test(6, .15);
    PairTest plain = test(6, .15);
    int wider = 0;
    for (int i = 0; i < 3000; i++) {
      double before = test.upper();
      int stratum = random.nextInt(6);
      int level = random.nextInt(2);
      boolean isOne = isOne(random, 0, .2, level);
      test.observe(stratum, level == 1, isOne, true);
      mirrored.observe(stratum, level == 0, isOne, true);
      plain.observe(stratum, level == 1, isOne, false);
      assertThat(mirrored.upper()).isEqualTo(-test.lower());
      assertThat(mirrored.lower()).isEqualTo(-test.upper());
      assertThat(test.upper()).isLessThanOrEqualTo(Math.min(before, plain.upper() + 1e-9));
      wider += plain.upper() > test.upper() ? 1 : 0;
    }
    assertThat(test.upper()).isGreaterThan(-test.lower()); // l is .2
    assertThat(wider).isPositive();
  }

  @Test
  void bytesGoRoundAndAReplayLeavesTheSame() {
    LogisticPolicy bandit = bandit(SCREEN, "0.15, certificates: {interval: pairs}");
    ModelState one = new MemoryModelState();
    ModelState other = new MemoryModelState();
    for (ModelState state : List.of(one, other)) {
      play(bandit, state, 200, 0, 0);
    }
    assertThat(bytes(other)).isEqualTo(bytes(one));
    for (int position = 0; position < 3; position++) {
      PairsBlock block = (PairsBlock) Objects.requireNonNull(one.get((1L << 32) + position));
      ByteBuffer bytes = StoredBytes.of(block);
      PairsBlock read = StoredBytes.read(new PairsBlock(), bytes.flip());
      assertThat(bytes.remaining()).isZero();
      assertThat(read).isEqualTo(block);
      assertThat(read.test(0).counts()).isEqualTo(block.test(0).counts());
      assertThat(block.copy()).isEqualTo(block).isNotSameAs(block);
      bytes.rewind().putInt(5, Integer.MAX_VALUE);
      assertThatThrownBy(() -> StoredBytes.read(new PairsBlock(), bytes))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static final String SCREEN =
      "screen, features: [intercept, one-hot: S, one-hot: X, one-hot: A],"
          + " explore: {share: 0.3, over: all}";

  private static int person(SplittableRandom random) {
    return random.nextInt(4);
  }

  private static Request request(LogisticPolicy bandit, int person) {
    Request request = request(bandit, person % 2, 0, 3);
    return new Request(
        new Profile(new int[] {person % 2, person / 2}, new double[] {0}),
        request.candidates(),
        true,
        3);
  }

  /** Gives every arm in turn rewards of log odds base -/+ half of l at the levels of S. */
  private static void play(
      LogisticPolicy bandit, ModelState state, int rounds, double base, double l) {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int t = 0; t < rounds; t++) {
      for (int arm = 0; arm < 3; arm++) {
        int person = person(random);
        boolean isOne = isOne(random, base, l, person % 2);
        learn(bandit, state, request(bandit, person), arm, isOne ? 1 : 0);
      }
    }
  }

  private static AuditFinding finding(LogisticPolicy bandit, ModelState state, int person) {
    Request request = request(bandit, person);
    Request left = new Request(request.person(), request.candidates().subList(0, 1), false, 3);
    return decide(bandit, state, left, 99_999).findings().get(0);
  }

  @Test
  void aPolicyCertifiesAtAllTimesAndItsAuditTellsBy() {
    LogisticPolicy bandit = bandit(SCREEN, "0.2, certificates: {interval: pairs}");
    ModelState state = new MemoryModelState();
    bandit.succeed(null, state);
    AuditFinding before = finding(bandit, state, 0);
    assertThat(before.effect().interval()).isEqualTo(AuditInterval.PAIRS);
    assertThat(before.effect().lower()).isEqualTo(-1);
    assertThat(before.effect().upper()).isEqualTo(1);
    play(bandit, state, 2500, 0, 0);
    for (int person = 0; person < 4; person++) {
      AuditFinding finding = finding(bandit, state, person);
      assertThat(finding.verdict()).isEqualTo(AuditVerdict.CERTIFIED_FAIR);
      assertThat(finding.guarantee()).isEqualTo(AuditGuarantee.ANYTIME);
      assertThat(finding.effect().interval()).isEqualTo(AuditInterval.PAIRS);
      assertThat(finding.effect().information()).isNull();
      assertThat(finding.effect().lower()).isNegative();
      assertThat(finding.effect().upper()).isPositive();
      AuditFinding other = finding(bandit, state, person ^ 1);
      if (finding.effect().factual() != other.effect().factual()) {
        assertThat(other.effect().upper()).isCloseTo(-finding.effect().lower(), within(1e-12));
      }
    }
    LogisticPolicy plain = bandit(SCREEN, "0.2, certificates: {interval: ellipsoid}");
    int bytes = Objects.requireNonNull(state.get(1L << 32)).byteLength();
    int shares = Long.BYTES + Objects.requireNonNull(state.get(DeltaShares.KEY)).byteLength();
    assertThat(bandit.modelBytes() - plain.modelBytes())
        .isEqualTo(3. * (Long.BYTES + bytes) + shares);
  }

  /** Both probabilities are small, so a larger l is allowed: the cell's rewards show that. */
  @Test
  void aLowBaseRateAllowsMore() {
    LogisticPolicy bandit = bandit(SCREEN, "0.1, certificates: {interval: pairs}");
    ModelState even = new MemoryModelState();
    ModelState low = new MemoryModelState();
    play(bandit, even, 1500, 0, 0);
    play(bandit, low, 1500, -3, 0);
    PairTest ofEven = ((PairsBlock) Objects.requireNonNull(even.get(1L << 32))).test(0);
    PairTest ofLow = ((PairsBlock) Objects.requireNonNull(low.get(1L << 32))).test(0);
    assertThat(ofLow.upper()).isGreaterThan(ofEven.upper());
    assertThat(finding(bandit, low, 0).effect().worst())
        .isLessThan(finding(bandit, even, 0).effect().worst());
    double l = Math.max(ofEven.upper(), -ofEven.lower());
    double most = Logistic.mean(l / 2) - Logistic.mean(-l / 2);
    assertThat(finding(bandit, even, 0).effect().worst()).isLessThanOrEqualTo(most + 1e-12);
  }

  /** Pairs certify fairness only; that an effect is larger than tau is the ellipsoid's word. */
  @Test
  void anUnfairEffectIsTheEllipsoids() {
    LogisticPolicy bandit = bandit(SCREEN, "0.1, certificates: {interval: pairs}");
    ModelState state = new MemoryModelState();
    play(bandit, state, 1500, 0, 2.5);
    AuditFinding finding = finding(bandit, state, 1);
    assertThat(finding.verdict()).isEqualTo(AuditVerdict.UNFAIR);
    assertThat(finding.effect().interval()).isEqualTo(AuditInterval.ELLIPSOID);
    assertThat(finding.guarantee()).isEqualTo(AuditGuarantee.APPROXIMATE);
  }

  @Test
  void anArmThatTheSpecLacksHasNoPairs() {
    LogisticPolicy bandit = bandit(SCREEN, "0.2, certificates: {interval: pairs}");
    ModelState state = new MemoryModelState();
    play(bandit, state, 1500, 0, 0);
    List<Candidate> own = new ArrayList<>();
    own.add(new Candidate("A=left, but dearer", 0, Profile.of(0)));
    Request request = new Request(request(bandit, 0).person(), own, false, 4);
    AuditFinding finding = decide(bandit, state, request, 7).findings().get(0);
    assertThat(finding.effect().worst()).isEqualTo(1);
    assertThat(finding.verdict()).isNotEqualTo(AuditVerdict.CERTIFIED_FAIR);
  }

  /** A smaller delta needs more wealth: the ends are computed again from the counts. */
  @Test
  void anotherDeltaOrTauComputesTheEndsAgain() {
    ModelState state = new MemoryModelState();
    LogisticPolicy first = bandit(SCREEN, "0.2, certificates: {interval: pairs}");
    play(first, state, 1500, 0, 0);
    double before = finding(first, state, 0).effect().worst();
    LogisticPolicy strict = bandit(SCREEN, "0.2, delta: 0.0001, certificates: {interval: pairs}");
    assertThat(finding(strict, copyOf(state), 0).effect().worst()).isGreaterThan(before);
    LogisticPolicy narrow = bandit(SCREEN, "0.1, certificates: {interval: pairs}");
    assertThat(finding(narrow, copyOf(state), 0).effect().worst()).isNotEqualTo(before);
  }

  private static ModelState copyOf(ModelState state) {
    ModelState copy = new MemoryModelState();
    state.entries().forEach(entry -> copy.put(entry.getKey(), entry.getValue().copy()));
    return copy;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "screen, features: [intercept, one-hot: S, number: X] | a number, level or match of X",
        "screen, features: [intercept, one-hot: S, {product: [one-hot: S, one-hot: X]}]"
            + " | a product of S and X",
        "linucb | policy linucb",
        "f-ucb | policy f-ucb"
      })
  void whatHasNoPairsIsRefused(String policy, String misfit) {
    assertThatThrownBy(() -> bandit(policy, "0.1, certificates: {interval: pairs}"))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining("fairness.certificates.interval")
        .hasMessageContaining("pairs with " + misfit)
        .hasMessageContaining("contrast");
  }

  private static LogisticPolicy withLevels(int x, int y) {
    List<String> ofX = IntStream.range(0, x).mapToObj(i -> "x" + i).toList();
    List<String> ofY = IntStream.range(0, y).mapToObj(i -> "y" + i).toList();
    return LogisticPolicy.compile(
        SpecParser.parse(
            """
            name: wide
            version: 1
            segments: default
            variables:
              S: {role: sensitive, levels: [a, b]}
              X: {role: context, levels: %s}
              Y: {role: context, levels: %s}
              A: {role: action, levels: [left, right]}
              R: {role: reward}
            graph: "dag { {S X Y A} -> R }"
            arms: all
            reward: {range: [0, 1]}
            policy:
              name: screen
              features: [intercept, one-hot: S, one-hot: X, one-hot: Y, one-hot: A]
            fairness: {tau: 0.1, certificates: {interval: pairs}}
            join: {reward-window: 60s, fallback: "A=left"}
            """
                .formatted(ofX, ofY)));
  }

  @Test
  void moreStrataThanTheLimitAreRefused() {
    assertThat(withLevels(32, 32).modelBytes()).isLessThan(300_000);
    assertThatThrownBy(() -> withLevels(33, 32))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining("pairs with 1056 strata of an arm")
        .hasMessageContaining("at most 1024");
  }

  @Test
  void productsOfTheAttributeWithAnArmArePairs() {
    LogisticPolicy bandit =
        bandit(
            "screen, features: [intercept, one-hot: S, {product: [one-hot: S, one-hot: A]}]",
            "0.1, certificates: {interval: pairs}");
    assertThat(new LogisticFamily().forecast(bandit, new Expected(.1, DELTA, .5, 1)))
        .isInstanceOf(PairsForecast.class);
  }
}
