package io.equipoise.job;

import io.equipoise.event.Decision;
import io.equipoise.event.Wire;
import io.equipoise.event.WriterEpochMarker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** The decisions topic in a list, with one partition. */
class MemoryDecisions implements DecisionLog {
  final List<Written> records = new ArrayList<>();
  boolean isClosed;
  private long recent;

  /** A record: a decision, or a marker. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Written(byte @Nullable [] value, Headers headers) {
    boolean isMarker() {
      return WriterEpochMarker.isIn(value, headers);
    }
  }

  /** Puts onto the topic what an operator has emitted. */
  void takeFrom(SegmentHarness harness) {
    harness.decisions().forEach(this::add);
  }

  void add(Decision decision) {
    records.add(new Written(Wire.DECISION.encode(decision), new RecordHeaders()));
  }

  @Override
  public long[] begins() {
    return new long[1];
  }

  @Override
  public long[] ends() {
    return new long[] {records.size()};
  }

  @Override
  public long[] recentEnds() {
    long before = recent;
    recent = records.size();
    return new long[] {before};
  }

  @Override
  public long[] append(WriterEpochMarker marker) {
    records.add(new Written(null, marker.headers()));
    return new long[] {records.size() - 1};
  }

  @Override
  public void read(long[] from, long[] to, Reader reader) {
    for (long offset = from[0]; offset < to[0]; offset++) {
      Written record = records.get((int) offset);
      reader.on(0, record.value(), record.headers());
    }
  }

  @Override
  public void watch(long from, Consumer<WriterEpochMarker> reader) {
    for (long offset = from; offset < records.size(); offset++) {
      if (records.get((int) offset).isMarker()) {
        reader.accept(WriterEpochMarker.of(records.get((int) offset).headers()));
      }
    }
  }

  @Override
  public void close() {
    isClosed = true;
  }
}
