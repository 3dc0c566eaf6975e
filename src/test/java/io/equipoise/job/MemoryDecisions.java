package io.equipoise.job;

import io.equipoise.event.AttemptMarker;
import io.equipoise.event.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The decisions topic in a list, with one partition. */
class MemoryDecisions implements DecisionLog {
  final List<byte[]> records = new ArrayList<>();
  boolean isClosed;
  private long recent;

  /** Puts onto the topic what an operator has emitted. */
  void takeFrom(SegmentHarness harness) {
    harness.decisions().forEach(decision -> records.add(Wire.DECISION.encode(decision)));
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
  public long[] append(AttemptMarker marker) {
    records.add(Wire.ATTEMPT.encode(marker));
    return new long[] {records.size() - 1};
  }

  @Override
  public void read(long[] from, long[] to, Reader reader) {
    for (long offset = from[0]; offset < to[0]; offset++) {
      reader.on(0, records.get((int) offset));
    }
  }

  @Override
  public void watch(long from, Consumer<AttemptMarker> reader) {
    for (long offset = from; offset < records.size(); offset++) {
      if (AttemptMarker.isIn(records.get((int) offset))) {
        reader.accept(Wire.ATTEMPT.decode(records.get((int) offset)));
      }
    }
  }

  @Override
  public void close() {
    isClosed = true;
  }
}
