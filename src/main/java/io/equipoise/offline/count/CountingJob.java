package io.equipoise.offline.count;

import io.equipoise.causal.DistributionException;
import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.event.TextFile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.java.tuple.Tuple5;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * Counts a log in one batch job: cells are counted while reading, then summed by key. Counts are
 * whole numbers, so neither order nor parallelism changes them. Memory contains cells, not rows.
 */
public final class CountingJob {
  static final String ROWS = "rows";

  private final StreamExecutionEnvironment env;
  private final CountLayout countLayout;
  private final SegmentLog log;

  /**
   * Prepares a job.
   *
   * @param log selects the segment events
   */
  public CountingJob(StreamExecutionEnvironment env, CountLayout countLayout, SegmentLog log) {
    this.env = env;
    this.log = log;
    this.countLayout = countLayout.withTotal();
  }

  /**
   * Runs to the end of the log.
   *
   * @param progress receives the number of rows read so far, now and then, from another thread
   * @throws DistributionException with the first row that cannot be counted, by position; if a
   *     segment has rows of several writer epochs of at-least-once delivery; or if there is no row
   * @throws IOException if a file cannot be read
   */
  public Counts run(LogFile logFile, LongConsumer progress) throws IOException {
    env.setRuntimeMode(RuntimeExecutionMode.BATCH);
    DataStream<Tuple5<Integer, Long, Long, Long, String>> cells =
        logFile instanceof LogFile.Files files ? files(files) : topic((LogFile.Topic) logFile);
    CloseableIterator<Tuple5<Integer, Long, Long, Long, String>> counted =
        cells
            .keyBy(Cell::key, Cell.KEY)
            .reduce(Cell::merged)
            .uid("cells")
            .name("cells")
            .collectAsync();
    try (counted) {
      JobClient client = env.executeAsync("equipoise bounds");
      CountProgress watched = CountProgress.of(client, progress);
      try {
        return counts(counted, logFile);
      } finally {
        watched.close();
      }
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) { // declared by Flink
      throw new IllegalStateException("the counting job failed: " + e.getMessage(), e);
    }
  }

  private DataStream<Tuple5<Integer, Long, Long, Long, String>> files(LogFile.Files given)
      throws IOException {
    for (Path file : given.files()) {
      if (Files.size(TextFile.regular(file)) == 0) {
        throw new DistributionException(file + ": the file is empty");
      }
      if (!new Chunk(0, file.toString(), 0, 1).isAvro()) {
        CsvRows.of(countLayout, file);
      }
    }
    List<Chunk> chunks = Chunk.of(given.files());
    return env.fromSequence(0, chunks.size() - 1L)
        .uid("chunks")
        .name("chunks")
        .flatMap(new ChunkCounter(countLayout, log, chunks))
        .returns(Cell.TYPE)
        .uid("count")
        .name("count");
  }

  private DataStream<Tuple5<Integer, Long, Long, Long, String>> topic(LogFile.Topic topic) {
    KafkaSource<Tuple5<Integer, Long, Long, Long, String>> source =
        SegmentEventSource.of(topic, new SegmentEventCells(countLayout, log));
    return env.fromSource(source, WatermarkStrategy.noWatermarks(), "segment-events")
        .uid("segment-events");
  }

  /**
   * Of two segments with rows of several writer epochs, returns the one whose reach further; null
   * if none.
   */
  private static @Nullable Tuple5<Integer, Long, Long, Long, String> later(
      @Nullable Tuple5<Integer, Long, Long, Long, String> one,
      Tuple5<Integer, Long, Long, Long, String> other) {
    boolean isLater = one == null || WriterEpochs.earlier(other) > WriterEpochs.earlier(one);
    return isLater && WriterEpochs.hasSeveralEpochs(other) ? other : one;
  }

  private Counts counts(
      CloseableIterator<Tuple5<Integer, Long, Long, Long, String>> counted, LogFile logFile)
      throws IOException {
    List<Map<Long, Long>> cells = new ArrayList<>();
    countLayout.scopes().forEach(scope -> cells.add(new TreeMap<>()));
    TreeMap<Long, Tuple5<Integer, Long, Long, Long, String>> faults = new TreeMap<>();
    @Nullable Tuple5<Integer, Long, Long, Long, String> last = null;
    while (counted.hasNext()) {
      Tuple5<Integer, Long, Long, Long, String> cell = counted.next();
      if (cell.f0 == Cell.WRITER_EPOCH) {
        last = later(last, cell);
      } else if (cell.f0 == Cell.FAULT) {
        faults.put(cell.f1, cell);
      } else {
        cells.get(cell.f0).put(cell.f1, cell.f2);
      }
    }
    if (!faults.isEmpty()) {
      Tuple5<Integer, Long, Long, Long, String> first = faults.firstEntry().getValue();
      throw new DistributionException(
          position(logFile, first.f1.intValue(), first.f3) + ": " + first.f4);
    }
    if (last != null) {
      long at = WriterEpochs.earlier(last);
      throw new DistributionException(
          position(logFile, WriterEpochs.number(at), WriterEpochs.place(at))
              + ": "
              + WriterEpochs.fault(last, logFile));
    }
    int total = cells.size() - 1 - countLayout.squares();
    long rows = cells.get(total).getOrDefault(0L, 0L) / countLayout.unit();
    if (rows == 0) {
      String weight = countLayout.weight();
      Object source =
          logFile instanceof LogFile.Files files ? files.files() : ((LogFile.Topic) logFile).name();
      throw new DistributionException(
          source
              + (weight == null
                  ? ": the log has no row: no learned reward, or a heading only"
                  : ": the log has no row with a weight above 0 in column "
                      + weight
                      + "; check it"));
    }
    List<ContingencyTable> tables = new ArrayList<>();
    for (int scope = 0; scope < cells.size(); scope++) {
      if (scope != total) {
        tables.add(countLayout.table(scope, cells.get(scope)));
      }
    }
    return new Counts(rows, tables.subList(0, total), tables.subList(total, tables.size()));
  }

  /**
   * Formats the position of an error for the owner of the log.
   *
   * @param number index of the file or partition
   * @param place byte in the file, or offset
   */
  private static String position(LogFile logFile, int number, long place) throws IOException {
    if (logFile instanceof LogFile.Topic topic) {
      return "topic " + topic.name() + ", partition " + number + ", offset " + place;
    }
    Path file = ((LogFile.Files) logFile).files().get(number);
    boolean isAvro = new Chunk(0, file.toString(), 0, 1).isAvro();
    return isAvro ? file + ", byte " + place : file + ", line " + line(file, place);
  }

  private static long line(Path file, long place) throws IOException {
    long line = 1;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      for (long at = 0; at < place; at++) {
        line += in.read() == '\n' ? 1 : 0;
      }
    }
    return line;
  }

  /** Polls the number of read rows of a running job every second, until closed. */
  private static final class CountProgress {
    private final ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "progress");
              thread.setDaemon(true);
              return thread;
            });

    private long reported;

    private CountProgress() {}

    static CountProgress of(JobClient client, LongConsumer progress) {
      CountProgress countProgress = new CountProgress();
      ScheduledFuture<?> unused = // ends with the timer
          countProgress.timer.scheduleWithFixedDelay(
              () -> countProgress.ask(client, progress), 1, 1, TimeUnit.SECONDS);
      return countProgress;
    }

    private void ask(JobClient client, LongConsumer progress) {
      try {
        Map<String, Object> counters = client.getAccumulators().get();
        if (counters.get(CountingJob.ROWS) instanceof Long rows && rows != reported) {
          reported = rows;
          progress.accept(rows);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException e) {
        // Jobs that are starting or ending do not report; the next poll tries again.
      }
    }

    void close() {
      timer.shutdownNow();
    }
  }
}
