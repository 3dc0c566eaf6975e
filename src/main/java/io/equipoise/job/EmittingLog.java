package io.equipoise.job;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Outcome;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.job.Emission.Output;
import io.equipoise.join.OutputLog;
import java.nio.charset.StandardCharsets;
import org.apache.flink.util.Collector;

/** Hands a segment's records to the sink, keyed by segment. */
final class EmittingLog implements OutputLog {
  private final byte[] key;
  private final Collector<Emission> out;
  private final EmissionCounters counters;

  EmittingLog(String segment, Collector<Emission> out, EmissionCounters counters) {
    this.key = segment.getBytes(StandardCharsets.UTF_8);
    this.out = out;
    this.counters = counters;
  }

  @Override
  public void decision(Decision decision) {
    emit(Output.DECISIONS, Wire.DECISION, decision);
  }

  @Override
  public void audit(FairnessAudit audit) {
    emit(Output.AUDIT, Wire.AUDIT, audit);
  }

  @Override
  public void outcome(Outcome outcome) {
    emit(Output.OUTCOMES, Wire.OUTCOME, outcome);
  }

  @Override
  public void metrics(SegmentMetrics metrics) {
    emit(Output.METRICS, Wire.METRICS, metrics);
  }

  @Override
  public void deadLetter(DeadLetter letter) {
    counters.countDeadLetter(letter.code());
    emit(Output.DEAD_LETTER, Wire.DEAD_LETTER, letter);
  }

  private <T extends Record> void emit(Output output, Wire<T> wire, T record) {
    counters.count(output);
    out.collect(Emission.of(output, key, wire, record));
  }
}
