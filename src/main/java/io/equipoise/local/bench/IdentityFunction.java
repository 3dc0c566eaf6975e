package io.equipoise.local.bench;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Input;
import io.equipoise.event.Wire;
import io.equipoise.job.Emission;
import io.equipoise.job.Emission.Output;
import io.equipoise.job.SpecText;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Emits for every input as many records as the full job would, of the same schemas and sizes, and
 * does nothing else: no state, no timer, no look at what an input says but its number.
 */
final class IdentityFunction
    extends KeyedBroadcastProcessFunction<String, Input, SpecText, Emission> {
  private static final long serialVersionUID = 1L;

  private final Templates templates;
  private final boolean encodes;
  private transient Map<Output, Encoding<?>> encodings = new EnumMap<>(Output.class);

  /**
   * Creates the function.
   *
   * @param encodes whether each record is encoded anew
   */
  IdentityFunction(Templates templates, boolean encodes) {
    this.templates = templates;
    this.encodes = encodes;
  }

  @Override
  public void open(OpenContext context) {
    encodings = new EnumMap<>(Output.class);
    if (encodes) {
      encodings.put(Output.DECISIONS, encoding(Wire.DECISION, Output.DECISIONS));
      encodings.put(Output.AUDIT, encoding(Wire.AUDIT, Output.AUDIT));
      encodings.put(Output.OUTCOMES, encoding(Wire.OUTCOME, Output.OUTCOMES));
      encodings.put(Output.METRICS, encoding(Wire.METRICS, Output.METRICS));
    }
  }

  @Override
  public void processElement(Input input, ReadOnlyContext context, Collector<Emission> out) {
    byte[] key = input.segment().getBytes(StandardCharsets.UTF_8);
    if (!(input instanceof ContextEvent event)) {
      emit(Output.OUTCOMES, key, out);
      return;
    }
    emit(Output.DECISIONS, key, out);
    for (int i = 0; i < templates.auditsPerContext(); i++) {
      emit(Output.AUDIT, key, out);
    }
    int number = Workload.numberOf(event.decisionId());
    if (templates.isFirstOfSegment(number)) {
      emit(Output.OUTCOMES, key, out); // the full job adopts the spec
      emit(Output.METRICS, key, out); // and writes metrics at the end of event time
    }
    if (templates.endsCount(number)) {
      emit(Output.METRICS, key, out);
    }
  }

  @Override
  public void processBroadcastElement(SpecText spec, Context context, Collector<Emission> out) {}

  private void emit(Output output, byte[] key, Collector<Emission> out) {
    Encoding<?> encoding = encodings.get(output);
    out.collect(
        new Emission(
            output, key, encoding == null ? templates.records().get(output) : encoding.bytes()));
  }

  private <T extends Record> Encoding<T> encoding(Wire<T> wire, Output output) {
    return new Encoding<>(wire, wire.decode(templates.records().get(output)));
  }

  private record Encoding<T extends Record>(Wire<T> wire, T template) {
    byte[] bytes() {
      return wire.encode(template);
    }
  }
}
