package io.equipoise.job;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Origin;
import io.equipoise.event.Wire;
import io.equipoise.join.CompiledSpec;
import io.equipoise.spec.SegmentSpec;
import io.equipoise.spec.SpecException;
import io.equipoise.spec.SpecParser;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets good specs through to every subtask and sends bad ones to the dead letter, once, with all
 * their faults. A spec that was let through before keeps running whatever comes after it.
 */
final class SpecGate extends ProcessFunction<RawSpec, SpecText> {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(SpecGate.class);

  static final OutputTag<Emission> REFUSED = new OutputTag<>("refused-specs", StreamTypes.EMISSION);

  @Override
  public void processElement(RawSpec record, Context context, Collector<SpecText> out) {
    byte[] key = record.key();
    byte[] value = record.value();
    if (key == null) {
      refuse(record, "a spec's record needs the key NAME/HASH", context);
      return;
    }
    String name = new String(key, StandardCharsets.UTF_8);
    if (value == null) {
      out.collect(new SpecText(name, null));
      return;
    }
    try {
      String text = new String(value, StandardCharsets.UTF_8);
      SegmentSpec spec = CompiledSpec.of(SpecParser.parse(text)).spec();
      String expected = SpecText.keyOf(spec.name(), spec.hash());
      if (expected.equals(name)) {
        out.collect(new SpecText(name, text));
      } else {
        refuse(record, "the key is not that of the text, " + expected, context);
      }
    } catch (SpecException e) {
      refuse(record, e.getMessage(), context);
    }
  }

  /** Returns the specs among texts of the topic that can be read, in order. */
  static List<SegmentSpec> readable(List<SpecText> texts) {
    List<SegmentSpec> specs = new ArrayList<>();
    for (SpecText text : texts) {
      String content = text.text();
      if (content != null) {
        try {
          specs.add(SpecParser.parse(content));
        } catch (SpecException e) {
          LOG.warn("Spec {} on the topic is bad and in force nowhere", text.key());
        }
      }
    }
    return specs;
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
