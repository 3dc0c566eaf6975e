package io.equipoise.audit.log;

import io.equipoise.event.LogTopic;

/**
 * Limits the part of one partition that an audit reads.
 *
 * <p>Records before the horizon are checked. Records from there up to the reach are evidence only:
 * they were committed together with a checked record, or later.
 *
 * @param name the topic's name on the cluster
 * @param begin the earliest available offset
 * @param horizon the offset after the last checked record
 * @param reach the offset after the last record read; at least the horizon
 */
public record OffsetRange(
    LogTopic topic, String name, int partition, long begin, long horizon, long reach) {

  /** Returns the maximum number of records. */
  public long size() {
    return reach - begin;
  }

  /** Returns the part of this range between two offsets, with the same horizon. */
  public OffsetRange between(long from, long to) {
    long first = Math.max(begin, from);
    long end = Math.max(first, Math.min(reach, to));
    return new OffsetRange(topic, name, partition, first, Math.min(horizon, end), end);
  }

  /** Returns topic/partition/offset. */
  public String place(long offset) {
    return name + "/" + partition + "/" + offset;
  }
}
