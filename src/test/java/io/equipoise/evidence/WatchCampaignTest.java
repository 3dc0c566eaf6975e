package io.equipoise.evidence;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.causal.bounds.ClopperPearson;
import io.equipoise.simulation.Parallel;
import io.equipoise.simulation.SplitMix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Streams of learning champions and challengers whose truth is known: how often the gate and the
 * monitor err, and how many rows they need. The tests beside them are looked at as often.
 */
@Tag("slow")
class WatchCampaignTest {
  private static final int TYPES = 8;
  private static final int ARMS = 4;
  private static final int WINDOW = 400;
  private static final int LOOK = 100;
  private static final int PEEK = 500;
  private static final double EXPLORED = .1;
  private static final double ONE_SIDED = 1.645;

  /** How a policy with 10 % exploration picks its arm. */
  private interface Greedy {
    int arm(int type, long[][] shown, double[][] paid);
  }

  /** Learns for each value of some bits of the type. */
  private static Greedy greedy(int bits, int first) {
    return (type, shown, paid) -> {
      int best = first;
      double most = -1;
      for (int i = 0; i < ARMS; i++) {
        int arm = (first + i) % ARMS;
        double n = 0;
        double sum = 0;
        for (int of = 0; of < TYPES; of++) {
          if ((of & bits) == (type & bits)) {
            n += shown[of][arm];
            sum += paid[of][arm];
          }
        }
        double mean = n == 0 ? 1 : sum / n;
        best = mean > most ? arm : best;
        most = Math.max(most, mean);
      }
      return best;
    };
  }

  /** The mean reward of a type and an arm. */
  private interface World {
    double mean(int row, int type, int arm);
  }

  /** What a stream showed. */
  private static final class Stream {
    private final OffPolicySums sums = new OffPolicySums();
    private double trueDifference;
    private double trueValue;
    private double squares;
    private boolean isPassed;
    private boolean isPassedByPeeking;
    private boolean isMissed;
    private int passedAt = Integer.MAX_VALUE;
    private double deviations;
  }

  private static double[] policy(int arm) {
    double[] policy = new double[ARMS];
    Arrays.fill(policy, EXPLORED / ARMS);
    policy[arm] += 1 - EXPLORED;
    return policy;
  }

  private static int draw(double[] policy, double uniform) {
    int arm = 0;
    for (double left = uniform; arm < ARMS - 1 && left >= policy[arm]; arm++) {
      left -= policy[arm];
    }
    return arm;
  }

  /**
   * Plays a stream. Successes come after a random delay that grows with the arm, failures at the
   * end of the window; rows count in the order of decisions.
   *
   * @param missing share of successes that are lost; a quarter of it of failures
   * @param isCoverage whether the intervals are compared with the truth at each look
   * @param toFirst whether the stream ends when the gate passes
   */
  private static Stream play(
      long seed,
      int rows,
      double share,
      World world,
      Greedy champion,
      Greedy challenger,
      double missing,
      boolean isCoverage,
      boolean toFirst) {
    SplitMix random = new SplitMix(seed);
    Stream stream = new Stream();
    long[][] shown = new long[TYPES][ARMS];
    double[][] paid = new double[TYPES][ARMS];
    int[][] due = new int[WINDOW + 1][0];
    double[][] sum = new double[TYPES][ARMS];
    double[][] count = new double[TYPES][ARMS];
    for (int row = 1; row <= rows; row++) {
      int slot = row % due.length;
      for (int code : due[slot]) {
        int known = code / 2;
        shown[known / ARMS][known % ARMS]++;
        paid[known / ARMS][known % ARMS] += code % 2;
      }
      due[slot] = new int[0];
      int type = (int) (TYPES * random.nextDouble());
      double[] p = policy(champion.arm(type, shown, paid));
      double[] pi = policy(challenger.arm(type, shown, paid));
      int arm = draw(p, random.nextDouble());
      boolean isPaid = random.nextDouble() < world.mean(row, type, arm);
      boolean isLost = random.nextDouble() < (isPaid ? missing : missing / 4);
      int delay =
          isPaid && !isLost ? 1 + (int) (random.nextDouble() * (arm + 1) * WINDOW / ARMS) : WINDOW;
      if (!isLost) {
        int at = (row + Math.min(delay, WINDOW)) % due.length;
        due[at] = Arrays.copyOf(due[at], due[at].length + 1);
        due[at][due[at].length - 1] = 2 * (type * ARMS + arm) + (isPaid ? 1 : 0);
      }
      double[] q = new double[ARMS];
      for (int a = 0; a < ARMS; a++) {
        q[a] = count[type][a] == 0 ? .5 : sum[type][a] / count[type][a];
        stream.trueValue += pi[a] * world.mean(row, type, a);
        stream.trueDifference += (pi[a] - p[a]) * world.mean(row, type, a);
      }
      double reward = isLost ? Double.NaN : isPaid ? 1 : 0;
      RowScores scores = new RowScores(p, pi, q, arm, reward);
      stream.sums.add(scores, 0);
      double score = scores.scores(1, false)[BetMixture.COUNT - 1];
      stream.squares += score * score;
      if (!isLost) {
        sum[type][arm] += reward;
        count[type][arm]++;
      }
      look(stream, row, share, isCoverage);
      if (toFirst && stream.isPassed) {
        break;
      }
    }
    return stream;
  }

  private static void look(Stream stream, int row, double share, boolean isCoverage) {
    OffPolicySums sums = stream.sums;
    if (row % LOOK == 0 && !stream.isPassed && sums.evidence(0) >= StrictMath.log(1 / share)) {
      stream.isPassed = true;
      stream.passedAt = row;
    }
    double mean = sums.difference();
    double variance = stream.squares / row - mean * mean;
    stream.deviations = Math.sqrt(variance);
    stream.isPassedByPeeking |=
        row % PEEK == 0 && variance > 0 && mean / Math.sqrt(variance / row) > ONE_SIDED;
    if (isCoverage && row % LOOK == 0) {
      Ends difference = sums.difference(.025);
      Ends value = sums.value().ends(.025);
      stream.isMissed |=
          isOutside(difference, stream.trueDifference / row)
              || isOutside(value, stream.trueValue / row);
    }
  }

  private static boolean isOutside(Ends ends, double truth) {
    return truth < ends.low() || truth > ends.high();
  }

  private static <T> List<T> streams(int count, IntFunction<T> stream) {
    return Parallel.trials(count, stream, () -> {});
  }

  private void checkErrors(String what, List<Stream> streams, double most) {
    int passed = (int) streams.stream().filter(it -> it.isPassed).count();
    int peeked = (int) streams.stream().filter(it -> it.isPassedByPeeking).count();
    Tier.foundShare(getClass(), what + ", gate", passed, streams.size());
    Tier.foundShare(getClass(), what + ", z-test looked at every 500 rows", peeked, streams.size());
    assertTrue(
        ClopperPearson.lower(passed, streams.size(), .05) <= most, what + ": " + passed + " pass");
  }

  private static final Greedy BY_TYPE = greedy(7, 0);
  private static final Greedy POOLED = greedy(0, 0);

  @ParameterizedTest
  @ValueSource(doubles = {.05, .1, .3})
  void tiedLearnersPassSeldom(double p) {
    int rows = Tier.count(2000, 20_000);
    checkErrors(
        "tie, p = " + p,
        streams(
            Tier.count(10, 2000),
            i -> play(i, rows, .025, (r, t, a) -> p, BY_TYPE, POOLED, 0, false, false)),
        .01);
  }

  @ParameterizedTest
  @ValueSource(doubles = {.05, .1, .3})
  void aChallengerThatIsWorseByATwentiethPassesSeldom(double p) {
    int rows = Tier.count(2000, 20_000);
    World world = (r, t, a) -> a == 3 ? .95 * p : p;
    checkErrors(
        "worse by 5 %, p = " + p,
        streams(
            Tier.count(10, 2000),
            i -> play(i, rows, .025, world, BY_TYPE, (t, n, s) -> 3, 0, false, false)),
        .01);
  }

  @Test
  void noneOfSixteenTiedCandidatesPasses() {
    int rows = Tier.count(1000, 10_000);
    double share = AlphaShares.share(.05, 1, 16);
    List<boolean[]> runs =
        streams(
            Tier.count(2, 500),
            i -> {
              boolean[] any = new boolean[2];
              for (int k = 0; k < 16; k++) {
                Greedy other = greedy(k % 8, 1 + k / 8);
                Stream of = play(i, rows, share, (r, t, a) -> .3, BY_TYPE, other, 0, false, false);
                any[0] |= of.isPassed;
                any[1] |= of.isPassedByPeeking;
              }
              return any;
            });
    int passed = (int) runs.stream().filter(it -> it[0]).count();
    Tier.foundShare(getClass(), "16 ties, any passes", passed, runs.size());
    int peeked = (int) runs.stream().filter(it -> it[1]).count();
    Tier.foundShare(getClass(), "16 ties, any by the z-test", peeked, runs.size());
    assertTrue(ClopperPearson.lower(passed, runs.size(), .05) <= .01);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, .2})
  void intervalsHoldAtAllLooksWhileAllChangesAndRewardsAreMissing(double missing) {
    int rows = Tier.count(2000, 20_000);
    List<Stream> streams =
        streams(
            Tier.count(10, 2000),
            i -> {
              SplitMix random = new SplitMix(1000 + i);
              double[] means = random(random, 2 * TYPES * ARMS);
              World world = (r, t, a) -> means[(t * ARMS + a) * 2 + (r > rows / 2 ? 1 : 0)];
              return play(i, rows, .025, world, BY_TYPE, POOLED, missing, true, false);
            });
    int missed = (int) streams.stream().filter(it -> it.isMissed).count();
    Tier.foundShare(getClass(), "an interval misses, missing " + missing, missed, streams.size());
    assertTrue(ClopperPearson.lower(missed, streams.size(), .05) <= .02);
  }

  private static double[] random(SplitMix random, int count) {
    return IntStream.range(0, count).mapToDouble(i -> random.nextDouble()).toArray();
  }

  /** The guard against an "optimization": the order of arrival is no order for evidence. */
  @Test
  void inTheOrderOfArrivalATieAlwaysPassesWhereSuccessesOfOneArmComeAtOnce() {
    int rows = 20_000;
    int window = 4000;
    int count = Tier.count(4, 500);
    int[] passed = new int[2];
    for (int i = 0; i < count; i++) {
      SplitMix random = new SplitMix(i);
      OffPolicySums ordered = new OffPolicySums();
      OffPolicySums arrived = new OffPolicySums();
      double[] logged = {.9, .1};
      double[] other = {.1, .9};
      double[] q = {.3, .3};
      boolean[] isPassed = new boolean[2];
      RowScores[] late = new RowScores[rows];
      for (int row = 0; row < rows; row++) {
        int arm = random.nextDouble() < logged[0] ? 0 : 1;
        double reward = random.nextDouble() < .3 ? 1 : 0;
        RowScores scores = new RowScores(logged, other, q, arm, reward);
        if (arm == 1 && reward == 1) {
          arrived.add(scores, 0);
        } else {
          late[row] = scores;
        }
        if (row >= window && late[row - window] != null) {
          arrived.add(late[row - window], 0);
        }
        ordered.add(scores, 0);
        if (row % LOOK == 0) {
          isPassed[0] |= ordered.evidence(0) >= StrictMath.log(1 / .05);
          isPassed[1] |= arrived.evidence(0) >= StrictMath.log(1 / .05);
        }
      }
      passed[0] += isPassed[0] ? 1 : 0;
      passed[1] += isPassed[1] ? 1 : 0;
    }
    Tier.foundShare(getClass(), "tie with fast successes, in decision order", passed[0], count);
    Tier.foundShare(getClass(), "tie with fast successes, as they come", passed[1], count);
    assertTrue(ClopperPearson.lower(passed[0], count, .05) <= .01);
    assertTrue(passed[1] > .9 * count, passed[1] + " of " + count);
  }

  /** The mean value of champions, by how much challengers are better, and for one of how many. */
  static List<Arguments> betterChallengers() {
    List<Arguments> all = new ArrayList<>();
    for (double p : Tier.isFull() ? new double[] {.1, .3, .5} : new double[] {.3, .5}) {
      for (double better : Tier.isFull() ? new double[] {.1, .2} : new double[] {.2}) {
        for (int oneOf : Tier.isFull() ? new int[] {1, 4} : new int[] {4}) {
          all.add(Arguments.of(p, better, oneOf));
        }
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("betterChallengers")
  void aBetterChallengerPassesAfterRowsLikeThoseOfAFixedTest(double p, double better, int oneOf) {
    int most = (int) (6000 / (p * p * better * better) / oneOf);
    World world = (r, t, a) -> a == 1 && t % oneOf == 0 ? p * (1 + better * oneOf) : p;
    List<Stream> streams =
        streams(
            Tier.count(21, 300),
            i ->
                play(
                    i,
                    most,
                    .025,
                    world,
                    (t, n, s) -> 0,
                    (t, n, s) -> t % oneOf == 0 ? 1 : 0,
                    0,
                    false,
                    true));
    int[] rows = streams.stream().mapToInt(it -> it.passedAt).sorted().toArray();
    double difference = p * better * (1 - EXPLORED);
    double deviation = streams.stream().mapToDouble(it -> it.deviations).average().orElseThrow();
    double fixed = Math.pow((1.96 + .8416) * deviation / difference, 2);
    int median = rows[rows.length / 2];
    Tier.found(
        getClass(),
        String.format(Locale.ROOT, "rows, p = %s, better by %s for 1 of %d", p, better, oneOf),
        String.format(
            Locale.ROOT,
            "median %d, 80 %% %d; fixed %.0f, ratio %.2f",
            median,
            rows[rows.length * 4 / 5],
            fixed,
            median / fixed));
    assertTrue(median <= 3.5 * fixed, median + " rows, fixed " + fixed);
  }

  /** What a stream of two groups showed. */
  private record Alarms(int gate, int pairs, boolean isPeeked, int change) {}

  /** Pairs are bet on by an online Newton step (Chugg et al. 2023), beside in the same stream. */
  private static Alarms groups(
      long seed, int people, double[] before, double[] after, int turn, double ofFirst, double r) {
    SplitMix random = new SplitMix(seed);
    GroupMonitor monitor = new GroupMonitor(2, 0, .05, r);
    double[][] waiting = new double[2][people];
    int[] counts = new int[2];
    double[] sums = new double[2];
    double wealth = 0;
    double bet = 0;
    double curvature = 1;
    int gate = Integer.MAX_VALUE;
    int pairs = Integer.MAX_VALUE;
    int change = Integer.MAX_VALUE;
    boolean isPeeked = false;
    for (int row = 1; row <= people; row++) {
      int group = random.nextDouble() < ofFirst ? 0 : 1;
      double outcome = random.nextDouble() < (row > turn ? after : before)[group] ? 1 : 0;
      monitor.add(group, outcome, row);
      waiting[group][counts[group]++] = outcome;
      sums[group] += outcome;
      if (counts[group] <= counts[1 - group]) {
        int pair = counts[group] - 1;
        double g = waiting[0][pair] - waiting[1][pair];
        wealth += StrictMath.log1p(bet * g);
        double z = g / (1 + bet * g);
        curvature += z * z;
        bet = Math.max(-.5, Math.min(.5, bet + 2 / (2 - Math.log(3)) * z / curvature));
        pairs = wealth >= Math.log(20) ? Math.min(pairs, row) : pairs;
      }
      if (row % LOOK == 0) {
        monitor.look();
        gate = monitor.isAlarmed(0) ? Math.min(gate, row) : gate;
        change = row > turn && monitor.changeAlarms() > 0 ? Math.min(change, row) : change;
        double pooled = (sums[0] + sums[1]) / row;
        double error = Math.sqrt(pooled * (1 - pooled) * (1. / counts[0] + 1. / counts[1]));
        isPeeked |= Math.abs(sums[0] / counts[0] - sums[1] / counts[1]) > 1.96 * error;
      }
    }
    return new Alarms(gate, pairs, isPeeked, change);
  }

  @ParameterizedTest
  @CsvSource({".4, .5", ".1, .1"})
  void equalGroupsRaiseFewAlarmsEver(double p, double ofFirst) {
    double[] means = {p, p};
    int count = Tier.count(100, 10_000);
    List<Alarms> streams =
        streams(count, i -> groups(i, Tier.count(3000, 6000), means, means, 0, ofFirst, 1e6));
    int alarms = (int) streams.stream().filter(it -> it.gate < Integer.MAX_VALUE).count();
    int pairs = (int) streams.stream().filter(it -> it.pairs < Integer.MAX_VALUE).count();
    int peeked = (int) streams.stream().filter(Alarms::isPeeked).count();
    String what = "equal groups, p = " + p;
    Tier.foundShare(getClass(), what + ", alarms", alarms, count);
    Tier.foundShare(getClass(), what + ", paired betting", pairs, count);
    Tier.foundShare(getClass(), what + ", z-test looked at each 100", peeked, count);
    assertTrue(ClopperPearson.lower(alarms, count, .05) <= .02, alarms + " alarms");
  }

  @ParameterizedTest
  @CsvSource({".4, .55, .5, 600", ".4, .55, .1, 2200"})
  void unequalGroupsAreFoundAfterPeopleLikeThoseOfPairedBetting(
      double one, double other, double ofFirst, int most) {
    double[] means = {one, other};
    List<Alarms> streams =
        streams(Tier.count(21, 1000), i -> groups(i, 4 * most, means, means, 0, ofFirst, 1e6));
    int median = median(streams.stream().mapToInt(Alarms::gate).toArray());
    int pairs = median(streams.stream().mapToInt(Alarms::pairs).toArray());
    Tier.found(
        getClass(),
        "people until an alarm, means " + one + " and " + other + ", first group " + ofFirst,
        "median " + median + ", paired betting " + pairs);
    assertTrue(median <= most, median + " people");
  }

  @Test
  void aChangeAfterManyEqualRowsIsFound() {
    int turn = Tier.count(20_000, 100_000);
    List<Alarms> streams =
        streams(
            Tier.count(5, 100),
            i ->
                groups(
                    i, turn + 3000, new double[] {.4, .4}, new double[] {.4, .55}, turn, .5, 1e6));
    int median = median(streams.stream().mapToInt(Alarms::change).toArray()) - turn;
    Tier.found(getClass(), "rows from a change to its alarm", "median " + median);
    assertTrue(median <= 1500, median + " rows");
  }

  private static int median(int[] numbers) {
    Arrays.sort(numbers);
    return numbers[numbers.length / 2];
  }
}
