package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.audit.verify.SnapshotChain.Link;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentMetrics;
import org.junit.jupiter.api.Test;

/** Which snapshot names which, and what attempts may not know. */
class SnapshotChainTest {
  private final SegmentMetrics any =
      (SegmentMetrics)
          TamperedLog.decode(new PlayedDeployment(7, 200).log.first(LogTopic.METRICS, at -> true));
  private final SnapshotChain chain = new SnapshotChain();
  private long expected;

  private Link next(int writerEpoch, long seq, long previous) {
    SegmentMetrics told = Tamper.with(any, "writerEpoch", writerEpoch);
    told = Tamper.with(Tamper.with(told, "seq", seq), "previousSeq", previous);
    Link link = chain.next(told, expected);
    expected = seq;
    return link;
  }

  @Test
  void whatIsNamedAndNotThereIsMissing() {
    assertEquals(Link.WHOLE, next(0, 4, 0L));
    assertEquals(Link.MISSING, next(0, 9, 7L));
    assertEquals(Link.WHOLE, next(0, 12, 9L));
    assertEquals(Link.WRONG, next(0, 15, 15L));
    assertEquals(Link.WRONG, next(0, 20, 12L));
    assertEquals(Link.WRONG, next(0, 24, 3L));
    assertEquals(Link.WHOLE, next(0, 30, 24));
    assertEquals(Link.MISSING, next(0, 33, 31L));
  }

  @Test
  void aWriterEpochMayNotKnowOfTheLastOneOfEarlierWriterEpochs() {
    assertEquals(Link.WHOLE, next(1, 4, 0L));
    assertEquals(Link.WHOLE, next(1, 8, 4L));
    assertEquals(Link.WHOLE, next(3, 9, 4L));
    assertEquals(Link.WHOLE, next(4, 10, 4L));
    assertEquals(Link.WRONG, next(4, 12, 4L));
    assertEquals(Link.WHOLE, next(5, 13, 12L));
    assertEquals(Link.WRONG, next(6, 14, 4L));
  }

  /** One that was frozen writes behind the one that has taken its place. */
  @Test
  void snapshotsOfOneSeqNameTheSameInAnyOrder() {
    assertEquals(Link.WHOLE, next(1, 4, 0L));
    assertEquals(Link.WHOLE, next(3, 8, 4L));
    assertEquals(Link.WHOLE, next(2, 8, 4L));
    assertEquals(Link.WRONG, next(4, 8, 0L));
    assertEquals(Link.MISSING, next(5, 8, 6L));
    assertEquals(Link.WRONG, next(5, 9, 6L));
  }

  @Test
  void aSavepointKnowsWhichWasTheLastOne() {
    chain.begin(5, 2);
    expected = 8;
    assertEquals(Link.WHOLE, next(3, 9, 5L));
    chain.begin(6, 3);
    expected = 9;
    assertEquals(Link.WRONG, next(3, 10, 6L));
  }
}
