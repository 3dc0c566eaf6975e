package io.equipoise.job;

import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Lets rows of prior bounds through to every subtask that can be by themselves, and sends the
 * others to the dead letter, once. Whether a set is whole and fits a spec is seen where it is used.
 */
final class PriorGate extends ProcessFunction<RawControl, Control> {
  private static final long serialVersionUID = 1L;

  static final OutputTag<Emission> REFUSED =
      new OutputTag<>("refused-priors", StreamTypes.EMISSION);

  @Override
  public void processElement(RawControl raw, Context context, Collector<Control> out) {
    PriorRecord record = new PriorRecord(raw);
    if (record.read() instanceof PriorRecord.Bad bad) {
      context.output(REFUSED, raw.refused(bad.code(), bad.why()));
    } else {
      out.collect(record);
    }
  }
}
