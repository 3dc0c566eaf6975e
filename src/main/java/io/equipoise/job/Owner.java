package io.equipoise.job;

import io.equipoise.job.options.AdminCall;
import io.equipoise.job.options.Topics;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FenceProducersResult;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one execution of a job that may write a deployment's outputs. Only with exactly-once
 * delivery.
 *
 * <p>The deployment has one transactional id that writes nothing. Every execution fences it when it
 * starts, before it compares its state with the topics, and so receives a new producer epoch.
 * Before each checkpoint it requests the current epoch. If that is another one, it fails: the
 * checkpoint does not complete, and nothing of it is committed.
 *
 * <p><b>A restart of the same job</b> fences the id again and goes on. A process that was frozen
 * while it started may fence the id of its successor; that costs the successor one more restart.
 *
 * <p><b>Two jobs</b> end each other's executions until one has committed a record that the other's
 * state does not contain. The next start of the other is then refused, see {@link LogCheck}. One
 * checkpoint whose snapshots were complete when the other job started may still be committed beside
 * it.
 *
 * <p>Brokers forget an id after {@code transactional.id.expiration.ms} without a start. Nobody else
 * has started since, so the execution fences it again.
 */
final class Owner {
  private static final Logger LOG = LoggerFactory.getLogger(Owner.class);

  private final Admin admin;
  private final Topics topics;
  private final String id;
  private long producer;
  private int epoch;

  Owner(Admin admin, Topics topics) {
    this.admin = admin;
    this.topics = topics;
    this.id = topics.transactionalIdPrefix(Topics.OWNER);
  }

  /** Becomes the owner. Blocks until the brokers reply. */
  void take() {
    FenceProducersResult fenced = admin.fenceProducers(List.of(id));
    String what = "fencing the transactional id " + id;
    producer = AdminCall.of(fenced.producerId(id), what);
    epoch = AdminCall.of(fenced.epochId(id), what);
    LOG.info("This job owns deployment {}: {}", topics.deployment(), shown(producer, epoch));
  }

  /**
   * Checks whether this is still the owner. Blocks until the brokers reply.
   *
   * @throws IllegalStateException if another execution has taken its place, or if the brokers do
   *     not reply
   */
  void check() {
    TransactionDescription now;
    try {
      now = admin.describeTransactions(List.of(id)).description(id).get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TransactionalIdNotFoundException)) {
        throw new IllegalStateException("cannot request the owner of " + id, e.getCause());
      }
      take();
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while requesting the owner of " + id, e);
    }
    if (now.producerId() != producer || now.producerEpoch() != epoch) {
      throw new IllegalStateException(
          "another job of deployment %s has started and owns it: transactional id %s has %s, and this job has %s; this job commits nothing more; stop one of the two jobs with a savepoint, or use another equipoise.deployment"
              .formatted(
                  topics.deployment(),
                  id,
                  shown(now.producerId(), now.producerEpoch()),
                  shown(producer, epoch)));
    }
  }

  private static String shown(long producer, int epoch) {
    return "producer " + producer + " epoch " + epoch;
  }
}
