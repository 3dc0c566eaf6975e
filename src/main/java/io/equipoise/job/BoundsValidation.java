package io.equipoise.job;

import io.equipoise.job.control.CausalBoundRecord;
import io.equipoise.job.control.Control;
import io.equipoise.job.control.RawControl;
import org.apache.flink.util.Collector;

/**
 * Lets rows of causal bounds through to every subtask that can be by themselves, and sends the
 * others to the dead letter, once. Whether a set is whole and fits a spec is seen where it is used.
 */
final class BoundsValidation extends Gate<RawControl, Control> {
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
