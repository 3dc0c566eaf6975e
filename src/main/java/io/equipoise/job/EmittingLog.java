package io.equipoise.job;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.job.topics.Emission;
import io.equipoise.job.topics.Emission.Output;
import io.equipoise.privacy.Redactor;
import io.equipoise.segment.log.OutputLog;
import io.equipoise.segment.log.SegmentWithoutSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.apache.flink.util.Collector;

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

  /**
   * Creates the log of one input or timer.
   *
   * @param sequenced receives segment and seq of each record that has a seq
   */
  EmittingLog(
      String segment,
      Collector<Emission> out,
      EmissionCounters counters,
      Redactor redactor,
      ObjLongConsumer<String> sequenced) {
    this.key = segment.getBytes(StandardCharsets.UTF_8);
    this.out = out;
    this.counters = counters;
    this.redactor = redactor;
    this.sequenced = sequenced;
  }

  @Override
  public void decision(Decision decision) {
    if (decision.seq() != SegmentWithoutSpec.UNNUMBERED) {
      sequenced.accept(decision.segment(), decision.seq());
    }
    emit(Output.DECISIONS, Wire.DECISION, redactor.of(decision));
  }

  @Override
  public void audit(FairnessAudit audit) {
    emit(Output.AUDIT, Wire.AUDIT, redactor.of(audit));
  }

  @Override
  public void audits(List<FairnessAudit> ofOneDecision) {
    for (FairnessAudit redacted : redactor.ofOneDecision(ofOneDecision)) {
      emit(Output.AUDIT, Wire.AUDIT, redacted);
    }
  }

  @Override
  public void experiment(ExperimentRecord experiment) {
    emit(Output.EXPERIMENTS, Wire.EXPERIMENT, redactor.of(experiment));
  }

  @Override
  public void segmentEvent(SegmentEvent segmentEvent) {
    sequenced.accept(segmentEvent.segment(), segmentEvent.seq());
    emit(Output.SEGMENT_EVENTS, Wire.SEGMENT_EVENT, redactor.of(segmentEvent));
  }

  @Override
  public void metrics(SegmentMetrics metrics) {
    counters.lookAt(metrics);
    emit(Output.METRICS, Wire.METRICS, redactor.of(metrics));
  }

  @Override
  public void deadLetter(DeadLetter deadLetter) {
    counters.countDeadLetter(redactor.codeOf(deadLetter));
    emit(Output.DEAD_LETTER, Wire.DEAD_LETTER, deadLetter);
  }

  @Override
  public void policyFailed(String why) {
    counters.policyFailed(why);
  }

  private <T extends Record> void emit(Output output, Wire<T> wire, T record) {
    counters.count(output);
    out.collect(Emission.of(output, key, wire, record));
  }
}
