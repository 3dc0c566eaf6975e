package io.equipoise.segment.state;

import io.equipoise.event.IdHash;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the decision ids that are due, in coarse buckets of event time, so that a segment has one
 * timer for each bucket and none for each decision.
 *
 * <p>An id may be in several buckets; only the one that its entry names is valid. Scheduling costs
 * O(1) state accesses of one chunk.
 */
public final class DueIndex {

  /** Names the queues. The order is part of the state layout: append only. */
  public enum Queue {
    /** Awaiting decisions. */
    PENDING,
    /** Ids of resolved decisions. */
    DEDUP_ENTRIES,
    /** Rewards held early. */
    EARLY
  }

  private final Queue queue;
  private final SegmentState state;
  private final NavigableMap<Long, Integer> buckets;

  /**
   * Opens a queue.
   *
   * @param buckets number of ids by end of bucket, ms; part of the segment's header, and changed
   *     here
   */
  DueIndex(Queue queue, SegmentState state, NavigableMap<Long, Integer> buckets) {
    this.queue = queue;
    this.state = state;
    this.buckets = buckets;
  }

  /** Returns the end of the bucket that a time falls into; at least {@code time}. */
  public static long bucketOf(long time, long widthMillis) {
    return -Math.floorDiv(-time, widthMillis) * widthMillis;
  }

  /** Stores an entry and schedules its id in the bucket of its due time. */
  public void schedule(IdHash id, Entry entry, long widthMillis) {
    long bucket = bucketOf(entry.due(), widthMillis);
    int place = buckets.merge(bucket, 1, Integer::sum) - 1;
    SegmentState.DueKey key = chunkKey(bucket, place);
    if (place % DueChunk.CAPACITY == 0) {
      state.putChunk(key, DueChunk.of(id));
    } else {
      state.putChunk(key, chunk(key).plus(id));
    }
    if (place == 0) {
      state.wakeAt(bucket);
    }
    state.putEntry(id, entry.scheduled(bucket));
  }

  /**
   * Removes every id whose bucket ended at or before a time and passes it on, earliest bucket
   * first.
   */
  public void drain(long time, Visitor visitor) {
    while (!buckets.isEmpty() && buckets.firstKey() <= time) {
      Map.Entry<Long, Integer> bucket = buckets.pollFirstEntry();
      for (int place = 0; place < bucket.getValue(); place += DueChunk.CAPACITY) {
        SegmentState.DueKey key = chunkKey(bucket.getKey(), place);
        DueChunk chunk = chunk(key);
        state.removeChunk(key);
        for (int i = 0; i < chunk.size(); i++) {
          visitor.due(bucket.getKey(), chunk.id(i));
        }
      }
    }
  }

  /** Removes and returns the last id of the earliest bucket; null if the queue is empty. */
  @Nullable
  public Item pollEarliest() {
    Map.Entry<Long, Integer> bucket = buckets.firstEntry();
    if (bucket == null) {
      return null;
    }
    int place = bucket.getValue() - 1;
    SegmentState.DueKey key = chunkKey(bucket.getKey(), place);
    DueChunk chunk = chunk(key);
    if (place % DueChunk.CAPACITY == 0) {
      state.removeChunk(key);
    } else {
      state.putChunk(key, chunk.minusLast());
    }
    if (place == 0) {
      buckets.remove(bucket.getKey());
    } else {
      buckets.put(bucket.getKey(), place);
    }
    return new Item(bucket.getKey(), chunk.id(chunk.size() - 1));
  }

  private SegmentState.DueKey chunkKey(long bucket, int place) {
    return new SegmentState.DueKey(queue, bucket, place / DueChunk.CAPACITY);
  }

  private DueChunk chunk(SegmentState.DueKey key) {
    DueChunk chunk = state.chunk(key);
    if (chunk == null) {
      throw new IllegalStateException("the due index names " + key + ", which is not in state");
    }
    return chunk;
  }

  /** Pairs an id with the end of the bucket that named it, ms. */
  public record Item(long bucket, IdHash id) {}

  /** Takes due ids. */
  public interface Visitor {
    void due(long bucket, IdHash id);
  }
}
