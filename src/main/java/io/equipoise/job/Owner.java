package io.equipoise.job;

import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Ensures that only one job writes a deployment's outputs with exactly-once delivery: the owner. A
 * job that continues from there with at-least-once delivery takes the ownership once, which ends
 * that of a running job.
 *
 * <p>The deployment has one transactional id that never has a transaction. Each execution of a job
 * initializes it when it starts, before it compares its state with the topics, with the job's mark.
 * Before each checkpoint it requests the mark. If that is another job's, it fails for good: the
 * checkpoint does not complete, and nothing of it is committed. So the job that started last wins.
 *
 * <p>The mark is the transaction timeout, the only part of such an id that its owner chooses and
 * that others can read. The launcher draws it, and it is a part of the job graph. So all executions
 * of a job have the same one: neither a restart, nor a job manager that recovers the job, nor a
 * process that was frozen while it started is taken for another job. Two jobs have the same mark
 * with a probability of one in several hundred thousand.
 *
 * <p>One case remains: a checkpoint whose snapshots were complete when the other job started may
 * still be committed.
 *
 * <p>Brokers forget the id after {@code transactional.id.expiration.ms} without a start. Then no
 * other job has started since, and the execution initializes it again.
 */
final class Owner {
  /** Greatest mark of a job without transactions, whose brokers may allow less than its outage. */
  private static final Duration WITHOUT_TRANSACTIONS = Duration.ofMinutes(1);

  private final Admin admin;
  private final Properties kafka;
  private final Topics topics;
  private final String id;
  private final int mark;

  /**
   * Prepares the ownership.
   *
   * @param kafka settings of every client
   * @param mark of the job, see {@link #drawMark}
   */
  Owner(Admin admin, Properties kafka, Topics topics, int mark) {
    this.admin = admin;
    this.kafka = kafka;
    this.topics = topics;
    this.id = topics.transactionalIdPrefix(Topics.OWNER);
    this.mark = mark;
  }

  /** Draws the mark of a new job: milliseconds up to the transaction timeout. */
  static int drawMark(JobConfig config) {
    long most =
        config.delivery() == Delivery.EXACTLY_ONCE
            ? config.transactionTimeout().toMillis()
            : WITHOUT_TRANSACTIONS.toMillis();
    return Math.toIntExact(1 + Math.floorMod(UUID.randomUUID().getLeastSignificantBits(), most));
  }

  /**
   * Becomes the owner. Blocks until the brokers reply, at most {@code max.block.ms}.
   *
   * @throws StartRefusedException if the brokers do not allow it
   */
  void take() {
    Properties settings = new Properties();
    settings.putAll(kafka);
    settings.setProperty(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
    settings.setProperty(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, Integer.toString(mark));
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
    } catch (TransactionalIdAuthorizationException e) {
      throw new StartRefusedException(
          "The start is refused",
          List.of(
              "a job that writes, or continues from, exactly-once delivery must own deployment %s, and Write on transactional id %s is not allowed; allow it with kafka-acls.sh, for a change to at-least-once until its first checkpoint"
                  .formatted(topics.deployment(), id)));
    }
  }

  /**
   * Checks whether this is still the owner. Blocks until the brokers reply.
   *
   * @throws OwnerReplacedException if another job has taken its place
   * @throws IllegalStateException if the brokers do not reply
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
    if (now.transactionTimeoutMs() != mark) {
      throw new OwnerReplacedException(
          "another job of deployment %s has started and owns it (the transaction timeout of %s is %s, that of this job is %s); this job ends and commits nothing more; if the other one was started by mistake, stop it, and start this one from its last checkpoint"
              .formatted(
                  topics.deployment(),
                  id,
                  Duration.ofMillis(now.transactionTimeoutMs()),
                  Duration.ofMillis(mark)));
    }
  }

  /**
   * Reports that another job of the deployment has started. Flink does not restart this one,
   * whatever its restart strategy: the two would replace each other in turn.
   */
  @ThrowableAnnotation(ThrowableType.NonRecoverableError)
  private static final class OwnerReplacedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    OwnerReplacedException(String message) {
      super(message);
    }
  }
}
