package io.equipoise.hostile;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.equipoise.Tier;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Feeds a target with damaged records and holds it to four promises: nothing is thrown but what the
 * target itself takes for a refusal, no record takes {@value #DEADLINE_SECONDS} s of the processor
 * or minutes of waiting, none makes the thread allocate more than its length allows, and the heap
 * does not grow from record to record.
 *
 * <p>A record is a function of (seed, name, index) only. {@code -Dequipoise.hostile.seed=N} is
 * another campaign; {@code -Dequipoise.hostile.replay=INDEX} feeds one record of each.
 *
 * @param <T> bytes or text
 */
public final class Campaign<T> {
  private static final long SEED = Long.getLong("equipoise.hostile.seed", 20_261_121L);
  private static final @Nullable Integer REPLAYED = Integer.getInteger("equipoise.hostile.replay");
  private static final int DEADLINE_SECONDS = 10;

  /** A busy machine stops a thread for seconds; only one that waits for ever is caught by this. */
  private static final int LONGEST_WAIT_SECONDS = 180;

  private static final long WATCH_MILLIS = 50;
  private static final long HEAP_SLACK_BYTES = 16 << 20;

  /**
   * A thread keeps no more than it has allocated, so the heap is measured only after so many bytes,
   * and may grow by the rest of the slack from there.
   */
  private static final long UNMEASURED_BYTES = 4 << 20;

  private static final int SHOWN_BYTES = 2000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final String name;
  private final Damage<T> damage;
  private final Target<T> target;
  private final long fixedBytes;
  private final long bytesPerByte;
  private final Progress progress = new Progress();

  /** Makes a damaged record. */
  @FunctionalInterface
  public interface Damage<T> {
    T next(SplittableRandom random);
  }

  /** Takes a record or refuses it as it is documented to; throws only where that is a fault. */
  @FunctionalInterface
  public interface Target<T> {
    /** Returns whether the record was taken, after a look at what it was read as. */
    boolean feed(T record) throws Exception;
  }

  /** Where the campaign is, for the thread that watches it. */
  private static final class Progress {
    private volatile int index = -1;
    private volatile @Nullable Throwable fault;
    private int taken;
    private long slowestNanos;
    private long mostAllocated;
    private long allocatedSinceTenth;
    private long heapBefore = -1;
    private long heapAtEnd;
  }

  /**
   * Plans a campaign.
   *
   * @param fixedBytes what any record may allocate
   * @param bytesPerByte what it may allocate more for each of its bytes
   */
  public Campaign(
      String name, Damage<T> damage, Target<T> target, long fixedBytes, long bytesPerByte) {
    this.name = name;
    this.damage = damage;
    this.target = target;
    this.fixedBytes = fixedBytes;
    this.bytesPerByte = bytesPerByte;
  }

  /** Feeds so many records, and fails with the first that breaks a promise. */
  public void run(int count) throws InterruptedException {
    int first = REPLAYED == null ? 0 : REPLAYED;
    int end = REPLAYED == null ? count : REPLAYED + 1;
    Thread worker = new Thread(() -> work(first, end), "hostile " + name);
    worker.setDaemon(true); // one that hangs is left behind
    worker.start();
    watch(worker);
    Throwable fault = progress.fault;
    if (fault != null) {
      throw new AssertionError(described(progress.index), fault);
    }
    if (REPLAYED == null) {
      report(count);
    }
  }

  private void watch(Thread worker) throws InterruptedException {
    int index = Integer.MIN_VALUE;
    long wallStart = 0;
    long cpuStart = 0;
    while (worker.isAlive()) {
      long cpu = Math.max(0, THREADS.getThreadCpuTime(worker.getId())); // -1 of one that is dead
      if (progress.index != index) {
        index = progress.index;
        wallStart = System.nanoTime();
        cpuStart = cpu;
      }
      boolean isLate =
          cpu - cpuStart > Duration.ofSeconds(DEADLINE_SECONDS).toNanos()
              || System.nanoTime() - wallStart > Duration.ofSeconds(LONGEST_WAIT_SECONDS).toNanos();
      if (isLate && progress.fault == null) {
        AssertionError hangs = new AssertionError(described(index) + "\ntakes too long");
        hangs.setStackTrace(worker.getStackTrace());
        throw hangs;
      }
      worker.join(WATCH_MILLIS);
    }
  }

  private void work(int first, int end) {
    int tenth = first + (end - first) / 10;
    try {
      for (int i = first; i < end; i++) {
        if (i == tenth) {
          progress.allocatedSinceTenth = 0;
        }
        progress.index = i;
        feed(record(i));
        if (i >= tenth
            && progress.heapBefore < 0
            && progress.allocatedSinceTenth > UNMEASURED_BYTES) {
          progress.heapBefore = usedHeap();
        }
      }
      if (progress.heapBefore >= 0) {
        progress.heapAtEnd = usedHeap();
      }
    } catch (Throwable e) { // a stack that ends and a heap that ends are findings too
      progress.fault = e;
    }
  }

  private T record(int index) {
    long start = SEED ^ ((long) name.hashCode() << 32) ^ (index * 0xD1B54A32D192ED03L);
    return damage.next(new SplittableRandom(start).split());
  }

  private void feed(T record) throws Exception {
    long allowed = fixedBytes + bytesPerByte * length(record);
    long from = THREADS.getCurrentThreadCpuTime();
    long allocated = measured(record, true);
    long nanos = THREADS.getCurrentThreadCpuTime() - from;
    progress.slowestNanos = Math.max(progress.slowestNanos, nanos);
    if (allocated > allowed) { // once more: the first may have loaded classes or filled caches
      allocated = measured(record, false);
      assertTrue(allocated <= allowed, allocated + " bytes allocated, allowed are " + allowed);
    }
    progress.mostAllocated = Math.max(progress.mostAllocated, allocated);
  }

  private long measured(T record, boolean counts) throws Exception {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    boolean isTaken = target.feed(record);
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    progress.allocatedSinceTenth += allocated;
    progress.taken += isTaken && counts ? 1 : 0;
    return allocated;
  }

  private void report(int count) {
    boolean isMeasured = progress.heapBefore >= 0;
    long grown = isMeasured ? progress.heapAtEnd - progress.heapBefore : 0;
    String facts =
        "%d records, %d taken, slowest %d ms, most allocated %d bytes, heap %s since a tenth"
            .formatted(
                count,
                progress.taken,
                Duration.ofNanos(progress.slowestNanos).toMillis(),
                progress.mostAllocated,
                isMeasured
                    ? "%+d KiB".formatted(grown >> 10)
                    : "at most +%d KiB".formatted(progress.allocatedSinceTenth >> 10));
    Tier.found(Campaign.class, name, facts);
    assertTrue(
        grown <= HEAP_SLACK_BYTES - UNMEASURED_BYTES, name + " of seed " + SEED + ": " + facts);
    assertTrue(progress.taken > 0 && progress.taken < count, name + ": " + facts);
  }

  private String described(int index) {
    T record = record(Math.max(0, index));
    String shown =
        record instanceof byte[] bytes
            ? HexFormat.of().formatHex(Arrays.copyOf(bytes, Math.min(bytes.length, SHOWN_BYTES)))
            : String.valueOf(record).substring(0, Math.min(length(record), SHOWN_BYTES));
    return "%s, seed %d, record %d of %d: %s".formatted(name, SEED, index, length(record), shown);
  }

  private static int length(Object record) {
    return record instanceof byte[] bytes ? bytes.length : ((String) record).length();
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
