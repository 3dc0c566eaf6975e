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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets good specs through to every subtask and sends bad ones to the dead letter, once, with all
 * their faults. A spec that was let through before keeps running whatever comes after it.
 */
final class SpecGate extends ProcessFunction<RawSpec, SpecText> {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(SpecGate.class);

  private static final String KEY_WANTED = "a spec's record needs the key NAME/HASH";

  static final OutputTag<Emission> REFUSED = new OutputTag<>("refused-specs", StreamTypes.EMISSION);

  @Override
  public void processElement(RawSpec record, Context context, Collector<SpecText> out) {
    Judged judged = judge(record.key(), record.value());
    if (judged.spec() != null) {
      out.collect(judged.spec());
    } else {
      refuse(record, String.valueOf(judged.fault()), context);
    }
  }

  /**
   * Judges a record of the specs topic. The one rule for all who read it: what is refused on its
   * way through the running job must not come into force by the next start.
   *
   * <p>A retirement is taken whether or not its spec is known: compaction forgets the spec first.
   */
  static Judged judge(byte @Nullable [] key, byte @Nullable [] value) {
    if (key == null) {
      return Judged.refused(KEY_WANTED);
    }
    String name = new String(key, StandardCharsets.UTF_8);
    if (value == null) {
      return SpecText.isKey(name)
          ? new Judged(new SpecText(name, null), null)
          : Judged.refused(KEY_WANTED + "; nothing is retired");
    }
    try {
      String text = new String(value, StandardCharsets.UTF_8);
      SegmentSpec spec = CompiledSpec.of(SpecParser.parse(text)).spec();
      String expected = SpecText.keyOf(spec.name(), spec.hash());
      return expected.equals(name)
          ? new Judged(new SpecText(name, text), null)
          : Judged.refused("the key is not that of the text, " + expected);
    } catch (SpecException e) {
      return Judged.refused(String.valueOf(e.getMessage()));
    }
  }

  /** A spec, or why there is none. */
  record Judged(@Nullable SpecText spec, @Nullable String fault) {
    static Judged refused(String fault) {
      return new Judged(null, fault);
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
