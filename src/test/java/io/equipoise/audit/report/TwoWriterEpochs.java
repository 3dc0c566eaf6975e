package io.equipoise.audit.report;

import io.equipoise.audit.verify.Tamper;
import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Wire;
import io.equipoise.event.WriterEpochMarker;
import io.equipoise.segment.OfferRun;
import io.equipoise.segment.OfferTraffic;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The log of an experiment whose job was killed: the first attempt closed two phases, the second
 * went on from a checkpoint between them and decided for some people more before it closed the
 * second phase, at another seq.
 */
public final class TwoWriterEpochs {
  /** How many more decisions the second attempt makes before it does what the first one did. */
  private static final int MORE = 3;

  private static final OfferRun RUN =
      new OfferRun(OfferTraffic.spec().replace("samples: 3000", "samples: 100"), 1);

  private final long restored;
  private final long killed;

  /** Takes a record of the log. */
  public interface Sink {
    /** Appends a record of the segment, or a marker, which has no value. */
    void append(LogTopic topic, @Nullable WriterEpochMarker marker, byte @Nullable [] value);
  }

  public TwoWriterEpochs() {
    List<ExperimentRecord> phases = undisturbed();
    killed = phases.get(1).seq();
    restored = (phases.get(0).seq() + killed) / 2;
  }

  /** Returns the records of the same experiment in which nothing was killed. */
  public static List<ExperimentRecord> undisturbed() {
    return RUN.log.experiments;
  }

  public String segment() {
    return undisturbed().get(0).segment();
  }

  /** Writes what the first attempt did up to the second phase. */
  public void first(Sink to) {
    mark(1, to);
    write(1, 0, killed, 0, to);
  }

  /** Writes what the second attempt did before it closed a phase. */
  public void second(Sink to) {
    mark(2, to);
    Decision any = RUN.log.decisions.get(0);
    for (int i = 1; i <= MORE; i++) {
      Decision more = numbered(any, 2, restored + i);
      to.append(
          LogTopic.DECISIONS,
          null,
          Wire.DECISION.encode(Tamper.with(more, "decisionId", "more-" + i)));
    }
    write(2, restored, killed - 1, MORE, to);
  }

  /** Writes what the second attempt did from then on, to the end. */
  public void rest(Sink to) {
    write(2, killed - 1, Long.MAX_VALUE, MORE, to);
  }

  private static void mark(int writerEpoch, Sink to) {
    WriterEpochMarker marker = new WriterEpochMarker(writerEpoch, 0, 127);
    to.append(LogTopic.DECISIONS, marker, null);
  }

  /** Writes what comes behind a seq, up to another one. */
  private static void write(int writerEpoch, long after, long upTo, long shift, Sink to) {
    for (Decision decision : RUN.log.decisions) {
      if (decision.seq() > after && decision.seq() <= upTo) {
        Decision one = numbered(decision, writerEpoch, decision.seq() + shift);
        to.append(LogTopic.DECISIONS, null, Wire.DECISION.encode(one));
      }
    }
    for (SegmentEvent segmentEvent : RUN.log.segmentEvents) {
      if (segmentEvent.seq() > after && segmentEvent.seq() <= upTo) {
        SegmentEvent one = Tamper.with(segmentEvent, "writerEpoch", writerEpoch);
        one = Tamper.with(one, "seq", segmentEvent.seq() + shift);
        to.append(LogTopic.SEGMENT_EVENTS, null, Wire.SEGMENT_EVENT.encode(one));
      }
    }
    for (ExperimentRecord record : RUN.log.experiments) {
      if (record.seq() > after && record.seq() <= upTo) {
        ExperimentRecord one = Tamper.with(record, "writerEpoch", writerEpoch);
        one = Tamper.with(one, "seq", record.seq() + shift);
        to.append(LogTopic.EXPERIMENTS, null, Wire.EXPERIMENT.encode(one));
      }
    }
  }

  private static Decision numbered(Decision decision, int writerEpoch, long seq) {
    Decision one = Tamper.with(decision, "writerEpoch", writerEpoch);
    one = Tamper.with(one, "keyGroup", 5);
    return Tamper.with(one, "seq", seq);
  }
}
