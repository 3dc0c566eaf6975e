package io.equipoise.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.util.ExceptionUtils;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits with the connector's committer and handles transactions that the brokers have ended:
 * fenced, timed out, or forgotten after {@code transactional.id.expiration.ms}.
 *
 * <p>For a restored transaction this is no error: a savepoint contains transactions that were
 * committed right after it, and a start commits them again. The connector handles this itself,
 * except for forgotten ids, with which every start would fail.
 *
 * <p>A transaction that this task has written is lost. The state contains its records and the log
 * does not, so the task fails, and the restart checks which records are missing.
 */
@SuppressWarnings("try") // closing the connector's committer is interruptible
final class OutputCommitter implements Committer<KafkaCommittable> {
  private static final Logger LOG = LoggerFactory.getLogger(OutputCommitter.class);

  private final Committer<KafkaCommittable> kafka;
  private final Consumer<String> owner;

  /**
   * Wraps a committer.
   *
   * @param owner throws if a transactional id belongs to another deployment
   */
  OutputCommitter(Committer<KafkaCommittable> kafka, Consumer<String> owner) {
    this.kafka = kafka;
    this.owner = owner;
  }

  @Override
  public void commit(Collection<CommitRequest<KafkaCommittable>> requests)
      throws IOException, InterruptedException {
    List<CommitRequest<KafkaCommittable>> ours = new ArrayList<>(requests.size());
    for (CommitRequest<KafkaCommittable> request : requests) {
      owner.accept(request.getCommittable().getTransactionalId());
      ours.add(new Request(request));
    }
    kafka.commit(ours);
  }

  @Override
  public void close() throws Exception {
    kafka.close();
  }

  /** Wraps a request and handles its failures before Flink receives them. */
  private record Request(CommitRequest<KafkaCommittable> flink)
      implements CommitRequest<KafkaCommittable> {
    @Override
    public KafkaCommittable getCommittable() {
      return flink.getCommittable();
    }

    @Override
    public int getNumberOfRetries() {
      return flink.getNumberOfRetries();
    }

    @Override
    public void signalFailedWithKnownReason(Throwable reason) {
      KafkaCommittable transaction = flink.getCommittable();
      if (transaction.getProducer().isPresent()) {
        throw new IllegalStateException(
            "the brokers ended transaction "
                + transaction.getTransactionalId()
                + " before this task committed it; the restart checks which records are missing",
            reason);
      }
      LOG.info(
          "The restored transaction {} has already ended ({}); the start checks whether its records"
              + " are on the topics",
          transaction.getTransactionalId(),
          reason.getClass().getSimpleName());
      flink.signalFailedWithKnownReason(reason);
    }

    @Override
    public void signalFailedWithUnknownReason(Throwable reason) {
      if (ExceptionUtils.findThrowable(reason, InvalidPidMappingException.class).isPresent()) {
        signalFailedWithKnownReason(reason);
      } else {
        flink.signalFailedWithUnknownReason(reason);
      }
    }

    @Override
    public void retryLater() {
      flink.retryLater();
    }

    @Override
    public void updateAndRetryLater(KafkaCommittable committable) {
      flink.updateAndRetryLater(committable);
    }

    @Override
    public void signalAlreadyCommitted() {
      flink.signalAlreadyCommitted();
    }
  }
}
