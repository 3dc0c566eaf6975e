package io.equipoise.client;

import io.equipoise.event.Decision;
import io.equipoise.event.IdHash;
import io.equipoise.event.Source;
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
 * Selects the final decisions of the decisions topic: the first valid record that answers a
 * context, once. Its arm never changes, whatever fails afterwards, so it can be shown at once.
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
 * <p>A context that repeats an earlier decision id gets one REPEATED decision with the arm of the
 * first. {@link Decision#isRepeated} identifies it; leave it out when you count decisions. When the
 * job has forgotten the id, after {@code join.dedup-window}, the context gets a decision of its
 * own.
 *
 * <p>Set {@code isolation.level=read_committed} on the consumer. With exactly-once delivery it
 * hides records of aborted transactions; with at-least-once delivery there are no transactions and
 * it costs nothing. This class handles both without an option.
 *
 * <p>With at-least-once delivery the topic also contains markers of writer epochs, decisions
 * repeated after a failure, and void records of replaced processes. None of these is returned;
 * {@link #repeated} and {@link #voided} count the latter two.
 *
 * <p>To detect repeated decisions it keeps the last decisions of each partition, {@value #WINDOW}
 * by default, at about {@value #BYTES_EACH} bytes each. A job repeats its decisions since the last
 * checkpoint, so the window should exceed the decisions of a partition between a checkpoint and the
 * restart after a failure. An older repetition is returned again, with the same arm. So is a
 * repetition whose original precedes the position at which the program started.
 *
 * <p>A program that starts after the marker of the current writer epoch cannot detect a void record
 * of an earlier epoch until the first valid record of its key group. To exclude this, read from the
 * beginning.
 *
 * <p>For one thread, like the consumer.
 */
public final class Answers {
  /** Default number of decisions kept per partition. */
  public static final int WINDOW = 100_000;

  /** Approximate memory per decision, in bytes. */
  static final int BYTES_EACH = 120;

  private final int window;
  private final Map<TopicPartition, Partition> partitions = new HashMap<>();
  private long repeated;
  private long voided;

  /** Keeps the writer epochs and the ids of the latest decisions of one partition. */
  private static final class Partition {
    private final ValidWriterEpochs valid = new ValidWriterEpochs();
    private final Set<IdHash> answered = new LinkedHashSet<>();
  }

  /** Keeps {@value #WINDOW} decisions of each partition. */
  public Answers() {
    this(WINDOW);
  }

  /**
   * Keeps {@code window} decisions of each partition.
   *
   * @throws IllegalArgumentException if {@code window} is less than 1
   */
  public Answers(int window) {
    if (window < 1) {
      throw new IllegalArgumentException("window " + window + " given; at least 1 is required");
    }
    this.window = window;
  }

  /**
   * Processes the next record of a partition, in the order of its offsets. Returns its decision if
   * it is final and new, else nothing. A record that is passed twice counts as repeated.
   *
   * @throws io.equipoise.event.WireException if it is not a record of a decisions topic
   */
  public Optional<Decision> on(ConsumerRecord<byte[], byte[]> record) {
    return valid(record).filter(decision -> isFirst(decision, record));
  }

  /**
   * Processes the next record of a partition in place of {@link #on}, and returns its decision also
   * if it repeats another after a failure. Audits and segment events name a decision by the seq of
   * its last repetition.
   *
   * @throws io.equipoise.event.WireException if it is not a record of a decisions topic
   */
  public Optional<Decision> valid(ConsumerRecord<byte[], byte[]> record) {
    byte[] value = record.value() == null ? new byte[0] : record.value();
    Partition partition = partition(record);
    if (WriterEpochMarker.isIn(record.value(), record.headers())) {
      partition.valid.on(WriterEpochMarker.of(record.headers()));
      return Optional.empty();
    }
    Decision decision = Wire.DECISION.decode(value);
    if (!partition.valid.on(decision)) {
      voided++;
      return Optional.empty();
    }
    return Optional.of(decision);
  }

  /** Returns whether a decision that {@link #valid} returned, asked about once, repeats none. */
  public boolean isFirst(Decision decision, ConsumerRecord<byte[], byte[]> record) {
    Set<IdHash> answered = partition(record).answered;
    if (!answered.add(context(decision))) {
      repeated++;
      return false;
    }
    if (answered.size() > window) {
      var eldest = answered.iterator();
      eldest.next();
      eldest.remove();
    }
    return true;
  }

  private Partition partition(ConsumerRecord<byte[], byte[]> record) {
    return partitions.computeIfAbsent(
        new TopicPartition(record.topic(), record.partition()), any -> new Partition());
  }

  /** Identifies the context that a decision answers; ids contain no control character. */
  private static IdHash context(Decision decision) {
    String segment = decision.segment();
    Source source = decision.source();
    String place = source.topic() + "/" + source.partition() + "/" + source.offset();
    return IdHash.of(segment.length() + ":" + segment + decision.decisionId() + "\n" + place);
  }

  /** Returns the number of repeated decisions. */
  public long repeated() {
    return repeated;
  }

  /** Returns the number of void records. */
  public long voided() {
    return voided;
  }
}
