package io.equipoise.bandit.linear;

import io.equipoise.bandit.Block;
import io.equipoise.bandit.Blocks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a linear policy in a segment's state, for one decision or one reward: what is asked
 * for twice is read once, and what was changed is put back.
 *
 * <p>Keys: the kind (0 ridge, 1 group means, 2 the policy's state, 3 ridge of complete rows) times
 * 2^32, plus the arm's position plus 1; {@link LinearBlocks#SHARED} is at 0.
 */
final class SegmentBlocks implements LinearBlocks {
  private static final long RIDGE = 0;
  private static final long GROUPS = 1L << 32;
  private static final long STATE = 2L << 32;
  private static final long COMPLETE = 3L << 32;

  private final Blocks blocks;
  private final LinearPolicy policy;
  private final int known;
  private final IntFunction<RidgeArm> starts;
  private final Map<Long, Block> read = new HashMap<>();

  /**
   * Opens a segment's blocks.
   *
   * @param known positions in the arm dictionary; blocks of arms beyond it are empty and not kept
   * @param starts returns the regression that an arm, or {@link LinearBlocks#SHARED}, starts with
   */
  SegmentBlocks(Blocks blocks, LinearPolicy policy, int known, IntFunction<RidgeArm> starts) {
    this.blocks = blocks;
    this.policy = policy;
    this.known = known;
    this.starts = starts;
  }

  /** Returns the group means of all arms, or null before the first reward. */
  static @Nullable GroupMeans totals(Blocks blocks) {
    return (GroupMeans) blocks.get(key(GROUPS, LinearBlocks.SHARED));
  }

  /**
   * Removes group means and the policy's own state; says whether there were any.
   *
   * @param isCounting whether the policy that takes over goes on counting its decisions
   */
  static boolean startAnew(Blocks blocks, boolean isCounting) {
    List<Long> keys = new ArrayList<>();
    for (Map.Entry<Long, Block> entry : blocks.entries()) {
      if (entry.getKey() >= GROUPS && entry.getKey() < COMPLETE) {
        keys.add(entry.getKey());
      }
    }
    @Nullable Block state = blocks.get(STATE);
    keys.forEach(blocks::remove);
    if (isCounting && state != null) {
      blocks.put(STATE, ((PolicyState) state).startedAnew());
    }
    return !keys.isEmpty();
  }

  /** Removes the debt that an adaptive gamma ran up; says whether there was any. */
  static boolean forgetDebt(Blocks blocks) {
    boolean isKept = blocks.get(STATE) != null;
    blocks.remove(STATE);
    return isKept;
  }

  /** Several arms may be new, but the next position goes to the one that is chosen. */
  @Override
  public int position(int arm) {
    return Math.min(arm, known);
  }

  @Override
  public RidgeArm ridge(int arm) {
    return (RidgeArm) get(key(RIDGE, arm));
  }

  @Override
  public RidgeArm complete(int arm) {
    RidgeArm complete = completeOrNull(arm);
    return complete == null ? ridge(arm) : complete;
  }

  /** Returns the regression of complete rows, or null where it is the one of all rows. */
  @Nullable RidgeArm completeOrNull(int arm) {
    long key = key(COMPLETE, arm);
    Block block = read.get(key);
    if (block == null && arm < known) {
      block = blocks.get(key);
      if (block != null) {
        read.put(key, block);
      }
    }
    return (RidgeArm) block;
  }

  /** Keeps the regression as the one of complete rows, before an incomplete one is learned. */
  void splitComplete(int arm) {
    if (completeOrNull(arm) == null) {
      read.put(key(COMPLETE, arm), ridge(arm).copy());
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
  public void changed(int arm) {
    if (arm < known) {
      putIfRead(key(RIDGE, arm));
      putIfRead(key(COMPLETE, arm));
      putIfRead(key(GROUPS, arm));
    }
  }

  @Override
  public void stateChanged() {
    putIfRead(STATE);
  }

  private void putIfRead(long key) {
    Block block = read.get(key);
    if (block != null) {
      blocks.put(key, block);
    }
  }

  private Block get(long key) {
    Block block = read.get(key);
    if (block == null) {
      @Nullable Block stored = (int) key <= known ? blocks.get(key) : null;
      block = stored == null ? fresh(key) : stored;
      read.put(key, block);
    }
    return block;
  }

  private Block fresh(long key) {
    if (key >= STATE) {
      return new PolicyState();
    }
    return key >= GROUPS ? policy.newGroups() : starts.apply((int) key - 1);
  }

  private static long key(long kind, int arm) {
    return kind + arm + 1;
  }
}
