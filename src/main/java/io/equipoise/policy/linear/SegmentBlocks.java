package io.equipoise.policy.linear;

import io.equipoise.policy.ModelState;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.policy.constraint.EarnState;
import io.equipoise.policy.features.FeaturePlaces;
import io.equipoise.policy.linear.LinearFairness.GroupBalance;
import io.equipoise.policy.linear.LinearFairness.Limited;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the blocks of a linear policy in a segment's state, for one decision or one reward: what is
 * asked for twice is read once, and what was changed is put back.
 *
 * <p>Keys: the kind (0 ridge, 1 group means, 2 the policy's state and behind it that of {@link
 * EarnState}, 3 ridge of complete rows, 4 contrasts of complete rows) times 2^32, plus the arm's
 * position plus 1; {@link LinearBlocks#SHARED} is at 0.
 */
final class SegmentBlocks implements LinearBlocks {
  private static final long RIDGE = 0;
  private static final long GROUPS = 1L << 32;
  private static final long STATE = 2L << 32;
  static final long EARN = STATE + 1;
  private static final long COMPLETE = 3L << 32;
  private static final long CONTRASTS = 4L << 32;
  private static final int NO_ARM = Integer.MIN_VALUE;

  private final ModelState modelState;
  private final LinearRule policy;
  private final int known;
  private final IntFunction<RidgeRegression> starts;
  private final @Nullable ContrastPlan plan;
  private final IntPredicate isOfSpec;
  private final Map<Long, StateBlock> read = new HashMap<>();

  /** The arms whose regressions and whose contrasts were asked for last. */
  private int ridgeArm = NO_ARM;

  private int completeArm = NO_ARM;
  private int contrastsArm = NO_ARM;
  private @Nullable RidgeRegression ridge;
  private @Nullable RidgeRegression complete;
  private @Nullable ContrastBlock contrasts;

  /**
   * Opens a segment's blocks.
   *
   * @param known positions in the arm dictionary; blocks of arms beyond it are empty and not kept
   * @param starts returns the regression that an arm, or {@link LinearBlocks#SHARED}, starts with
   * @param plan of the contrasts; null if none are kept
   * @param isOfSpec says of the arm at a position whether it is one of the spec
   */
  SegmentBlocks(
      ModelState modelState,
      LinearRule policy,
      int known,
      IntFunction<RidgeRegression> starts,
      @Nullable ContrastPlan plan,
      IntPredicate isOfSpec) {
    this.modelState = modelState;
    this.policy = policy;
    this.known = known;
    this.starts = starts;
    this.plan = plan;
    this.isOfSpec = isOfSpec;
  }

  /** Returns the group means of all arms, or null before the first reward. */
  static @Nullable GroupMeans totals(ModelState modelState) {
    return (GroupMeans) modelState.get(key(GROUPS, LinearBlocks.SHARED));
  }

  /** Returns the contrasts of an arm's model as they are stored, or null. */
  static @Nullable ContrastBlock storedContrasts(ModelState modelState, int arm) {
    return (ContrastBlock) modelState.get(key(CONTRASTS, arm));
  }

  /**
   * Removes group means and the policy's own state; says whether there were any.
   *
   * @param isCounting whether the policy that takes over goes on counting its decisions
   */
  static boolean startAnew(ModelState modelState, boolean isCounting) {
    List<Long> keys = new ArrayList<>();
    for (Map.Entry<Long, StateBlock> entry : modelState.entries()) {
      if (entry.getKey() >= GROUPS && entry.getKey() < COMPLETE) {
        keys.add(entry.getKey());
      }
    }
    @Nullable StateBlock state = modelState.get(STATE);
    keys.forEach(modelState::remove);
    if (isCounting && state != null) {
      modelState.put(STATE, ((PolicyState) state).startedAnew());
    }
    return !keys.isEmpty();
  }

  /** Carries regressions and contrasts over to other features; those that come were 0 until now. */
  static void spread(ModelState modelState, FeaturePlaces to) {
    Map<Long, StateBlock> wide = new TreeMap<>();
    for (Map.Entry<Long, StateBlock> entry : modelState.entries()) {
      if (entry.getValue() instanceof RidgeRegression ridge) {
        wide.put(entry.getKey(), ridge.spread(to));
      } else if (entry.getValue() instanceof ContrastBlock contrasts) {
        long arm = entry.getKey() - CONTRASTS;
        @Nullable StateBlock complete = modelState.get(COMPLETE + arm);
        @Nullable StateBlock model = complete == null ? modelState.get(RIDGE + arm) : complete;
        wide.put(
            entry.getKey(),
            contrasts.spread(
                to, model == null ? List.of() : ((RidgeRegression) model).copy().eliminate(to)));
      }
    }
    wide.forEach(modelState::put);
  }

  /** Removes the regressions and contrasts of an arm that has a model of its own. */
  static void forgetArm(ModelState modelState, int arm) {
    modelState.remove(key(RIDGE, arm));
    modelState.remove(key(COMPLETE, arm));
    modelState.remove(key(CONTRASTS, arm));
  }

  /** Removes the debt that an adaptive gamma ran up; says whether there was any. */
  static boolean forgetDebt(ModelState modelState) {
    boolean isKept = modelState.get(STATE) != null;
    modelState.remove(STATE);
    return isKept;
  }

  /** Several arms may be new, but the next position goes to the one that is chosen. */
  @Override
  public int position(int arm) {
    return Math.min(arm, known);
  }

  @Override
  public RidgeRegression ridge(int arm) {
    RidgeRegression known = ridge;
    if (known == null || ridgeArm != arm) {
      known = (RidgeRegression) get(key(RIDGE, arm));
      ridge = known;
      ridgeArm = arm;
    }
    return known;
  }

  @Override
  public RidgeRegression complete(int arm) {
    RidgeRegression known = complete;
    if (known == null || completeArm != arm) {
      RidgeRegression ofComplete = completeOrNull(arm);
      known = ofComplete == null ? ridge(arm) : ofComplete;
      complete = known;
      completeArm = arm;
    }
    return known;
  }

  /** Returns the regression of complete rows, or null where it is the one of all rows. */
  @Nullable RidgeRegression completeOrNull(int arm) {
    long key = key(COMPLETE, arm);
    StateBlock stateBlock = read.get(key);
    if (stateBlock == null && arm < known) {
      stateBlock = modelState.get(key);
      if (stateBlock != null) {
        read.put(key, stateBlock);
      }
    }
    return (RidgeRegression) stateBlock;
  }

  /** Keeps the regression as the one of complete rows, before an incomplete one is learned. */
  void splitComplete(int arm) {
    if (completeOrNull(arm) == null) {
      read.put(key(COMPLETE, arm), ridge(arm).copy());
      completeArm = NO_ARM;
    }
  }

  @Override
  public @Nullable ContrastBlock contrasts(int arm) {
    if (plan == null) {
      return null;
    }
    ContrastBlock known = contrasts;
    if (known == null || contrastsArm != arm) {
      known = (ContrastBlock) get(key(CONTRASTS, arm));
      int models = DeltaShares.first(modelState, plan.models);
      known.adopt(plan, position(arm), models, arm == SHARED || isOfSpec.test(arm));
      contrasts = known;
      contrastsArm = arm;
    }
    return known;
  }

  /** Keeps what a decision has changed of contrasts: running ends, and those it registered. */
  void keepContrasts() {
    for (Map.Entry<Long, StateBlock> entry : read.entrySet()) {
      int position = (int) (long) entry.getKey() - 1;
      if (entry.getValue() instanceof ContrastBlock changed
          && changed.takeChanged()
          && position < known) {
        modelState.put(entry.getKey(), changed);
      }
    }
  }

  @Override
  public GroupMeans groups(int arm) {
    return (GroupMeans) get(key(GROUPS, arm));
  }

  @Override
  public PolicyState state() {
    return (PolicyState) get(STATE);
  }

  @Override
  public boolean isKnown(int arm) {
    return arm < known;
  }

  @Override
  public EarnState earning() {
    return (EarnState) get(EARN);
  }

  @Override
  public void earningChanged() {
    putIfRead(EARN);
  }

  @Override
  public void changed(int arm) {
    if (arm < known) {
      putIfRead(key(RIDGE, arm));
      putIfRead(key(COMPLETE, arm));
      putIfRead(key(CONTRASTS, arm));
      putIfRead(key(GROUPS, arm));
    }
  }

  @Override
  public void stateChanged() {
    putIfRead(STATE);
  }

  private void putIfRead(long key) {
    StateBlock stateBlock = read.get(key);
    if (stateBlock != null) {
      modelState.put(key, stateBlock);
    }
  }

  private StateBlock get(long key) {
    StateBlock stateBlock = read.get(key);
    if (stateBlock == null) {
      @Nullable StateBlock stored = (int) key <= known ? modelState.get(key) : null;
      stateBlock = stored == null ? fresh(key) : stored;
      read.put(key, stateBlock);
    }
    return stateBlock;
  }

  private StateBlock fresh(long key) {
    if (key >= CONTRASTS) {
      return ContrastBlock.of(Objects.requireNonNull(plan), policy.model().dimension());
    }
    if (key >= STATE) {
      return key == EARN ? new EarnState() : new PolicyState();
    }
    return key >= GROUPS ? policy.newGroups() : starts.apply((int) key - 1);
  }

  private static long key(long kind, int arm) {
    return kind + arm + 1;
  }

  /**
   * Estimates the bytes of a segment's blocks of a linear policy, with their keys, once every arm
   * has learned: an arm that has not takes almost no memory. Windows are taken to be full with a
   * reward a round.
   */
  static final class FullBlocks {
    private final LinearRule policy;
    private final RidgeModel model;
    private final int copies;
    private final @Nullable ContrastPlan contrasts;

    /**
     * Prepares the sizes.
     *
     * @param isSplit whether the regression of complete rows may be one beside that of all
     * @param contrasts those of the spec; null if none are kept
     */
    FullBlocks(LinearRule policy, boolean isSplit, @Nullable ContrastPlan contrasts) {
      this.policy = policy;
      this.contrasts = contrasts;
      model = policy.model();
      copies = isSplit ? 2 : 1;
    }

    /** Returns the bytes for so many arms, among which the rounds of a window are divided. */
    double bytes(int arms) {
      double ridges = policy.isShared ? 1 : arms;
      double bytes = copies * (ridges * (Long.BYTES + model.learnedBytes()) + rewards());
      bytes += ridges * (contrasts() + counts());
      bytes += contrasts == null || policy.isShared ? 0 : DeltaShares.KEYED_BYTES;
      if (hasGroups()) {
        bytes += (arms + 1) * keyed(means()) + 2 * groupRewards();
      }
      if (policy.earns()) {
        bytes += Long.BYTES + (double) EarnState.byteLength(arms);
      }
      return bytes + (hasState() ? keyed(new PolicyState()) : 0);
    }

    /**
     * Returns the bytes that one more arm adds, at most: it may have had all rounds of a window.
     */
    double bytesOfOneMore() {
      double ridge = policy.isShared ? 0 : copies * (Long.BYTES + model.learnedBytes() + rewards());
      return ridge
          + (policy.isShared ? 0 : contrasts() + counts())
          + (policy.earns() ? EarnState.byteLength(1) - EarnState.byteLength(0) : 0)
          + (hasGroups() ? keyed(means()) + groupRewards() : 0);
    }

    /** Returns the bytes by which the regression of all rows counts rewards. */
    private double counts() {
      return policy.countsRewards() ? RidgeRegression.COUNTS_BYTES : 0;
    }

    private double contrasts() {
      return contrasts == null
          ? 0
          : Long.BYTES + (double) ContrastBlock.byteLength(contrasts.known(), model.dimension());
    }

    private double rewards() {
      return (double) model.forgetting().rounds() * ObservationWindow.bytesOfOne(model.dimension());
    }

    private double groupRewards() {
      return (double) policy.groupForgetting().rounds() * ObservationWindow.bytesOfOne(1);
    }

    private boolean hasGroups() {
      return policy.groupValues() > 0;
    }

    private GroupMeans means() {
      return policy.newGroups();
    }

    /** Returns whether anything of the policy moves with its decisions or rewards. */
    private boolean hasState() {
      return Limited.isCharging(policy.fairness())
          || (policy.fairness() instanceof GroupBalance balance
              && balance.gamma() instanceof Gamma.Adaptive);
    }

    private static double keyed(StateBlock stateBlock) {
      return Long.BYTES + (double) stateBlock.byteLength();
    }
  }
}
