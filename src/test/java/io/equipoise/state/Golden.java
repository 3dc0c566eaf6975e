package io.equipoise.state;

import io.equipoise.event.Account;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.IdHash;
import io.equipoise.event.InputFault;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.AuditSums;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.fairness.EffectIdentification;
import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.allocation.OamPlan;
import io.equipoise.policy.allocation.OamStatistics;
import io.equipoise.policy.bestarm.ExperimentBlock;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.policy.constraint.DualBlock;
import io.equipoise.policy.constraint.EarnState;
import io.equipoise.policy.linear.ContrastBlock;
import io.equipoise.policy.logistic.LogisticMemory;
import io.equipoise.policy.logistic.PairsBlock;
import io.equipoise.policy.logistic.StreamingModel;
import io.equipoise.policy.refutation.EvidenceBlock;
import io.equipoise.policy.tabular.CellBlock;
import io.equipoise.policy.tabular.DualState;
import io.equipoise.segment.state.DueChunk;
import io.equipoise.segment.state.DueIndex;
import io.equipoise.segment.state.Entry;
import io.equipoise.segment.state.Ledgers;
import io.equipoise.segment.state.PassivatedSegment;
import io.equipoise.segment.state.PendingPropensities;
import io.equipoise.segment.state.RetiredDefinitions;
import io.equipoise.segment.state.RewardAggregate;
import io.equipoise.segment.state.SegmentHeader;
import io.equipoise.segment.state.SegmentState.DueKey;
import io.equipoise.segmentspec.IdleStateSpec.Retain;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The values of the golden files, empty to many. */
final class Golden {
  private static final long TIME = 1_700_000_000_000L;

  private Golden() {}

  static List<SegmentHeader> heads() {
    SegmentHeader one = new SegmentHeader();
    one.seq = 1;
    one.specHash = "5f2c";
    one.fingerprint = "ab01";
    one.arms.add("A=left");
    one.armDecisions.add(0L);
    one.decided(0);
    one.bucketsOf(DueIndex.Queue.PENDING).put(TIME, 1);
    one.awaiting.put(0, 1);
    one.awaiting.put(70, 2);
    one.left.set(3);
    one.left.set(69);
    SegmentHeader refused = new SegmentHeader();
    refused.seq = 2;
    refused.specHash = "5f2c";
    refused.rejectedBounds = "dd".repeat(32);
    SegmentHeader alarmed = fullHeadWithCausalBounds();
    alarmed.audit.decided(List.of(uncovered(0.5, 0.25), uncovered(-0.75, 0.5)), false, false, null);
    alarmed.audit.decided(List.of(uncovered(0.125, 0.25)), false, true, AuditVerdict.NO_OVERLAP);
    alarmed.audit.decided(List.of(), true, false, AuditVerdict.NO_OVERLAP);
    SegmentHeader fresh = new SegmentHeader();
    fresh.audit = new AuditSums(2);
    for (int i = 0; i < 1100; i++) {
      fresh.audit.decided(
          List.of(), true, false, i % 3 == 0 ? AuditVerdict.NO_OVERLAP : AuditVerdict.FAIR);
    }
    SegmentHeader idle = fullHeadWithCausalBounds();
    idle.lastInput = TIME;
    idle.idleLook = TIME + 30 * 86_400_000L;
    idle.early = 3;
    idle.bucketsOf(DueIndex.Queue.EARLY).put(TIME, 4);
    return List.of(new SegmentHeader(), one, refused, fresh, alarmed, idle);
  }

  static List<WrittenState> written() {
    return List.of(
        new WrittenState("shop", List.of(), List.of(), List.of(), List.of()),
        new WrittenState(
            "shop",
            List.of(
                new WrittenState.Topic("shop.contexts", "mX6oJ0yTTxKx3q5fS0b9xw"),
                new WrittenState.Topic("shop.rewards", "")),
            List.of(new WrittenState.Offset("shop.contexts", 3, 5_000_000_000L)),
            List.of(
                new WrittenState.Offset("shop.decisions", 0, 0),
                new WrittenState.Offset("shop.segment-events", 1, 7)),
            List.of(
                new WrittenState.SeqRange("de-mobile", 1, 1),
                new WrittenState.SeqRange("für", 40, Long.MAX_VALUE))));
  }

  static List<WriterEpochState> writerEpochs() {
    return List.of(
        new WriterEpochState(1, 0, 127, List.of(), List.of()),
        new WriterEpochState(7, 64, 127, List.of(12L), List.of(new byte[] {1, 2, 3})),
        new WriterEpochState(
            Integer.MAX_VALUE,
            0,
            63,
            List.of(0L, Long.MAX_VALUE, 5_000_000_000L),
            List.of(new byte[0], new byte[] {-61, 1}, new byte[300])));
  }

  /** What is left of idle segments: packed, empty, many counts. */
  static List<PassivatedSegment> passivated() {
    return List.of(
        new PassivatedSegment(Retain.MODEL, new byte[] {0, 0, 0, 2, 3, 0}),
        PassivatedSegment.largest(0),
        PassivatedSegment.largest(1_000_000_007L));
  }

  private static AuditFinding uncovered(double estimate, double tau) {
    EffectFinding auditEffect =
        new EffectFinding(
            0,
            0,
            1,
            AuditEffectKind.DIRECT,
            EffectIdentification.IDENTIFIED,
            estimate,
            -1,
            1,
            1,
            null);
    return AuditFinding.of(auditEffect, tau, AuditGuarantee.ANYTIME);
  }

  private static SegmentHeader fullHeadWithCausalBounds() {
    SegmentHeader full = fullHead();
    full.boundsHash = "ee".repeat(32);
    full.boundsVersion = 41;
    full.rejectedBounds = "dd".repeat(32);
    full.refutedBounds.set(0);
    full.refutedBounds.set(63, 66);
    full.refutedBounds.set(130);
    return full;
  }

  private static SegmentHeader fullHead() {
    AuditSums audit = new AuditSums(2, 3);
    audit.decided(List.of(), true, false, null);
    audit.decided(List.of(), false, true, null);
    audit.rewarded(new int[] {0, 2}, 0.25);
    audit.rewarded(new int[] {1, 2}, -0.5);
    SegmentHeader head =
        new SegmentHeader(
            new ArrayList<>(List.of("A=left", "A=right", "prix=\u00e9lev\u00e9 \uD83D\uDE00")),
            new ArrayList<>(List.of(7L, 0L, Long.MAX_VALUE)),
            Ledgers.of(LongStream.rangeClosed(1, Account.values().length).toArray()),
            audit);
    head.seq = 123_456_789_012L;
    head.rounds = 17;
    head.metricsSeq = 123_456_789_000L;
    head.pendingHigh = Long.MIN_VALUE;
    head.pendingLow = -1;
    head.levelVersion = 3;
    head.pending = 5;
    head.dedupEntries = 9;
    head.specHash = "aa".repeat(32);
    head.refusedHash = "bb".repeat(32);
    head.fingerprint = "cc".repeat(32);
    head.bucketsOf(DueIndex.Queue.PENDING).put(-1000L, 64);
    head.bucketsOf(DueIndex.Queue.PENDING).put(TIME, 65);
    head.bucketsOf(DueIndex.Queue.DEDUP_ENTRIES).put(TIME + 60_000, 1);
    return head;
  }

  /** The bytes of all entries, as they are stored. */
  static List<byte[]> entryBytes() throws IOException {
    List<byte[]> bytes = new ArrayList<>();
    for (Entry entry : entries()) {
      bytes.add(new EntrySerializer().toBytes(entry));
    }
    return bytes;
  }

  static List<Entry> entries() {
    Entry.RewardFingerprint rewardFingerprint =
        new Entry.RewardFingerprint(0x0102030405060708L, -2);
    RewardAggregate rewardAggregate =
        new RewardAggregate(2, -0.25, -0.5, 0.25, TIME + 2000, 0.25, new int[] {1, -1});
    return List.of(
        new Entry.EarlyRewards(0, 0, List.of()),
        new Entry.EarlyRewards(TIME + 30_000, TIME + 31_000, List.of(bareReward())),
        new Entry.EarlyRewards(TIME, TIME, List.of(bareReward(), fullReward())),
        awaiting(new int[0], List.of(), null),
        awaiting(new int[] {0, 1, 2}, List.of(), null),
        awaiting(
            new int[] {5},
            List.of(rewardFingerprint, new Entry.RewardFingerprint(0, 0)),
            rewardAggregate),
        new Entry.DedupEntry(TIME, TIME + 1, Entry.Resolution.SETTLED, 77, 3, List.of()),
        new Entry.DedupEntry(
            TIME, TIME + 1, Entry.Resolution.EXPIRED, -77, 0, List.of(rewardFingerprint)),
        new Entry.DedupEntry(
            -1,
            -1,
            Entry.Resolution.NOT_LEARNABLE,
            0,
            Entry.DedupEntry.NO_ARM,
            List.of(rewardFingerprint, rewardFingerprint, rewardFingerprint)));
  }

  private static Entry.PendingDecision awaiting(
      int[] context, List<Entry.RewardFingerprint> seen, @Nullable RewardAggregate sums) {
    return new Entry.PendingDecision(
        TIME + 60_000,
        TIME + 61_000,
        -5,
        TIME,
        42,
        1,
        sums == null ? 1 : 3,
        2,
        0.5,
        PendingPropensities.SURE,
        context,
        new double[0],
        seen,
        sums);
  }

  static RewardEvent bareReward() {
    return new RewardEvent(
        "d1",
        null,
        "segment-1",
        TIME,
        0.5,
        Map.of(),
        null,
        new Origin("rewards", 0, 7, TIME + 1),
        new byte[0]);
  }

  static RewardEvent fullReward() {
    return new RewardEvent(
        "d\u00e91",
        "r1",
        "segment-1",
        TIME,
        -0.0,
        Map.of("M", "1", "count", 3L, "share", 0.25, "is", true),
        "A=right",
        new Origin("shop.rewards", 3, 1L << 40, Origin.NO_APPEND_TIME),
        "raw".getBytes(StandardCharsets.UTF_8),
        new InputFault(
            ErrorCode.EVENT_TIME_IN_FUTURE, "too far ahead", List.of("M", "share"), 1 << 20),
        "key".getBytes(StandardCharsets.UTF_8));
  }

  static List<DueChunk> chunks() {
    return List.of(
        DueChunk.ofWords(new long[] {1, -2}),
        DueChunk.ofWords(LongStream.range(0, 6).toArray()),
        DueChunk.ofWords(LongStream.range(0, 2L * DueChunk.CAPACITY).toArray()));
  }

  static List<StateBlock> blocks() {
    return List.of(new CellBlock(1), block(1), block(3));
  }

  /** The blocks of logistic policies, through their layouts, with another number in every place. */
  static List<StateBlock> logisticBlocks() {
    ByteBuffer one = ByteBuffer.allocate(29 + 3 * Double.BYTES);
    one.put((byte) 64)
        .putInt(1)
        .putDouble(5)
        .putDouble(0.04)
        .putLong(0)
        .putDouble(0)
        .putDouble(0.04)
        .putDouble(25);
    ByteBuffer three = ByteBuffer.allocate(29 + 21 * Double.BYTES);
    three.put((byte) 64).putInt(3).putDouble(2.5).putDouble(0.32).putLong(1L << 40);
    ByteBuffer bare = ByteBuffer.allocate(2 + 13);
    bare.put((byte) 80).put((byte) 0).put((byte) 1).putInt(0).putLong(7);
    ByteBuffer full = ByteBuffer.allocate(2 + 29 + 21 + 8 * Double.BYTES + 21 + 4 * Double.BYTES);
    full.put((byte) 80).put((byte) 3);
    full.put((byte) 1).putInt(2).putLong(123_456_789_012L).putDouble(0.25).putDouble(10);
    full.put((byte) 1).putInt(2).putLong(9).putDouble(1.5);
    for (int i = 1; i <= 8; i++) {
      full.putDouble(i / 4.0);
    }
    full.put((byte) 1).putInt(2).putDouble(-0.5).putLong(11);
    for (ByteBuffer open : List.of(three, full)) {
      for (int i = 1; open.hasRemaining(); i++) {
        open.putDouble(-i / 8.0);
      }
    }
    ByteBuffer pairs = ByteBuffer.allocate(9 + 2 * 56 + 3 + 2 * 2 * Long.BYTES);
    pairs.put((byte) 65).putInt(2).putInt(2);
    pairs.putInt(2).putLong(1L << 33).putLong(5).putDouble(0.5).putDouble(4.25);
    pairs.putDouble(-0.75).putDouble(Double.POSITIVE_INFINITY).putInt(3);
    pairs.put((byte) 0).put((byte) 4);
    pairs.putInt(1).putLong(0).putLong(0).putDouble(0).putDouble(0);
    pairs.putDouble(Double.NEGATIVE_INFINITY).putDouble(1).putInt(0).put((byte) 1);
    pairs.putLong(1L << 34).putLong(7).putLong(0).putLong(0);
    return List.of(
        StoredBytes.read(new StreamingModel(), one.flip()),
        StoredBytes.read(new StreamingModel(), three.flip()),
        StoredBytes.read(new LogisticMemory(), bare.flip()),
        StoredBytes.read(new LogisticMemory(), full.flip()),
        StoredBytes.read(new PairsBlock(), pairs.flip()));
  }

  /** The dual variables of policies over cells. */
  static List<StateBlock> dualBlocks() {
    DualBlock moved = new DualBlock(1);
    moved.advance(new double[] {0.25});
    moved.advance(new double[] {100});
    return List.of(new DualState(new DualBlock(1)), new DualState(moved));
  }

  /** Evidence against assumptions, and the refuted ones alone, through their layout. */
  static List<StateBlock> evidenceBlocks() {
    ByteBuffer evidence = ByteBuffer.allocate(13 + 2 * 41 + 3 * Double.BYTES);
    evidence.put((byte) 160).putLong(77).putInt(2);
    evidence.putLong(-7).put((byte) 0).putInt(-1).putLong(2).putDouble(-0.25);
    evidence.putLong(0).putInt(3).putDouble(-0.25).putDouble(1).putDouble(1);
    evidence.putLong(11).put((byte) 2).putInt(4).putLong(9).putDouble(8.5).putLong(5);
    evidence.putInt(0);
    ByteBuffer refuted = ByteBuffer.allocate(13 + 41);
    refuted.put((byte) 160).putLong(0).putInt(1);
    refuted.putLong(11).put((byte) 2).putInt(-1).putLong(0).putDouble(0).putLong(0).putInt(0);
    return List.of(
        StoredBytes.read(new EvidenceBlock(), evidence.flip()),
        StoredBytes.read(new EvidenceBlock(), refuted.flip()));
  }

  /** The blocks of allocation matching, through their layouts. */
  static List<StateBlock> linearBlocks() {
    ByteBuffer none = ByteBuffer.allocate(33);
    none.put((byte) 17).putInt(3).putDouble(0.1).putLong(-5).putInt(0).putInt(0).putInt(0);
    ByteBuffer one = ByteBuffer.allocate(33 + 200 + 2 * 12 + 3 * Double.BYTES);
    one.put((byte) 17).putInt(3).putDouble(0.05).putLong(1L << 60).putInt(2).putInt(9).putInt(1);
    one.putInt(2).putInt(0).putDouble(1).putInt(2).putDouble(-1).putInt(8);
    one.putLong(123_456_789_012L);
    for (int i = 1; one.hasRemaining(); i++) {
      one.putDouble(i / 8.0);
    }
    ByteBuffer start = ByteBuffer.allocate(49);
    start.put((byte) 49).putInt(-1).putLong(0).putLong(0);
    start.putDouble(0).putDouble(0).putDouble(0.25).putInt(0);
    ByteBuffer tried = ByteBuffer.allocate(49 + 2 * 48);
    tried.put((byte) 49).putInt(1).putLong(123_456_789_012L).putLong(4000);
    tried.putDouble(0.125).putDouble(0.0625).putDouble(0.5).putInt(2);
    tried.putDouble(Double.NaN).putDouble(0).putDouble(Double.NaN);
    tried.putLong(0).putLong(0).putLong(1);
    tried.putDouble(0.5).putDouble(0.25).putDouble(0.75).putLong(77).putLong(7).putLong(70);
    ByteBuffer shares = ByteBuffer.allocate(DeltaShares.KEYED_BYTES - Long.BYTES);
    shares.put((byte) 161).putInt(7).putInt(2).putLong(-9);
    return List.of(
        StoredBytes.read(new DeltaShares(), shares.flip()),
        StoredBytes.read(new ContrastBlock(), none.flip()),
        StoredBytes.read(new ContrastBlock(), one.flip()),
        StoredBytes.read(new EarnState(), start.flip()),
        StoredBytes.read(new EarnState(), tried.flip()));
  }

  static List<StateBlock> oamBlocks() {
    ByteBuffer one = ByteBuffer.allocate(13 + Long.BYTES * (1 + 4));
    one.put((byte) 112).putInt(1).putInt(1).putInt(0).putLong(0);
    one.putDouble(0).putDouble(0).putDouble(0).putDouble(0);
    ByteBuffer many = ByteBuffer.allocate(13 + Long.BYTES * (9 + 3 + 4 + 4));
    many.put((byte) 112).putInt(2).putInt(9).putInt(2);
    for (int row = 0; row < 9; row++) {
      many.putLong(1L << (7 * row));
    }
    for (int i = 1; many.hasRemaining(); i++) {
      many.putDouble(-i / 8.0);
    }
    ByteBuffer start = ByteBuffer.allocate(21 + Double.BYTES + 2);
    start.put((byte) 113).putInt(1).putLong(0).putLong(0).putDouble(0).put(new byte[2]);
    ByteBuffer plan = ByteBuffer.allocate(21 + 9 * Double.BYTES + 4);
    plan.put((byte) 113).putInt(9).putLong(123_456_789_012L).putLong(111_111_111_111L);
    for (int row = 0; row < 9; row++) {
      plan.putDouble(row == 4 ? Double.POSITIVE_INFINITY : row / 4.0);
    }
    plan.put(new byte[] {0x10, 0, (byte) 0xEF, 1});
    return List.of(
        StoredBytes.read(new OamStatistics(), one.flip()),
        StoredBytes.read(new OamStatistics(), many.flip()),
        StoredBytes.read(new OamPlan(), start.flip()),
        StoredBytes.read(new OamPlan(), plan.flip()));
  }

  /** The blocks of experiments, byte by byte: progress, counts by cell, bins. */
  static List<StateBlock> experimentBlocks() {
    ByteBuffer begun = ByteBuffer.allocate(34 + 1 + 56 + 2 * 12);
    begun.put((byte) 96).put((byte) 0).putInt(1).putLong(5).putLong(3).putDouble(1.5);
    begun.putInt(1).put((byte) 3).putInt(0).putInt(2);
    begun.putLong(0).putLong(1).putLong(0).putLong(0).putLong(2).putDouble(0.25);
    begun.putDouble(0.75).putInt(4).putDouble(0.25).putInt(0);
    ByteBuffer over = ByteBuffer.allocate(34 + 1 + 56 + 6 * 12);
    over.put((byte) 96).put((byte) 3).putInt(0).putLong(1L << 40).putLong(6000).putDouble(77.5);
    over.putInt(1).put((byte) 1).putInt(9).putInt(0);
    ByteBuffer empty = ByteBuffer.allocate(5).put((byte) 97).putInt(0);
    ByteBuffer counts = ByteBuffer.allocate(5 + 2 * (4 + 16 * 4));
    counts.put((byte) 97).putInt(2).putInt(1);
    for (int place = 0; place < 4; place++) {
      counts.putLong(place).putLong(place * 500_000_000L);
    }
    counts.putInt(17);
    ByteBuffer bins = ByteBuffer.allocate(29 + 4 + 3 * 8 + 2 * 8 * 8);
    bins.put((byte) 98).putInt(1).putLong(7).putLong(0).putLong(2).putInt(3).putLong(9);
    for (ByteBuffer open : List.of(over, counts, bins)) {
      for (int i = 1; open.remaining() >= 8; i++) {
        open.putLong(i);
      }
    }
    return Stream.of(begun, over, empty, counts, bins)
        .map(bytes -> (StateBlock) StoredBytes.read(new ExperimentBlock(), bytes.rewind()))
        .toList();
  }

  /** What segments keep of earlier specs: nothing, arms and levels, byte by byte. */
  static List<StateBlock> heritageBlocks() {
    ByteBuffer none = ByteBuffer.allocate(9).put((byte) 128);
    ByteBuffer full = ByteBuffer.allocate(116).put((byte) 128).putInt(2);
    for (String text : List.of("one", "prix=\u00e9lev\u00e9")) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      full.putInt(bytes.length)
          .put(bytes)
          .putInt(1)
          .putInt(4)
          .put("left".getBytes(StandardCharsets.UTF_8));
    }
    full.putInt(2);
    full.putInt(0).putInt(2).putInt(2).putInt(0).putInt(2).putInt(1).putInt(1);
    full.putInt(0).putInt(0);
    full.putInt(3).putInt(0).putInt(1).putInt(1).putInt(0).putInt(0);
    if (full.hasRemaining()) {
      throw new AssertionError(full + " is longer than its content");
    }
    return Stream.of(none, full)
        .map(b -> (StateBlock) StoredBytes.read(new RetiredDefinitions(), b.rewind()))
        .toList();
  }

  /** Makes a block through its layout, with another number in every place. */
  static CellBlock block(int cells) {
    ByteBuffer bytes = ByteBuffer.allocate(new CellBlock(cells).byteLength());
    bytes.put((byte) 1).putInt(cells);
    for (int i = 1; bytes.hasRemaining(); i++) {
      bytes.putLong(i).putDouble(i / 8.0).putDouble(-i);
    }
    return StoredBytes.read(new CellBlock(), bytes.flip());
  }

  static List<IdHash> ids() {
    return List.of(new IdHash(0, 0), new IdHash(1, -1), IdHash.of("d1"));
  }

  static List<DueKey> dueKeys() {
    return List.of(
        new DueKey(DueIndex.Queue.PENDING, 0, 0),
        new DueKey(DueIndex.Queue.DEDUP_ENTRIES, TIME, 1),
        new DueKey(DueIndex.Queue.PENDING, Long.MIN_VALUE, Integer.MAX_VALUE));
  }
}
