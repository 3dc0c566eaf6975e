package io.equipoise.tools.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import io.equipoise.tools.EmbeddedDeployment;
import io.equipoise.tools.cluster.FlinkRest;
import io.equipoise.tools.cluster.FlinkRest.JobState;
import io.equipoise.tools.cluster.FlinkRest.LastCheckpoint;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Measures this process, the job's last checkpoint, and how far the job is behind its inputs. */
final class Meter implements AutoCloseable {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String RESIDENT = "VmRSS:";
  private static final long KILOBYTE = 1024;

  private final FlinkRest rest;
  private final Admin admin;
  private final String group;
  private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();

  Meter(EmbeddedDeployment cluster) {
    rest = new FlinkRest(cluster.run().webInterface().getPort());
    admin = Admin.create(cluster.config().kafka());
    group = cluster.config().topics().consumerGroup();
  }

  /** Measures after a full collection; returns nothing without a job or a checkpoint. */
  Optional<ResourceSample> sample(SoakTraffic traffic) throws InterruptedException {
    Optional<LastCheckpoint> last = rest.job().map(JobState::id).flatMap(rest::lastCheckpoint);
    if (last.isEmpty()) {
      return Optional.empty();
    }
    long lag = lag();
    memory.gc();
    return Optional.of(
        new ResourceSample(
            traffic.seconds(),
            traffic.segments(),
            memory.getHeapMemoryUsage().getUsed(),
            resident(),
            ManagementFactory.getThreadMXBean().getThreadCount(),
            files(),
            last.get().bytes(),
            last.get().durationMillis(),
            lag));
  }

  private long lag() throws InterruptedException {
    try {
      Map<TopicPartition, OffsetAndMetadata> read =
          admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
      Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
      read.keySet().forEach(partition -> ends.put(partition, OffsetSpec.latest()));
      long behind = 0;
      for (var end : admin.listOffsets(ends).all().get().entrySet()) {
        behind += end.getValue().offset() - read.get(end.getKey()).offset();
      }
      return behind;
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot read the job's committed offsets from the broker", e);
    }
  }

  private static long files() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : 0;
  }

  private static long resident() {
    try {
      List<String> lines = Files.isReadable(STATUS) ? Files.readAllLines(STATUS) : List.of();
      return lines.stream()
          .filter(line -> line.startsWith(RESIDENT))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KILOBYTE)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }

  @Override
  public void close() {
    admin.close();
  }
}
