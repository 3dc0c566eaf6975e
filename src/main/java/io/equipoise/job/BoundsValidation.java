package io.equipoise.job;

import io.equipoise.job.control.CausalBoundRecord;
import io.equipoise.job.control.Control;
import io.equipoise.job.control.RawControl;
import org.apache.flink.util.Collector;

/**
 * Forwards valid causal-bounds rows to all subtasks and sends each invalid row to the dead letter
 * once. {@link BroadcastBounds} checks whether a set is complete and fits its spec.
 */
final class BoundsValidation extends ValidationFunction<RawControl, Control> {
  private static final long serialVersionUID = 1L;

  @Override
  public void processElement(RawControl raw, Context context, Collector<Control> out) {
    CausalBoundRecord record = new CausalBoundRecord(raw);
    if (record.read() instanceof CausalBoundRecord.Bad bad) {
      refuse(raw, bad.code(), bad.why(), context);
    } else {
      out.collect(record);
    }
  }
}
