package io.equipoise.state;

import io.equipoise.fairness.AuditSums;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.LayoutReader;
import io.equipoise.layout.LayoutWriter;
import io.equipoise.segment.state.DueIndex;
import io.equipoise.segment.state.Ledgers;
import io.equipoise.segment.state.RecentDecisions;
import io.equipoise.segment.state.SegmentHeader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;

/**
 * Serializes a segment's header, version 1, big-endian; a string is its length (i32, -1 for null)
 * and UTF-8 bytes.
 *
 * <pre>
 *   0 version (u8)
 *   1 seq (i64)            9 rounds (i64)        17 metrics seq (i64)
 *  25 pending high (i64)  33 pending low (i64)
 *  41 level version (i32) 45 pending (i32)       49 dedup entries (i32)
 *  53 early (i32)
 *  57 spec hash, rejected hash, fingerprint (strings)
 *     arms (i32), per arm: id (string), decisions (i64)
 *     ledger accounts (i32), per account: count (i64)
 *     audit sums: length (i32), bytes in their own layout
 *     per due queue (pending, dedup, early): buckets (i32), per bucket: end (i64), ids (i32)
 *     bounds hash (string), bounds version (i64), rejected bounds (string)
 *     refuted rows of the causal bounds: words (i32), per word: 64 rows, the first the lowest bit (i64)
 *     last input (i64), idle look (i64): event times, ms
 *     recent decisions (i64), arms (i32), per arm: weight (f64), number of the last one (i64)
 *     positions of arms that left: words (i32), per word: 64 positions, likewise (i64)
 *     arms with awaiting decisions (i32), ascending: position (i32), decisions (i32)
 * </pre>
 */
public final class HeadSerializer extends LayoutSerializer<SegmentHeader> {
  private static final long serialVersionUID = 1L;

  @Override
  protected void write(SegmentHeader head, LayoutWriter out) throws IOException {
    out.writeLong(head.seq);
    out.writeLong(head.rounds);
    out.writeLong(head.metricsSeq);
    out.writeLong(head.pendingHigh);
    out.writeLong(head.pendingLow);
    out.writeInt(head.levelVersion);
    out.writeInt(head.pending);
    out.writeInt(head.dedupEntries);
    out.writeInt(head.early);
    out.writeString(head.specHash);
    out.writeString(head.refusedHash);
    out.writeString(head.fingerprint);
    out.writeInt(head.arms.size());
    for (int arm = 0; arm < head.arms.size(); arm++) {
      out.writeString(head.arms.get(arm));
      out.writeLong(head.armDecisions.get(arm));
    }
    out.writeLongs(head.ledgers.counts());
    out.writePart(head.audit);
    for (DueIndex.Queue queue : DueIndex.Queue.values()) {
      writeBuckets(head.bucketsOf(queue), out);
    }
    out.writeString(head.boundsHash);
    out.writeLong(head.boundsVersion);
    out.writeString(head.rejectedBounds);
    out.writeLongs(head.refutedBounds.toLongArray());
    out.writeLong(head.lastInput);
    out.writeLong(head.idleLook);
    writeRecent(head.recent, out);
    out.writeLongs(head.left.toLongArray());
    out.writeInt(head.awaiting.size());
    for (Map.Entry<Integer, Integer> arm : head.awaiting.entrySet()) {
      out.writeInt(arm.getKey());
      out.writeInt(arm.getValue());
    }
  }

  private static void writeRecent(RecentDecisions recent, LayoutWriter out) throws IOException {
    out.writeLong(recent.decisions());
    out.writeInt(recent.weights().size());
    for (int arm = 0; arm < recent.weights().size(); arm++) {
      out.writeDouble(recent.weights().get(arm));
      out.writeLong(recent.at().get(arm));
    }
  }

  private static void writeBuckets(NavigableMap<Long, Integer> buckets, LayoutWriter out)
      throws IOException {
    out.writeInt(buckets.size());
    for (Map.Entry<Long, Integer> bucket : buckets.entrySet()) {
      out.writeLong(bucket.getKey());
      out.writeInt(bucket.getValue());
    }
  }

  @Override
  protected SegmentHeader read(byte version, LayoutReader in) throws IOException {
    long seq = in.readLong();
    long rounds = in.readLong();
    long metricsSeq = in.readLong();
    long pendingHigh = in.readLong();
    long pendingLow = in.readLong();
    int levelVersion = in.readInt();
    int pending = in.readInt();
    int dedupEntries = in.readInt();
    int early = in.readInt();
    String specHash = in.readNullableString();
    String refusedHash = in.readNullableString();
    String fingerprint = in.readNullableString();
    List<String> arms = new ArrayList<>();
    List<Long> armDecisions = new ArrayList<>();
    for (int left = in.readCount(Integer.BYTES + Long.BYTES); left > 0; left--) {
      arms.add(in.readString());
      armDecisions.add(in.readLong());
    }
    Ledgers ledgers = Ledgers.of(in.readLongs());
    AuditSums audit = in.readPart(format -> new AuditSums());
    SegmentHeader head = new SegmentHeader(arms, armDecisions, ledgers, audit);
    head.seq = seq;
    head.rounds = rounds;
    head.metricsSeq = metricsSeq;
    head.pendingHigh = pendingHigh;
    head.pendingLow = pendingLow;
    head.levelVersion = levelVersion;
    head.pending = pending;
    head.dedupEntries = dedupEntries;
    head.early = early;
    head.specHash = specHash;
    head.refusedHash = refusedHash;
    head.fingerprint = fingerprint;
    for (DueIndex.Queue queue : DueIndex.Queue.values()) {
      readBuckets(in, head.bucketsOf(queue));
    }
    readCausalBounds(in, head);
    head.lastInput = in.readLong();
    head.idleLook = in.readLong();
    head.recent = readRecent(in);
    head.left.or(readBits(in, "arms that left"));
    for (int left = in.readCount(2 * Integer.BYTES); left > 0; left--) {
      int position = in.readInt();
      if (!head.awaiting.isEmpty() && head.awaiting.lastKey() >= position) {
        throw new LayoutException("HeadSerializer: arms with awaiting decisions do not ascend");
      }
      head.awaiting.put(position, in.readInt());
    }
    return head;
  }

  private static RecentDecisions readRecent(LayoutReader in) throws IOException {
    long decisions = in.readLong();
    List<Double> weights = new ArrayList<>();
    List<Long> at = new ArrayList<>();
    for (int left = in.readCount(2 * Long.BYTES); left > 0; left--) {
      weights.add(in.readDouble());
      at.add(in.readLong());
    }
    return new RecentDecisions(decisions, weights, at);
  }

  private static void readCausalBounds(LayoutReader in, SegmentHeader head) throws IOException {
    head.boundsHash = in.readNullableString();
    head.boundsVersion = in.readLong();
    head.rejectedBounds = in.readNullableString();
    head.refutedBounds.or(readBits(in, "refuted rows"));
  }

  private static BitSet readBits(LayoutReader in, String what) throws IOException {
    long[] words = in.readLongs();
    if (words.length > 0 && words[words.length - 1] == 0) {
      throw new LayoutException("HeadSerializer: the last word of the %s is 0".formatted(what));
    }
    return BitSet.valueOf(words);
  }

  private static void readBuckets(LayoutReader in, NavigableMap<Long, Integer> buckets)
      throws IOException {
    for (int left = in.readCount(Long.BYTES + Integer.BYTES); left > 0; left--) {
      long end = in.readLong();
      if (!buckets.isEmpty() && buckets.lastKey() >= end) {
        throw new LayoutException("HeadSerializer: the buckets of a due queue do not ascend");
      }
      buckets.put(end, in.readInt());
    }
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public SegmentHeader createInstance() {
    return new SegmentHeader();
  }

  @Override
  public SegmentHeader copy(SegmentHeader from) {
    return from.copy();
  }

  @Override
  public TypeSerializerSnapshot<SegmentHeader> snapshotConfiguration() {
    return new HeadSnapshot();
  }
}
