package io.equipoise.lab.bench;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Input;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import io.equipoise.job.control.Control;
import io.equipoise.job.topics.Emission;
import io.equipoise.job.topics.Emission.Payload;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Emits for every input as many records as the full job, of the same schemas and sizes, without
 * state, timers or decisions. It reads only the index of an input.
 */
final class IdentityFunction
    extends KeyedBroadcastProcessFunction<String, Input, Control, Emission> {
  private static final long serialVersionUID = 1L;

  private final RecordTemplates recordTemplates;
  private final boolean encodes;
  private transient Map<LogTopic, Cycle> payloads = new EnumMap<>(LogTopic.class);

  /**
   * Creates the function.
   *
   * @param encodes whether the sink encodes each record
   */
  IdentityFunction(RecordTemplates recordTemplates, boolean encodes) {
    this.recordTemplates = recordTemplates;
    this.encodes = encodes;
  }

  @Override
  public void open(OpenContext context) {
    payloads = new EnumMap<>(LogTopic.class);
    fill(LogTopic.DECISIONS, Wire.DECISION);
    fill(LogTopic.AUDIT, Wire.AUDIT);
    fill(LogTopic.SEGMENT_EVENTS, Wire.SEGMENT_EVENT);
    fill(LogTopic.METRICS, Wire.METRICS);
  }

  @Override
  public void processElement(Input input, ReadOnlyContext context, Collector<Emission> out) {
    byte[] key = input.segment().getBytes(StandardCharsets.UTF_8);
    if (!(input instanceof ContextEvent event)) {
      emit(LogTopic.SEGMENT_EVENTS, key, out);
      return;
    }
    emit(LogTopic.DECISIONS, key, out);
    for (int i = 0; i < recordTemplates.auditsPerContext(); i++) {
      emit(LogTopic.AUDIT, key, out);
    }
    int number = Workload.numberOf(event.decisionId());
    if (recordTemplates.isFirstOfSegment(number)) {
      emit(LogTopic.SEGMENT_EVENTS, key, out); // the full job adopts the spec
      emit(LogTopic.METRICS, key, out); // and writes metrics at the end of event time
    }
    if (recordTemplates.endsCount(number)) {
      emit(LogTopic.METRICS, key, out);
    }
  }

  @Override
  public void processBroadcastElement(Control control, Context context, Collector<Emission> out) {}

  private void emit(LogTopic output, byte[] key, Collector<Emission> out) {
    Cycle cycle = payloads.get(output);
    if (cycle != null) {
      out.collect(new Emission(output, key, cycle.next(), null));
    }
  }

  /** Prepares the records of a topic, unless the full job wrote none. */
  private <T extends Record> void fill(LogTopic output, Wire<T> wire) {
    List<Payload> made = new ArrayList<>();
    for (byte[] bytes : recordTemplates.records().getOrDefault(output, List.of())) {
      T record = wire.decode(bytes);
      made.add(encodes ? () -> wire.encode(record) : () -> bytes);
    }
    if (!made.isEmpty()) {
      payloads.put(output, new Cycle(made));
    }
  }

  /** Returns payloads in turn. */
  private static final class Cycle {
    private final List<Payload> payloads;
    private int next;

    Cycle(List<Payload> payloads) {
      this.payloads = payloads;
    }

    Payload next() {
      Payload payload = payloads.get(next);
      next = next + 1 == payloads.size() ? 0 : next + 1;
      return payload;
    }
  }
}
