package io.equipoise.job;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Origin;
import io.equipoise.event.Wire;
import io.equipoise.spec.SpecException;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Lets good specs through to every subtask and sends bad ones to the dead letter, once, with all
 * their faults. A spec that was let through before keeps running whatever comes after it.
 */
final class SpecGate extends ProcessFunction<RawSpec, SpecText> {
  private static final long serialVersionUID = 1L;

  static final OutputTag<Emission> REFUSED = new OutputTag<>("refused-specs", StreamTypes.EMISSION);

  @Override
  public void processElement(RawSpec record, Context context, Collector<SpecText> out) {
    byte[] key = record.key();
    byte[] value = record.value();
    if (key == null) {
      refuse(record, "a spec's record needs the key NAME/HASH", context);
      return;
    }
    SpecText spec = SpecText.of(key, value);
    try {
      spec.check();
      out.collect(spec);
    } catch (SpecException e) {
      refuse(record, e.getMessage(), context);
    }
  }

  private static void refuse(RawSpec record, String message, Context context) {
    DeadLetter letter =
        DeadLetter.undecodable(
            ErrorCode.SPEC_REFUSED,
            message,
            new Origin(record.topic(), record.partition(), record.offset(), record.appendTime()),
            record.key(),
            record.value());
    context.output(
        REFUSED,
        new Emission(Emission.Output.DEAD_LETTER, record.key(), Wire.DEAD_LETTER.encode(letter)));
  }
}
