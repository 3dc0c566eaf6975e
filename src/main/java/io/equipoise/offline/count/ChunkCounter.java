package io.equipoise.offline.count;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.api.java.tuple.Tuple5;
import org.apache.flink.util.Collector;

/** Counts the cells of a chunk, or reports its first error. */
final class ChunkCounter
    extends RichFlatMapFunction<Long, Tuple5<Integer, Long, Long, Long, String>> {
  private static final long serialVersionUID = 1L;

  private final CountLayout countLayout;
  private final SegmentLog log;
  private final ArrayList<Chunk> chunks;
  private final LongCounter rows = new LongCounter();

  ChunkCounter(CountLayout countLayout, SegmentLog log, List<Chunk> chunks) {
    this.countLayout = countLayout;
    this.log = log;
    this.chunks = new ArrayList<>(chunks);
  }

  @Override
  public void open(OpenContext context) {
    getRuntimeContext().addAccumulator(CountingJob.ROWS, rows);
  }

  @Override
  public void flatMap(Long number, Collector<Tuple5<Integer, Long, Long, Long, String>> out)
      throws IOException {
    Chunk chunk = chunks.get(number.intValue());
    RowSink sink = new RowSink(countLayout, out);
    rows.add(read(chunk, sink));
    sink.flush();
  }

  private long read(Chunk chunk, RowSink sink) throws IOException {
    Path file = Path.of(chunk.file());
    if (!chunk.isAvro()) {
      return CsvRows.of(countLayout, file).read(chunk, sink);
    }
    SegmentEventRows segmentEvents = new SegmentEventRows(countLayout, log);
    return FramedRows.isFramed(file)
        ? new FramedRows(segmentEvents).read(chunk, sink)
        : new AvroRows(segmentEvents).read(chunk, sink);
  }
}
