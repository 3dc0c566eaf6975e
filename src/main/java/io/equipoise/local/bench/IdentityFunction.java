package io.equipoise.local.bench;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Input;
import io.equipoise.event.Wire;
import io.equipoise.job.Control;
import io.equipoise.job.Emission;
import io.equipoise.job.Emission.Output;
import io.equipoise.job.Emission.Payload;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Emits for every input as many records as the full job would, of the same schemas and sizes, and
 * does nothing else: no state, no timer, no look at what an input says but its number.
 */
final class IdentityFunction
    extends KeyedBroadcastProcessFunction<String, Input, Control, Emission> {
  private static final long serialVersionUID = 1L;

  private final Templates templates;
  private final boolean encodes;
  private transient Map<Output, Payload> payloads = new EnumMap<>(Output.class);

  /**
   * Creates the function.
   *
   * @param encodes whether the sink is to encode each record anew
   */
  IdentityFunction(Templates templates, boolean encodes) {
    this.templates = templates;
    this.encodes = encodes;
  }

  @Override
  public void open(OpenContext context) {
    payloads = new EnumMap<>(Output.class);
    payloads.put(Output.DECISIONS, payload(Wire.DECISION, Output.DECISIONS));
    payloads.put(Output.AUDIT, payload(Wire.AUDIT, Output.AUDIT));
    payloads.put(Output.OUTCOMES, payload(Wire.OUTCOME, Output.OUTCOMES));
    payloads.put(Output.METRICS, payload(Wire.METRICS, Output.METRICS));
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
  public void processBroadcastElement(Control control, Context context, Collector<Emission> out) {}

  private void emit(Output output, byte[] key, Collector<Emission> out) {
    out.collect(new Emission(output, key, Objects.requireNonNull(payloads.get(output))));
  }

  private <T extends Record> Payload payload(Wire<T> wire, Output output) {
    byte[] bytes = Objects.requireNonNull(templates.records().get(output));
    T record = wire.decode(bytes);
    return encodes ? () -> wire.encode(record) : () -> bytes;
  }
}
