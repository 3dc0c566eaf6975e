package io.equipoise.job;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentOutput;
import io.equipoise.job.topics.Emission;
import io.equipoise.privacy.Redactor;
import io.equipoise.segment.log.OutputLog;
import io.equipoise.segment.log.SegmentWithoutSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/**
 * Redacts a segment's records and sends them to the sink, keyed by segment. Dead letters stay
 * complete: {@link EmissionSchema} encrypts those of the whole job.
 */
final class EmittingLog implements OutputLog {
  private final byte[] key;
  private final Collector<Emission> out;
  private final EmissionCounters counters;
  private final Redactor redactor;
  private final ObjLongConsumer<String> sequenced;
  private final @Nullable String traceParent;

  /**
   * Creates the log of one input or timer.
   *
   * @param traceParent header of the decision and the audit; null without one
   * @param sequenced receives segment and seq of each record that has a seq
   */
  EmittingLog(
      String segment,
      Collector<Emission> out,
      EmissionCounters counters,
      Redactor redactor,
      ObjLongConsumer<String> sequenced,
      @Nullable String traceParent) {
    this.traceParent = traceParent;
    this.key = segment.getBytes(StandardCharsets.UTF_8);
    this.out = out;
    this.counters = counters;
    this.redactor = redactor;
    this.sequenced = sequenced;
  }

  @Override
  public void write(SegmentOutput output) {
    counters.lookAt(output);
    if (output instanceof Decision decision && decision.seq() != SegmentWithoutSpec.UNNUMBERED) {
      sequenced.accept(decision.segment(), decision.seq());
    } else if (output instanceof SegmentEvent segmentEvent) {
      sequenced.accept(segmentEvent.segment(), segmentEvent.seq());
    } else if (output instanceof DeadLetter deadLetter) {
      counters.countDeadLetter(redactor.codeOf(deadLetter));
      emit(deadLetter);
      return;
    }
    emit(redactor.of(output));
  }

  @Override
  public void audits(List<FairnessAudit> ofOneDecision) {
    ofOneDecision.forEach(counters::lookAt);
    redactor.ofOneDecision(ofOneDecision).forEach(this::emit);
  }

  @Override
  public void policyFailed(String why) {
    counters.policyFailed(why);
  }

  private void emit(SegmentOutput output) {
    Emission emission = Emission.of(output, key, traceParent);
    counters.count(emission.output());
    out.collect(emission);
  }
}
