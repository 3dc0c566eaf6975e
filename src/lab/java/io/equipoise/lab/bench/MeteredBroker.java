package io.equipoise.lab.bench;

import io.equipoise.tools.EmbeddedBroker;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Runs an embedded broker and measures its processor time apart from the job's. Threads belong to
 * the group of the thread that created them, so the broker's threads form one group.
 */
final class MeteredBroker implements AutoCloseable {
  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

  private final ThreadGroup threads = new ThreadGroup("embedded-broker");
  private final EmbeddedBroker broker;

  private MeteredBroker() throws InterruptedException {
    FutureTask<EmbeddedBroker> start = new FutureTask<>(EmbeddedBroker::start);
    new Thread(threads, start, "start-broker").start();
    try {
      broker = start.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the embedded broker did not start", e.getCause());
    }
  }

  /** Starts a broker; its data is deleted on close. */
  static MeteredBroker start() throws InterruptedException {
    return new MeteredBroker();
  }

  String bootstrapServers() {
    return broker.bootstrapServers();
  }

  /** Returns the processor time of the broker's live threads since their start, ms. */
  long cpuMillis() {
    Thread[] live = new Thread[2 * threads.activeCount()];
    int count = threads.enumerate(live);
    long nanos = 0;
    for (int i = 0; i < count; i++) {
      nanos += Math.max(0, CLOCK.getThreadCpuTime(live[i].getId())); // -1: the thread has ended
    }
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  @Override
  public void close() {
    broker.close();
  }
}
