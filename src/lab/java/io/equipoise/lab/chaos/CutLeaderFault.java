package io.equipoise.lab.chaos;

import io.equipoise.tools.cluster.ClusterProcess;
import io.equipoise.tools.cluster.ClusterProcess.ProcessKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.TopicPartitionInfo;

/**
 * Cuts a broker off from all other hosts while it is needed: the leader of a partition of {@code
 * decisions}, or the coordinator of an open transaction of the job, if there is one. The other
 * brokers have to take over.
 */
record CutLeaderFault() implements Fault {
  /** Longer than the session of a broker, after which another one leads. */
  private static final Duration CUT = Duration.ofSeconds(20);

  @Override
  public String name() {
    return "cut-leader";
  }

  @Override
  public boolean needsHosts() {
    return true;
  }

  @Override
  public FaultEffect inject(ChaosContext context) throws InterruptedException {
    List<ClusterProcess> others = new ArrayList<>(context.cluster().members());
    boolean isCoordinator = context.random().nextBoolean();
    Victim victim = victim(context, isCoordinator);
    ClusterProcess broker = new ClusterProcess(ProcessKind.KAFKA, victim.node());
    others.remove(broker);
    context.progress().accept(name() + ": " + broker.name() + ", " + victim.role());
    long cut = System.nanoTime();
    try {
      context.network().cut(List.of(broker), others);
      context.network().cut(others, List.of(broker));
      Thread.sleep(CUT.toMillis());
    } finally {
      context.network().heal();
    }
    return FaultEffect.at(cut);
  }

  /** A broker and why it is cut off. */
  private record Victim(int node, String role) {}

  private static Victim victim(ChaosContext context, boolean isCoordinator)
      throws InterruptedException {
    String topic = context.config().topics().decisions();
    try (Admin admin = Admin.create(context.config().kafka())) {
      if (isCoordinator) {
        var open = new ListTransactionsOptions().filterStates(List.of(TransactionState.ONGOING));
        for (TransactionListing transaction : admin.listTransactions(open).all().get()) {
          String id = transaction.transactionalId();
          int node = admin.describeTransactions(List.of(id)).description(id).get().coordinatorId();
          return new Victim(node, "coordinator of " + id);
        }
      }
      List<TopicPartitionInfo> partitions =
          admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions();
      TopicPartitionInfo partition = partitions.get(context.random().nextInt(partitions.size()));
      String role = "leader of " + topic + "-" + partition.partition();
      return new Victim(partition.leader().id(), role);
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot find the leader of " + topic, e.getCause());
    }
  }
}
