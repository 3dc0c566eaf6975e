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

/** Encodes a segment's records and hands them to the sink, keyed by segment. */
final class EmittingLog implements OutputLog {
  private final byte[] key;
  private final Collector<Emission> out;

  EmittingLog(String segment, Collector<Emission> out) {
    this.key = segment.getBytes(StandardCharsets.UTF_8);
    this.out = out;
  }

  @Override
  public void decision(Decision decision) {
    out.collect(new Emission(Output.DECISIONS, key, Wire.DECISION.encode(decision)));
  }

  @Override
  public void audit(FairnessAudit audit) {
    out.collect(new Emission(Output.AUDIT, key, Wire.AUDIT.encode(audit)));
  }

  @Override
  public void outcome(Outcome outcome) {
    out.collect(new Emission(Output.OUTCOMES, key, Wire.OUTCOME.encode(outcome)));
  }

  @Override
  public void metrics(SegmentMetrics metrics) {
    out.collect(new Emission(Output.METRICS, key, Wire.METRICS.encode(metrics)));
  }

  @Override
  public void deadLetter(DeadLetter letter) {
    out.collect(new Emission(Output.DEAD_LETTER, key, Wire.DEAD_LETTER.encode(letter)));
  }
}
