package io.equipoise.policy.linear;

import static org.assertj.core.api.Assertions.assertThat;

import io.equipoise.Tier;
import io.equipoise.event.CertificateStatus;
import io.equipoise.fairness.AuditSums;
import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.CertificateForecast;
import io.equipoise.policy.CertificateOutlook;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.SegmentTraffic;
import io.equipoise.policy.SegmentTraffic.ArmTraffic;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.SpecVariant;
import io.equipoise.segment.TestSpecs;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Forecasts of the rewards that arms still need, against what they turn out to need. */
@Tag("slow")
class LinearOutlookTest {
  private static final String FEATURES =
      "linucb, constraint: hard, model: %s, alpha: 0.45, features: [intercept, one-hot: X,"
          + " one-hot: S, one-hot: A, product: [one-hot: S, one-hot: A]],"
          + " explore: {share: 0.1, over: all}";
  private static final List<Candidate> ARMS =
      List.of(
          new Candidate("A=left", 0, Profile.of(0)), new Candidate("A=right", 1, Profile.of(1)));
  private static final int SEEDS = Tier.count(11, 31);
  private static final int EVERY = 20;

  /** A segment whose arms are played by chance. */
  private static final class World {
    private final Policy policy;
    private final SplittableRandom random;
    private final double[] effects;
    private final MemoryModelState state = new MemoryModelState();
    private final AuditSums sums = new AuditSums(2);
    private final long[] decisions = new long[2];

    World(String model, long seed, double... effects) {
      this(FEATURES.formatted(model), new SplittableRandom(seed), effects);
    }

    World(String text, SplittableRandom random, double... effects) {
      policy = TestSpecs.compiled(SpecVariant.of(text).text()).policy();
      this.random = random;
      this.effects = effects;
    }

    Request request(int s, int x) {
      return new Request(Profile.of(s, x), ARMS, true, 2);
    }

    void learn(int arm) {
      int s = random.nextInt(2);
      int x = random.nextInt(2);
      double p = .3 + .1 * x + .3 * arm + effects[arm] * (s - .5);
      double reward = random.nextDouble() < p ? 1 : 0;
      decisions[arm]++;
      sums.rewarded(new int[] {s}, reward);
      policy.learn(
          state,
          new Experience(
              new int[] {s, x},
              policy.inputs(request(s, x), arm),
              arm,
              arm,
              new int[] {-1},
              reward),
          decisions[0] + decisions[1]);
    }

    /** Learns rewards of all arms alike. */
    void learn(int rewards, double share) {
      for (int i = 0; i < rewards; i++) {
        learn(random.nextDouble() < share ? 1 : 0);
      }
    }

    SegmentTraffic traffic(double... shares) {
      List<ArmTraffic> arms = new ArrayList<>();
      for (int arm = 0; arm < shares.length; arm++) {
        arms.add(new ArmTraffic(arm, decisions[arm], shares[arm]));
      }
      return new SegmentTraffic(arms, 2, decisions[0] + decisions[1], 1, sums);
    }

    String digest() {
      try {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        state.digestInto(digest);
        return HexFormat.of().formatHex(digest.digest());
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }

    List<CertificateOutlook> outlook() {
      return policy.outlook(state, traffic(.5, .5));
    }
  }

  /** What arm 1 was said to need, and what it needed. */
  private record Need(double forecast, double actual) {}

  private static Need need(String model, int start, double effect, int seed) {
    World world = new World(model, seed, effect, effect);
    world.learn(start, .5);
    CertificateOutlook first = world.outlook().get(1);
    long before = world.decisions[1];
    while (world.outlook().get(1).status() == CertificateStatus.OPEN) {
      world.learn(EVERY, .5);
    }
    boolean isOpen = first.status() == CertificateStatus.OPEN;
    double never = first.rewards() == null ? Double.POSITIVE_INFINITY : first.rewards();
    return new Need(isOpen ? never : 0, world.decisions[1] - (double) before);
  }

  /** A single forecast may be far off, so medians over seeds are compared. */
  @ParameterizedTest
  @CsvSource({
    "shared, 0, 0",
    "shared, 100, 0",
    "shared, 400, .08",
    "disjoint, 100, .08",
    "disjoint, 400, 0"
  })
  void halfOfTheArmsNeedAboutTheForecast(String model, int start, double effect) {
    List<Need> needs =
        IntStream.range(0, SEEDS).mapToObj(seed -> need(model, start, effect, seed)).toList();
    double forecast = median(needs, Need::forecast);
    double actual = median(needs, Need::actual);
    Tier.found(getClass(), model + " " + start + " " + effect + ": forecast", forecast);
    Tier.found(getClass(), model + " " + start + " " + effect + ": needed", actual);
    assertThat(forecast).isBetween(actual / 2, 2 * actual);
  }

  private static double median(List<Need> needs, ToDoubleFunction<Need> of) {
    return needs.stream().mapToDouble(of).sorted().toArray()[needs.size() / 2];
  }

  @Test
  void theStatusSaysWhatTheIntervalsShow() {
    World world = new World("disjoint", 4, 0, .6);
    assertThat(world.outlook())
        .extracting(CertificateOutlook::status)
        .containsExactly(CertificateStatus.OPEN, CertificateStatus.OPEN);
    world.learn(3_000, .5);
    assertThat(world.outlook())
        .extracting(CertificateOutlook::status)
        .containsExactly(CertificateStatus.FAIR, CertificateStatus.UNFAIR);
    assertThat(world.outlook()).allMatch(it -> it.rewards() == null);
  }

  /** Running ends move at decisions alone. */
  @Test
  void lookingChangesNothing() {
    World world = new World("shared", 5, 0, 0);
    for (int t = 1; t <= 300; t++) {
      SeededRandom draw = new SeededRandom(1, "s", "d" + t);
      world.policy.decide(world.state, world.request(t % 2, t % 3 % 2), t, draw, ClippedIndex.NONE);
      world.learn(1, .5);
    }
    String before = world.digest();
    List<CertificateOutlook> outlook = world.outlook();
    assertThat(world.digest()).isEqualTo(before);
    assertThat(world.outlook()).isEqualTo(outlook).hasSize(2);
    MemoryModelState restored = new MemoryModelState();
    world.state.entries().forEach(it -> restored.put(it.getKey(), reread(it.getValue())));
    assertThat(world.policy.outlook(restored, world.traffic(.5, .5))).isEqualTo(outlook);
  }

  private static StateBlock reread(StateBlock block) {
    ByteBuffer bytes = StoredBytes.of(block);
    int format = Byte.toUnsignedInt(bytes.flip().get(0));
    return StoredBytes.read(
        Objects.requireNonNull(new LinearFamily().formats().get(format)).get(), bytes);
  }

  /** Arm 1 pays more, and was tried 40 times in 1,000. */
  @Test
  void aBetterArmThatIsSeldomPlayedIsLockedIn() {
    World world = new World("disjoint", 6, 0, 0);
    world.learn(960, 0);
    world.learn(40, 1);
    CertificateOutlook starved =
        world.policy.outlook(world.state, world.traffic(.997, .003)).get(1);
    assertThat(starved.isLockedIn()).isTrue();
    assertThat(starved.share()).isEqualTo(.003);
    assertThat(starved.decisions(1)).isGreaterThan(CertificateForecast.HOPELESS);
    assertThat(world.policy.outlook(world.state, world.traffic(.9, .1)))
        .as("a tenth of the decisions is enough")
        .noneMatch(CertificateOutlook::isLockedIn);
  }

  /** Arm 1 pays more, was tried 40 times in 1,000, and gets no share at present. */
  private static boolean isLockedIn(String explore, double effect) {
    String policy = FEATURES.formatted("disjoint").replaceAll("explore: .*", "explore: " + explore);
    World world = new World(policy, new SplittableRandom(6), effect, 0);
    world.learn(960, 0);
    world.learn(40, 1);
    List<CertificateOutlook> outlook = world.policy.outlook(world.state, world.traffic(1, 0));
    assertThat(outlook.get(0).status())
        .isEqualTo(effect == 0 ? CertificateStatus.FAIR : CertificateStatus.OPEN);
    assertThat(outlook.get(1).status()).isEqualTo(CertificateStatus.OPEN);
    return outlook.get(1).isLockedIn();
  }

  @Test
  void aGoalLocksNoArmInUntilItsBudgetIsSpentAndACertifiedArmIsPlayed() {
    assertThat(isLockedIn("{share: 0.001, over: all}", 0)).isTrue();
    assertThat(isLockedIn("certify", 0)).isFalse();
    assertThat(isLockedIn("balanced", 0)).isFalse();
    assertThat(isLockedIn("{over: balanced, budget: 1}", 0)).as("one try is left").isFalse();
    assertThat(isLockedIn("{over: balanced, budget: 0}", 0)).as("it is spent").isTrue();
    assertThat(isLockedIn("{over: balanced, budget: 0}", .18))
        .as("arm 0 is not certified, so arm 1 may become the target")
        .isFalse();
  }

  @Test
  void aWorseArmIsNotLockedInNorIsAnyBeforeAThousandDecisions() {
    World world = new World("disjoint", 6, 0, 0);
    world.learn(40, 0);
    world.learn(960, 1);
    assertThat(world.policy.outlook(world.state, world.traffic(.003, .997)))
        .noneMatch(CertificateOutlook::isLockedIn);
    World young = new World("disjoint", 6, 0, 0);
    young.learn(959, 0);
    young.learn(40, 1);
    assertThat(young.policy.outlook(young.state, young.traffic(.997, .003)))
        .noneMatch(CertificateOutlook::isLockedIn);
  }

  /** Rewards of any arm tell of an effect that all arms have. */
  @Test
  void anEffectOfAllArmsIsNeverLockedIn() {
    Policy policy =
        TestSpecs.compiled(
                SpecVariant.of(FEATURES.formatted("shared").replaceAll(", product: .*?]]", "]"))
                    .text())
            .policy();
    World world = new World("shared", 6, 0, 0);
    world.learn(1_000, .01);
    MemoryModelState none = new MemoryModelState();
    assertThat(policy.outlook(none, world.traffic(.997, .003)))
        .allMatch(it -> Math.abs(it.share() - 1) < 1e-12 && !it.isLockedIn());
  }
}
