package io.equipoise.job;

import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Lets rows of causal bounds through to every subtask that can be by themselves, and sends the
 * others to the dead letter, once. Whether a set is whole and fits a spec is seen where it is used.
 */
final class BoundsGate extends ProcessFunction<RawControl, Control> {
  private static final long serialVersionUID = 1L;

  static final OutputTag<Emission> REFUSED =
      new OutputTag<>("rejected-bounds", StreamTypes.EMISSION);

  @Override
  public void processElement(RawControl raw, Context context, Collector<Control> out) {
    CausalBoundRecord record = new CausalBoundRecord(raw);
    if (record.read() instanceof CausalBoundRecord.Bad bad) {
      context.output(REFUSED, raw.refused(bad.code(), bad.why()));
    } else {
      out.collect(record);
    }
  }
}
