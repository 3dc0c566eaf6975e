package io.equipoise.lab.chaos;

import io.equipoise.job.options.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;

/**
 * Adds a partition to every topic of events and decisions, so that keys move.
 *
 * @param isRescaled whether that happens while the job is stopped with a savepoint, from which it
 *     starts with another parallelism
 */
record PartitionsFault(String name, boolean isRescaled) implements Fault {

  /** By default the sources look for partitions every 30 seconds. */
  @Override
  public Map<String, String> settings() {
    return Map.of("kafka.partition.discovery.interval.ms", "5000");
  }

  @Override
  public FaultEffect inject(ChaosContext context) throws InterruptedException {
    if (isRescaled) {
      String savepoint = context.stopJob();
      long stopped = System.nanoTime();
      add(context);
      RestartFault.rescale(context.cluster(), savepoint);
      return FaultEffect.at(stopped);
    }
    add(context);
    return FaultEffect.at(System.nanoTime());
  }

  private static void add(ChaosContext context) throws InterruptedException {
    Topics topics = context.config().topics();
    List<String> names = new ArrayList<>(topics.inputs());
    names.addAll(topics.outputs());
    try (Admin admin = Admin.create(context.config().kafka())) {
      Map<String, NewPartitions> wanted = new TreeMap<>();
      admin
          .describeTopics(names)
          .allTopicNames()
          .get()
          .forEach(
              (name, topic) ->
                  wanted.put(name, NewPartitions.increaseTo(topic.partitions().size() + 1)));
      admin.createPartitions(wanted).all().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot add partitions", e.getCause());
    }
  }
}
