package io.equipoise.audit.log;

/**
 * The part of one partition that an audit reads.
 *
 * <p>What stands before the horizon is judged. What stands from there up to the reach is read as
 * evidence only: it was committed together with something judged, or later.
 *
 * @param name the topic's name on the cluster
 * @param begin the earliest offset that is still there
 * @param horizon the offset behind the last record judged
 * @param reach the offset behind the last record read; at least the horizon
 */
public record OffsetRange(
    LogTopic topic, String name, int partition, long begin, long horizon, long reach) {

  /** Returns the most records that it can hold. */
  public long size() {
    return reach - begin;
  }

  /** Returns the part of this slice from one offset up to another, judged as before. */
  public OffsetRange between(long from, long to) {
    long first = Math.max(begin, from);
    long end = Math.max(first, Math.min(reach, to));
    return new OffsetRange(topic, name, partition, first, Math.min(horizon, end), end);
  }

  /** Returns the name of a place in it: topic/partition/offset. */
  public String place(long offset) {
    return name + "/" + partition + "/" + offset;
  }
}
