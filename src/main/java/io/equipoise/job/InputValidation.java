package io.equipoise.job;

import io.equipoise.event.Decoded;
import io.equipoise.event.Input;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import io.equipoise.job.topics.Emission;
import org.apache.flink.util.Collector;

/** Forwards decoded inputs and rejects records that could not be decoded. */
final class InputValidation extends ValidationFunction<Decoded, Input> {
  private static final long serialVersionUID = 1L;

  @Override
  public void processElement(Decoded decoded, Context context, Collector<Input> out) {
    if (decoded instanceof Decoded.Good good) {
      out.collect(good.input());
    } else if (decoded instanceof Decoded.Bad bad) {
      refuse(
          bad.letter().code(),
          new Emission(
              LogTopic.DEAD_LETTER,
              bad.letter().input().key(),
              Wire.DEAD_LETTER.encode(bad.letter())),
          context);
    }
  }
}
