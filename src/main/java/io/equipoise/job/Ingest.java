package io.equipoise.job;

import io.equipoise.event.Decoded;
import io.equipoise.event.Input;
import io.equipoise.event.Wire;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/** Parts what can be answered or learned from what could not even be decoded. */
final class Ingest extends ProcessFunction<Decoded, Input> {
  private static final long serialVersionUID = 1L;

  static final OutputTag<Emission> UNDECODABLE =
      new OutputTag<>("undecodable-inputs", StreamTypes.EMISSION);

  @Override
  public void processElement(Decoded decoded, Context context, Collector<Input> out) {
    if (decoded instanceof Decoded.Good good) {
      out.collect(good.input());
    } else {
      Decoded.Bad bad = (Decoded.Bad) decoded;
      context.output(
          UNDECODABLE,
          new Emission(
              Emission.Output.DEAD_LETTER,
              bad.letter().key(),
              Wire.DEAD_LETTER.encode(bad.letter())));
    }
  }
}
