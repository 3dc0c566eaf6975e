package io.equipoise.console.state;

import io.equipoise.event.GroupMean;
import org.jspecify.annotations.Nullable;

/** The mean reward of one group between snapshots, by time bucket. */
public final class GroupHistory {
  private final Ring count = new Ring();
  private final Ring sum = new Ring();
  private @Nullable GroupMean newest;

  void on(GroupMean group, long bucket) {
    GroupMean before = newest;
    newest = group;
    if (before != null && group.rewards() > before.rewards()) {
      count.add(bucket, (double) (group.rewards() - before.rewards()));
      sum.add(
          bucket,
          (double) group.rewards() * group.mean() - (double) before.rewards() * before.mean());
    }
  }

  /** Returns the number of rewards in a bucket. */
  public long rewards(long bucket) {
    return Math.round(count.at(bucket));
  }

  /** Returns the mean reward of a bucket, null without rewards. */
  public @Nullable Double mean(long bucket) {
    long rewards = rewards(bucket);
    return rewards == 0 ? null : (Double) (sum.at(bucket) / rewards);
  }
}
