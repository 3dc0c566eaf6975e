package io.equipoise.lab.clicks;

import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.simulation.SplitMix;
import io.equipoise.tools.simulate.Person;
import io.equipoise.tools.simulate.World;
import io.equipoise.tools.simulate.World.Truth;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Draws the people of one seed in their order, with the expected reward and the true effect of each
 * arm, and a number that decides whether they click: the same for every player. Unmodified after
 * construction.
 */
public final class ClickRounds {
  /** At how many counts of decisions the regret is recorded. */
  static final int POINTS = 20;

  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
  private static final double NANOS_PER_MICRO = 1e3;
  private static final long CLICKS = 0x5DEECE66DL;

  private final ClickWorld world;
  private final SegmentSpec spec;
  private final long seed;
  private final List<Person> people = new ArrayList<>();
  private final List<Truth> truths = new ArrayList<>();
  private final double[] clicks;
  private final int[][] offers;

  ClickRounds(ClickWorld world, SegmentSpec spec, World drawn, long seed, int decisions) {
    this.world = world;
    this.spec = spec;
    this.seed = seed;
    clicks = new double[decisions];
    offers = new int[decisions][];
    World.People stream = drawn.people(seed);
    SplitMix random = new SplitMix(seed ^ CLICKS);
    for (int round = 0; round < decisions; round++) {
      Person person = stream.next();
      people.add(person);
      truths.add(drawn.truth(person));
      clicks[round] = random.nextDouble();
      offers[round] = offer(round);
    }
  }

  private int[] offer(int round) {
    if (round > 0 && (world.stay() == 0 || round % world.stay() != 0)) {
      return offers[round - 1];
    }
    int[] offer = new int[world.live()];
    for (int place = 0; place < offer.length; place++) {
      offer[place] = world.offered(round, place, spec.arms().size());
    }
    return offer;
  }

  public ClickWorld world() {
    return world;
  }

  /** Returns a spec of the world, for its variables and arms. */
  public SegmentSpec spec() {
    return spec;
  }

  public long seed() {
    return seed;
  }

  /** Returns the number of rounds. */
  public int size() {
    return clicks.length;
  }

  /** Returns the mean over the rounds of the expected regret and reward of a uniform choice. */
  public ClickRun uniform() {
    Tally tally = new Tally();
    for (int round = 0; round < clicks.length; round++) {
      for (int arm : offers[round]) {
        tally.count(round, arm, 1.0 / offers[round].length, false);
      }
    }
    return tally.run(0);
  }

  private record Due<M>(int round, M remembered, double reward) {}

  /**
   * Plays all rounds. A reward is learned {@link ClickWorld#delay} rounds after its decision, so
   * the last ones are not learned.
   */
  public <M> ClickRun play(ClickPlayer<M> player) {
    Tally tally = new Tally();
    Deque<Due<M>> pending = new ArrayDeque<>();
    long nanos = 0;
    for (int round = 0; round < clicks.length; round++) {
      Person person = people.get(round);
      player.prepare(person, offers[round]);
      long start = CLOCK.getCurrentThreadCpuTime();
      while (!pending.isEmpty() && pending.element().round() + world.delay() < round) {
        Due<M> due = pending.remove();
        player.learn(due.remembered(), due.reward());
      }
      ClickPlayer.Played<M> played = player.choose(round, person, offers[round]);
      nanos += CLOCK.getCurrentThreadCpuTime() - start;
      tally.count(round, played.arm(), 1, played.certified());
      double reward = clicks[round] < truths.get(round).means()[played.arm()] ? 1 : 0;
      pending.add(new Due<>(round, played.remembered(), reward));
    }
    return tally.run(nanos);
  }

  /** Sums up one run. */
  private final class Tally {
    private final double tau = world.tau();
    private final double[] curve = new double[POINTS];
    private final double[] latest = new double[spec.arms().size()];
    private double regret;
    private double regretOfBest;
    private double reward;
    private double unfair;
    private double certified;
    private int firstCertified;

    void count(int round, int arm, double weight, boolean isCertified) {
      Truth truth = truths.get(round);
      double[] means = truth.means();
      double best = truth.bestFair(Double.POSITIVE_INFINITY, offers[round]);
      regret += weight * Math.max(0, truth.bestFair(tau, offers[round]) - means[arm]);
      regretOfBest += weight * (best - means[arm]);
      reward += weight * means[arm];
      unfair += truth.isUnfair(arm, tau) ? weight : 0;
      if (isCertified) {
        certified += weight;
        firstCertified = firstCertified == 0 ? round + 1 : firstCertified;
      }
      if (round >= clicks.length / 2) {
        latest[arm] += weight;
      }
      curve[(int) ((long) round * POINTS / clicks.length)] = regret;
    }

    ClickRun run(long nanos) {
      double most = 0;
      double all = 0;
      for (double decisions : latest) {
        most = Math.max(most, decisions);
        all += decisions;
      }
      int decisions = clicks.length;
      return new ClickRun(
          decisions,
          regret,
          regretOfBest,
          reward,
          unfair / decisions,
          certified / decisions,
          firstCertified,
          most / all,
          nanos / NANOS_PER_MICRO / decisions,
          curve);
    }
  }
}
