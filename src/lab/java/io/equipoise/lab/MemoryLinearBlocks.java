package io.equipoise.lab;

import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.linear.Candidates;
import io.equipoise.policy.linear.FeatureVector;
import io.equipoise.policy.linear.GroupMeans;
import io.equipoise.policy.linear.LinearBlocks;
import io.equipoise.policy.linear.LinearRound;
import io.equipoise.policy.linear.LinearRule;
import io.equipoise.policy.linear.PolicyState;
import io.equipoise.policy.linear.RidgeRegression;
import io.equipoise.policy.linear.RidgeWorkspace;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Plays a linear rule with blocks in arrays by arm: for the laboratory. */
public final class MemoryLinearBlocks implements LinearBlocks {
  private final LinearRule policy;
  private final PolicyState state = new PolicyState();
  private @Nullable RidgeRegression[] ridges = new RidgeRegression[1];
  private @Nullable GroupMeans[] groups = new GroupMeans[1];
  private final LinearRound round;
  private final RidgeWorkspace workspace;

  /** Starts empty, for the policy's blocks. */
  public MemoryLinearBlocks(LinearRule policy) {
    this.policy = policy;
    round = new LinearRound(policy.model().dimension());
    workspace = new RidgeWorkspace(policy.model().dimension());
  }

  /** Returns the place of the chosen candidate. */
  public int choose(Candidates candidates, long t, SeededRandom random) {
    return policy.choose(this, candidates, t, random, round);
  }

  /** Learns a reward, from a person of a group. */
  public void learn(int arm, FeatureVector x, int group, double reward, long t) {
    policy.learn(this, arm, x, group, reward, t, workspace);
  }

  /** Returns for how many candidates of the last choice a width was computed. */
  public int visited() {
    return round.visited();
  }

  @Override
  public RidgeRegression ridge(int arm) {
    int place = place(arm);
    RidgeRegression ridge = ridges[place];
    if (ridge == null) {
      ridge = policy.model().newArm();
      ridges[place] = ridge;
    }
    return ridge;
  }

  @Override
  public GroupMeans groups(int arm) {
    int place = place(arm);
    GroupMeans means = groups[place];
    if (means == null) {
      means = policy.newGroups();
      groups[place] = means;
    }
    return means;
  }

  /** Arm -1, all arms, is at place 0. */
  private int place(int arm) {
    int place = arm + 1;
    if (place >= ridges.length) {
      int length = Math.max(place + 1, 2 * ridges.length);
      ridges = Arrays.copyOf(ridges, length);
      groups = Arrays.copyOf(groups, length);
    }
    return place;
  }

  @Override
  public PolicyState state() {
    return state;
  }

  @Override
  public void changed(int arm) {}

  @Override
  public void stateChanged() {}

  /** Adds arms and canonical bytes of all blocks that learned something, and the state's. */
  public void digestInto(MessageDigest digest) {
    for (int place = 0; place < ridges.length; place++) {
      RidgeRegression ridge = ridges[place];
      GroupMeans means = groups[place];
      boolean hasLearned = ridge != null && ridge.n() > 0;
      boolean hasMeans = means != null && !means.isEmpty();
      if (hasLearned || hasMeans) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, place - 1));
        digest.update(hasLearned ? ridge.toBytes() : new byte[0]);
        digest.update(hasMeans ? means.toBytes() : new byte[0]);
      }
    }
    digest.update(state.toBytes());
  }
}
