package io.equipoise.client;

import io.equipoise.event.Decision;
import io.equipoise.event.IdHash;
import io.equipoise.event.ValidWriterEpochs;
import io.equipoise.event.Wire;
import io.equipoise.event.WriterEpochMarker;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Picks the answers out of the decisions topic: of each decision the first valid record, once. That
 * arm stays the answer whatever fails afterwards, so it can be shown at once.
 *
 * <pre>{@code
 * Answers answers = new Answers();
 * while (isRunning) {
 *   for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
 *     answers.on(record).ifPresent(decision -> show(decision.decisionId(), decision.arm()));
 *   }
 * }
 * }</pre>
 *
 * <p>A context that repeats an earlier decision id is answered too, once: {@link
 * Decision#isRepeated} tells its decision, which carries the arm first given. A program that counts
 * decisions leaves it out.
 *
 * <p>The consumer reads {@code isolation.level=read_committed}: where delivery is exactly-once, the
 * other records are no answers; where it is at-least-once, there are no transactions and it costs
 * nothing. Both are read alike, and no option tells them apart.
 *
 * <p>Where delivery is at-least-once the topic also holds markers of attempts, repetitions of
 * answers after a failure, and what a process that was frozen appends when it is not asked any
 * more. None of these is returned; {@link #repeated} and {@link #voided} count the latter two.
 *
 * <p>To know a repetition it remembers the last decisions of each partition, {@value #WINDOW} by
 * default, at about {@value #BYTES_EACH} bytes each. A job repeats what it decided since its last
 * checkpoint, so this should be more than a partition gets between a checkpoint and the restart
 * after a failure. A repetition from farther back is returned again, with the same arm. A program
 * that starts, or starts again, in the middle of a partition may get a repetition of an answer that
 * stands before, too.
 *
 * <p>One that starts where nothing of the present attempt stands before cannot tell that a record
 * of an earlier one is void until the first valid one of its key group comes; who cannot live with
 * that reads from the beginning.
 *
 * <p>For one thread, like the consumer.
 */
public final class Answers {
  /** How many decisions of a partition are remembered by default. */
  public static final int WINDOW = 100_000;

  /** What one takes. */
  static final int BYTES_EACH = 120;

  private final int window;
  private final Map<TopicPartition, Partition> partitions = new HashMap<>();
  private long repeated;
  private long voided;

  /** What is known of one partition. */
  private static final class Partition {
    private final ValidWriterEpochs valid = new ValidWriterEpochs();
    private final Set<IdHash> answered = new LinkedHashSet<>();
  }

  /** Remembers {@value #WINDOW} decisions of each partition. */
  public Answers() {
    this(WINDOW);
  }

  /**
   * Remembers some decisions of each partition.
   *
   * @throws IllegalArgumentException if that is none
   */
  public Answers(int window) {
    if (window < 1) {
      throw new IllegalArgumentException("a window of " + window + " decisions");
    }
    this.window = window;
  }

  /**
   * Takes the next record of a partition, in the order of its offsets, and returns the answer that
   * it is, or nothing. A record that was taken before counts as a repetition.
   *
   * @throws io.equipoise.event.WireException if it is no record of a decisions topic
   */
  public Optional<Decision> on(ConsumerRecord<byte[], byte[]> record) {
    byte[] value = record.value() == null ? new byte[0] : record.value();
    Partition partition =
        partitions.computeIfAbsent(
            new TopicPartition(record.topic(), record.partition()), any -> new Partition());
    if (WriterEpochMarker.isIn(record.value(), record.headers())) {
      partition.valid.on(WriterEpochMarker.of(record.headers()));
      return Optional.empty();
    }
    Decision decision = Wire.DECISION.decode(value);
    if (!partition.valid.on(decision)) {
      voided++;
      return Optional.empty();
    }
    if (!partition.answered.add(id(decision))) {
      repeated++;
      return Optional.empty();
    }
    if (partition.answered.size() > window) {
      var eldest = partition.answered.iterator();
      eldest.next();
      eldest.remove();
    }
    return Optional.of(decision);
  }

  private static IdHash id(Decision decision) {
    String segment = decision.segment();
    String id = segment.length() + ":" + segment + decision.decisionId();
    return IdHash.of(decision.isRepeated() ? id + place(decision) : id);
  }

  /** A control character parts it from the id, which has none. */
  private static String place(Decision repeated) {
    return "\n%s/%d/%d"
        .formatted(repeated.contextTopic(), repeated.contextPartition(), repeated.contextOffset());
  }

  /** Returns how many records were repetitions of answers. */
  public long repeated() {
    return repeated;
  }

  /** Returns how many records were void. */
  public long voided() {
    return voided;
  }
}
