package io.equipoise.state;

import io.equipoise.event.Account;
import io.equipoise.fairness.AuditSums;
import io.equipoise.segment.state.DueIndex;
import io.equipoise.segment.state.SegmentHeader;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

class HeadSerializerTest extends SerializerContract<SegmentHeader> {
  HeadSerializerTest() {
    super(new HeadSerializer(), Golden.heads());
  }

  @Override
  SegmentHeader random(SplittableRandom random) {
    RandomValues values = new RandomValues(random);
    SegmentHeader head = new SegmentHeader();
    while (random.nextInt(4) > 0) {
      head.arms.add(values.text());
      head.armDecisions.add(values.number());
    }
    for (int left = head.arms.isEmpty() ? 0 : random.nextInt(9); left > 0; left--) {
      head.decided(random.nextInt(head.arms.size()));
    }
    for (Account account : Account.values()) {
      for (int left = random.nextInt(3); left > 0; left--) {
        head.ledgers.add(account);
      }
    }
    head.audit = new AuditSums(random.nextInt(1, 4), random.nextInt(1, 4));
    for (int left = random.nextInt(5); left > 0; left--) {
      head.audit.rewarded(
          new int[] {random.nextInt(head.audit.levels(0)), random.nextInt(head.audit.levels(1))},
          random.nextDouble());
    }
    for (DueIndex.Queue queue : DueIndex.Queue.values()) {
      while (random.nextInt(4) > 0) {
        head.bucketsOf(queue).put(values.number(), random.nextInt(1, 1000));
      }
    }
    head.seq = values.number();
    head.rounds = values.number();
    head.metricsSeq = values.number();
    head.pendingHigh = values.number();
    head.pendingLow = values.number();
    head.levelVersion = (int) values.number();
    head.pending = (int) values.number();
    head.early = (int) values.number();
    head.dedupEntries = (int) values.number();
    head.specHash = random.nextBoolean() ? null : values.text();
    head.refusedHash = random.nextBoolean() ? null : values.text();
    head.fingerprint = random.nextBoolean() ? null : values.text();
    head.boundsHash = random.nextBoolean() ? null : values.text();
    head.boundsVersion = values.number();
    head.rejectedBounds = random.nextBoolean() ? null : values.text();
    head.lastInput = values.number();
    head.idleLook = values.number();
    while (random.nextInt(3) > 0) {
      head.refutedBounds.set(random.nextInt(300));
    }
    return head;
  }

  @Override
  Object parts(SegmentHeader head) {
    return Arrays.asList(
        head.seq,
        head.rounds,
        head.metricsSeq,
        head.pendingHigh,
        head.pendingLow,
        head.levelVersion,
        head.pending,
        head.early,
        head.dedupEntries,
        head.specHash,
        head.refusedHash,
        head.fingerprint,
        head.boundsHash,
        head.boundsVersion,
        head.rejectedBounds,
        head.refutedBounds,
        head.lastInput,
        head.idleLook,
        head.arms,
        head.armDecisions,
        head.recent.decisions(),
        head.recent.weights(),
        head.recent.at(),
        head.ledgers,
        head.audit,
        head.bucketsOf(DueIndex.Queue.PENDING),
        head.bucketsOf(DueIndex.Queue.DEDUP_ENTRIES),
        head.bucketsOf(DueIndex.Queue.EARLY));
  }

  @Override
  void change(SegmentHeader head) {
    head.seq++;
    head.pendingLow--;
    head.specHash = "changed";
    head.boundsHash = "changed";
    head.refutedBounds.flip(1);
    head.arms.add("changed");
    head.armDecisions.add(0, 99L);
    head.decided(0);
    head.ledgers.add(Account.CONTEXT_DECIDED);
    head.audit.decided(List.of(), true, true, null);
    head.bucketsOf(DueIndex.Queue.PENDING).put(12L, 12);
    head.bucketsOf(DueIndex.Queue.DEDUP_ENTRIES).clear();
  }
}
