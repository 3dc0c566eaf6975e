package io.equipoise.offline.count;

import io.equipoise.event.SegmentEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.java.tuple.Tuple5;
import org.apache.flink.util.Collector;

/**
 * Combines counts of rows before it emits them, to emit few records. It emits at the latest when it
 * has {@value #MOST} cells.
 */
final class RowSink {
  private static final int MOST = 1 << 18;

  private final CountLayout countLayout;
  private final Collector<Tuple5<Integer, Long, Long, Long, String>> out;
  private final Map<Integer, Map<Long, long[]>> cells = new HashMap<>();
  private final Map<Long, Tuple5<Integer, Long, Long, Long, String>> writerEpochs = new TreeMap<>();
  private int held;

  RowSink(CountLayout countLayout, Collector<Tuple5<Integer, Long, Long, Long, String>> out) {
    this.countLayout = countLayout;
    this.out = out;
    for (int scope = 0; scope < countLayout.scopes().size(); scope++) {
      cells.put(scope, new HashMap<>());
    }
  }

  void add(int[] levels, long weight) {
    for (int scope = 0; scope < countLayout.scopes().size(); scope++) {
      Map<Long, long[]> counts = cells.get(scope);
      countLayout.count(scope, levels, weight, (code, count) -> add(counts, code, count));
    }
    if (held > MOST) {
      flush();
    }
  }

  private void add(Map<Long, long[]> counts, long code, long more) {
    long[] count = counts.get(code);
    if (count == null) {
      counts.put(code, new long[] {more});
      held++;
    } else {
      count[0] += more;
    }
  }

  /** Records the writer epoch of a segment event, if delivery was at-least-once. */
  void writerEpoch(SegmentEvent row, long file, long place) {
    if (row.writerEpoch() > 0) {
      Tuple5<Integer, Long, Long, Long, String> one = WriterEpochs.of(row, file, place);
      held -= writerEpochs.size();
      writerEpochs.merge(one.f1, one, WriterEpochs::merged);
      held += writerEpochs.size();
    }
  }

  void fault(long file, long place, String what) {
    out.collect(Cell.fault(file, place, what));
  }

  void flush() {
    cells.forEach(
        (scope, ofScope) -> {
          new TreeMap<>(ofScope)
              .forEach((code, count) -> out.collect(Cell.counted(scope, code, count[0])));
          ofScope.clear();
        });
    writerEpochs.values().forEach(out::collect);
    writerEpochs.clear();
    held = 0;
  }
}
