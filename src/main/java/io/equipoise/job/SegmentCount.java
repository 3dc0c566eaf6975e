package io.equipoise.job;

import io.equipoise.job.options.JobOptions;
import io.equipoise.job.options.SegmentLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts active and passivated segments and knows whether there is room for more. Senders of
 * contexts choose segment names, and each name costs memory that no restart frees.
 *
 * <p>A new segment is rejected while there is no room for an active one. A passivated segment may
 * always return: it has a place in the log. An idle segment stays active while there is no room for
 * a passivated one. So the job never has more segments than both limits together, and no segment
 * loses its {@code seq}.
 *
 * <p>Each subtask has a share of a limit in proportion to its key groups, and any of its names may
 * use it: a sender that chooses names of one key group takes no more room from others than with any
 * names. Names with one hash code have a limit of their own, because a hash table takes quadratic
 * time for them. They share a bucket, one of 256 of a key group, which holds 1/128 of the limit,
 * but at least 16.
 *
 * <p>The numbers by bucket are the state; the sum over a part's buckets is derived and changes with
 * each of them. The task thread changes both, and metrics read the sum.
 *
 * <pre>
 *   state, a union list: for each bucket with segments of a kind,
 *     passivated (1 bit) | key group (23 bits) | bucket (8 bits) | segments (i32)
 * </pre>
 */
final class SegmentCount {
  /** Name of the operator state; part of the state contract. */
  static final String STATE = "segments";

  private static final Logger LOG = LoggerFactory.getLogger(SegmentCount.class);

  private static final double WARNING_SHARE = 0.8;

  /** Buckets of a key group, a power of two. */
  private static final int BUCKETS = 1 << 8;

  private static final int LEAST_OF_BUCKET = 16;
  private static final int LIMIT_PER_BUCKET = 128;

  /** 2^32 divided by the golden ratio: spreads hash codes over buckets. */
  private static final int MIXER = 0x9E3779B9;

  /** Names which state a segment has. */
  enum SegmentKind {
    /** No state. */
    NONE,
    /** A header. */
    ACTIVE,
    PASSIVATED
  }

  private final Part active;
  private final Part passivated;
  private final KeyGroupRange mine;
  private final int keyGroups;
  private final ListState<Long> state;

  /** Counts the segments of one kind, by bucket. */
  private final class Part {
    private final SegmentKind kind;
    private final String option;
    private final String consequence;
    private final int most;
    private final long mostOfSubtask;
    private final int mostOfBucket;
    private final int[] segments = new int[BUCKETS * mine.getNumberOfKeyGroups()];
    private final AtomicInteger sum = new AtomicInteger();
    private boolean hasWarned;

    Part(SegmentKind kind, String option, int most, String consequence) {
      this.kind = kind;
      this.option = option;
      this.consequence = consequence;
      this.most = most;
      this.mostOfSubtask = Math.max(1, (long) most * mine.getNumberOfKeyGroups() / keyGroups);
      this.mostOfBucket = Math.max(LEAST_OF_BUCKET, most / LIMIT_PER_BUCKET);
    }

    boolean hasRoom(int bucket) {
      return sum.get() < mostOfSubtask && segments[bucket] < mostOfBucket;
    }

    void add(int bucket, int change) {
      int before = segments[bucket];
      segments[bucket] = Math.max(0, before + change);
      sum.addAndGet(segments[bucket] - before);
      if (share() < WARNING_SHARE / 2) {
        hasWarned = false;
      } else if (share() >= WARNING_SHARE && !hasWarned) {
        hasWarned = true;
        LOG.warn(
            "The subtask keeps {} {} segments, more than {} % of its part of {} ({}). {}",
            sum.get(),
            kind.name().toLowerCase(Locale.ROOT),
            Math.round(100 * WARNING_SHARE),
            option,
            most,
            consequence);
      }
    }

    /** Returns the share of the limit of this subtask's key groups that is used. */
    double share() {
      return (double) sum.get() / mostOfSubtask;
    }

    void register(MetricGroup metrics) {
      String name = kind.name().toLowerCase(Locale.ROOT);
      JobMetric.SEGMENTS.gauge(metrics, sum::get, name);
      JobMetric.SEGMENTS_SHARE.gauge(metrics, this::share, name);
    }
  }

  /**
   * Restores the counts of a checkpoint.
   *
   * @param limits limits for the whole job
   */
  SegmentCount(SegmentLimits limits, TaskInfo task, OperatorStateStore store, MetricGroup metrics)
      throws Exception {
    keyGroups = task.getMaxNumberOfParallelSubtasks();
    mine =
        KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
            keyGroups, task.getNumberOfParallelSubtasks(), task.getIndexOfThisSubtask());
    active =
        new Part(
            SegmentKind.ACTIVE,
            JobOptions.SEGMENTS_MOST.key(),
            limits.active(),
            "New segments are rejected with TOO_MANY_SEGMENTS at the limit. Use fewer segment"
                + " names, give their specs idle-state, or raise the option.");
    passivated =
        new Part(
            SegmentKind.PASSIVATED,
            JobOptions.SEGMENTS_MOST_PASSIVATED.key(),
            limits.passivated(),
            "Idle segments stay active at the limit. Use fewer segment names, or raise the"
                + " option.");
    state = store.getUnionListState(new ListStateDescriptor<>(STATE, LongSerializer.INSTANCE));
    for (long counted : state.get()) {
      int bucket = (int) ((counted & Long.MAX_VALUE) >> Integer.SIZE);
      if (mine.contains(bucket / BUCKETS)) {
        (counted < 0 ? passivated : active).add(bucket - firstBucket(), (int) counted);
      }
    }
    active.register(metrics);
    passivated.register(metrics);
  }

  /** Returns whether a segment with this name may become active, or passivated. */
  boolean hasRoom(String segment, SegmentKind kind) {
    return part(kind).hasRoom(bucket(segment));
  }

  /** Returns the reason for a rejection. */
  String refusal() {
    return "The job keeps at most "
        + active.most
        + " active segments, and "
        + active.mostOfBucket
        + " with names of one hash code; this one exceeds a limit";
  }

  /** Updates the counts from what a segment had before and after an input or timer. */
  void changed(String segment, SegmentKind before, SegmentKind after) {
    if (before == after) {
      return;
    }
    int bucket = bucket(segment);
    if (before != SegmentKind.NONE) {
      part(before).add(bucket, -1);
    }
    if (after != SegmentKind.NONE) {
      part(after).add(bucket, 1);
    }
  }

  private Part part(SegmentKind kind) {
    return kind == SegmentKind.ACTIVE ? active : passivated;
  }

  void snapshot() throws Exception {
    List<Long> counted = new ArrayList<>();
    for (int bucket = 0; bucket < active.segments.length; bucket++) {
      add(counted, bucket, active, 0);
      add(counted, bucket, passivated, Long.MIN_VALUE);
    }
    state.update(counted);
  }

  private void add(List<Long> counted, int bucket, Part part, long sign) {
    int segments = part.segments[bucket];
    if (segments > 0) {
      counted.add(sign | ((long) (firstBucket() + bucket) << Integer.SIZE) | segments);
    }
  }

  private int firstBucket() {
    return BUCKETS * mine.getStartKeyGroup();
  }

  /** Returns the bucket of a name among those of this subtask. */
  private int bucket(String segment) {
    int keyGroup = KeyGroupRangeAssignment.assignToKeyGroup(segment, keyGroups);
    int bucket = (segment.hashCode() * MIXER) >>> 24;
    return BUCKETS * keyGroup + bucket - firstBucket();
  }
}
