package io.equipoise.policy.constraint;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.StateBlock;
import java.util.Arrays;

/**
 * Keeps what {@link EarnRule} remembers. Mutable; {@link #copy} is deep. All fields are state and
 * in the bytes; nothing is derived. Arrays are by arm and grow with the arms that were noted.
 *
 * <pre>
 * Bytes, format 49, big-endian:
 *   0 format (u8)   1 target arm, -1 without one (i32)   5 decisions (i64)  13 tried (i64)
 *  21 greatest gap at which the target is played, mean gap, information of a decision (3 x f64)
 *  45 arms (i32)   . [mean prediction, mean bonus, share of first choices (3 x f64), times played,
 *   times tried, decisions that are over (3 x i64)] each
 * </pre>
 */
public final class EarnState extends StateBlock {
  /** The format code. */
  public static final byte FORMAT = 49;

  private static final int ARM_BYTES = 6 * Double.BYTES;

  /** The weight of a new prediction in a running mean. */
  private static final double RATE = 1.0 / 200;

  /** The least weight of a decision in the share of first choices; the first ones count alike. */
  private static final double SHARE_RATE = 1.0 / 500;

  /** How far the greatest gap moves, in mean gaps. */
  private static final double STEP = .1;

  /** The information of a decision about a contrast of two levels that are equally frequent. */
  private static final double INFORMATION = .25;

  int target = EarnRound.NONE;
  long decisions;

  /** Decisions for arms that had no certificate, though another arm had one for the person. */
  private long tried;

  double greatestGap;
  private double gap;
  double information = INFORMATION;
  private double[] mean = new double[0];
  private double[] bonus = new double[0];
  private double[] share = new double[0];
  private long[] played = new long[0];
  private long[] triedOf = new long[0];

  /** Decisions of an arm that wait for no reward any more: it came, or none will. */
  private long[] over = new long[0];

  /** Starts as before the first decision. */
  public EarnState() {}

  /** Returns the position of the target arm, or -1 where there is none. */
  public int target() {
    return target;
  }

  /** Returns how many decisions tried an arm while another was certified for the person. */
  public long tried() {
    return tried;
  }

  /** Counts what a model says of an arm for a person. */
  void note(int arm, double prediction, double predictedBonus) {
    reach(arm);
    boolean isFirst = Double.isNaN(mean[arm]);
    mean[arm] = isFirst ? prediction : mean[arm] + RATE * (prediction - mean[arm]);
    bonus[arm] = isFirst ? predictedBonus : bonus[arm] + RATE * (predictedBonus - bonus[arm]);
  }

  private void reach(int arm) {
    if (arm >= mean.length) {
      int before = mean.length;
      mean = Arrays.copyOf(mean, arm + 1);
      bonus = Arrays.copyOf(bonus, arm + 1);
      share = Arrays.copyOf(share, arm + 1);
      played = Arrays.copyOf(played, arm + 1);
      triedOf = Arrays.copyOf(triedOf, arm + 1);
      over = Arrays.copyOf(over, arm + 1);
      Arrays.fill(mean, before, arm + 1, Double.NaN);
      Arrays.fill(share, before, arm + 1, Double.NaN);
    }
  }

  /**
   * Counts in a segment's state that a decision for an arm waits for no reward any more; rewards of
   * an arm that was shown but not chosen never make these more than its plays.
   *
   * @param key of the block
   * @param arm its position; -1 for an arm that has none
   */
  public static void end(ModelState modelState, long key, int arm) {
    if (arm >= 0) {
      EarnState state = modelState.get(key) instanceof EarnState stored ? stored : new EarnState();
      state.reach(arm);
      state.over[arm] = Math.min(state.over[arm] + 1, Math.max(1, state.played[arm]));
      modelState.put(key, state);
    }
  }

  /** Returns whether there were decisions, and all of them still wait for their rewards. */
  boolean isWaiting() {
    return decisions > 0 && Arrays.stream(over).sum() == 0;
  }

  /** Returns how many decisions that played an arm still wait for their rewards. */
  public long waiting(int arm) {
    return arm < played.length ? Math.max(0, played[arm] - over[arm]) : 0;
  }

  /** Returns whether something was noted of an arm. */
  public boolean isNoted(int arm) {
    return arm < mean.length && !Double.isNaN(mean[arm]);
  }

  /** Counts a first choice among so many arms. */
  void choose(int arm, boolean isFirst, int arms) {
    double known = share(arm, arms);
    double rate = Math.max(SHARE_RATE, 1.0 / Math.max(1, decisions));
    share[arm] = known + rate * ((isFirst ? 1 : 0) - known);
  }

  /** Returns the share of people for whom an arm was the first choice; equal at first. */
  double share(int arm, int arms) {
    return arm >= share.length || Double.isNaN(share[arm]) ? 1.0 / arms : share[arm];
  }

  /**
   * Moves the greatest gap so that a share of the people are within it.
   *
   * @param of this person
   * @param isWithin whether it was within
   */
  void follow(double of, boolean isWithin, double aim) {
    gap += (gap == 0 ? 1 : RATE) * (of - gap);
    greatestGap = Math.max(0, greatestGap + STEP * gap * (aim - (isWithin ? 1 : 0)));
  }

  /** Counts the squared weight of a reward of a person in the target's widest effect. */
  void inform(double squaredWeight) {
    information += SHARE_RATE * (squaredWeight - information);
  }

  /** Counts a decision for an arm that was noted. */
  void play(int arm) {
    played[arm]++;
  }

  /** Counts a decision that tried an arm; only arms with a position have an account. */
  void tryOne(int arm, boolean isKept) {
    tried++;
    if (isKept) {
      triedOf[arm]++;
    }
  }

  /** Returns the running mean of the predictions of an arm. */
  public double mean(int arm) {
    return mean[arm];
  }

  /** Returns the greatest of them; negative infinity without any. */
  double greatestMean() {
    double greatest = Double.NEGATIVE_INFINITY;
    for (double of : mean) {
      greatest = of > greatest ? of : greatest;
    }
    return greatest;
  }

  double bonus(int arm) {
    return bonus[arm];
  }

  /** Returns how many decisions played an arm. */
  long played(int arm) {
    return arm < played.length ? played[arm] : 0;
  }

  /** Returns how many decisions tried an arm. */
  long tried(int arm) {
    return arm < triedOf.length ? triedOf[arm] : 0;
  }

  /**
   * Returns the same for arms that have other positions.
   *
   * @param before by position, the arm's position until now; -1 for an arm that is new
   */
  public EarnState reordered(int[] before) {
    EarnState moved = copy();
    moved.target = EarnRound.NONE;
    moved.mean = new double[before.length];
    moved.bonus = new double[before.length];
    moved.share = new double[before.length];
    moved.played = new long[before.length];
    moved.triedOf = new long[before.length];
    moved.over = new long[before.length];
    Arrays.fill(moved.mean, Double.NaN);
    Arrays.fill(moved.share, Double.NaN);
    for (int arm = 0; arm < before.length; arm++) {
      int from = before[arm];
      if (from >= 0 && from < mean.length) {
        moved.mean[arm] = mean[from];
        moved.bonus[arm] = bonus[from];
        moved.share[arm] = share[from];
        moved.played[arm] = played[from];
        moved.triedOf[arm] = triedOf[from];
        moved.over[arm] = over[from];
        moved.target = from == target ? arm : moved.target;
      }
    }
    return moved;
  }

  @Override
  public EarnState copy() {
    return copyInto(new EarnState());
  }

  /** Returns the bytes for so many arms. */
  public static int byteLength(int arms) {
    return new EarnState().reordered(new int[arms]).byteLength();
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(FORMAT);
    target = bytes.i32(target);
    decisions = bytes.i64(decisions);
    tried = bytes.i64(tried);
    greatestGap = bytes.f64(greatestGap);
    gap = bytes.f64(gap);
    information = bytes.f64(information);
    int arms = bytes.count(mean.length, ARM_BYTES);
    mean = bytes.room(mean, arms);
    bonus = bytes.room(bonus, arms);
    share = bytes.room(share, arms);
    played = bytes.room(played, arms);
    triedOf = bytes.room(triedOf, arms);
    over = bytes.room(over, arms);
    for (int arm = 0; arm < arms; arm++) {
      mean[arm] = bytes.f64(mean[arm]);
      bonus[arm] = bytes.f64(bonus[arm]);
      share[arm] = bytes.f64(share[arm]);
      played[arm] = bytes.i64(played[arm]);
      triedOf[arm] = bytes.i64(triedOf[arm]);
      over[arm] = bytes.i64(over[arm]);
    }
  }
}
