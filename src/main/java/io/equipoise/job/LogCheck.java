package io.equipoise.job;

import io.equipoise.event.Decision;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Source;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import io.equipoise.job.topics.Consumers;
import io.equipoise.state.WrittenState;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares a restored state of exactly-once delivery with the committed decisions and segment
 * events. Each subtask checks the segments of its key groups. Leaves out records of at-least-once
 * delivery: an earlier start from the same state wrote them, and its writer epoch recovers them.
 *
 * <p><b>The topics have more.</b> A job that already continued from the state has committed a
 * record with a {@code seq}, context or reward after those of the state. Continuing from it again
 * would repeat decisions. The newest checkpoint or savepoint has no such record: a transaction
 * commits when the checkpoint that closes it completes, and later transactions are aborted.
 *
 * <p><b>The topics have less.</b> A record that the state has written is lost if the brokers
 * aborted its transaction before the commit. The segment has learned from it, but its decision was
 * never published. The check covers only transactions whose commit was not certain when the
 * checkpoint was taken.
 *
 * <p>Retention may have removed some of these records since. An absent record is not counted as
 * lost if retention has reached the records of its segment's partition.
 *
 * <p>For one comparison by one thread. The sought records come from the restored state; {@code
 * missing} is the number of sought records that are neither found nor removed.
 */
final class LogCheck {
  private static final Logger LOG = LoggerFactory.getLogger(LogCheck.class);
  private static final int MOST_SEGMENTS = 20;

  private final Topics topics;
  private final Predicate<String> isMine;
  private final InputsRead inputs;
  private final Map<TopicPartition, Long> from = new HashMap<>();
  private final TreeMap<String, Sought> sought = new TreeMap<>();
  private long missing;
  private @Nullable String beyond;

  /** Records of a segment that must be on the topics. */
  private static final class Sought {
    final long first;
    final long last;
    final BitSet found = new BitSet();
    boolean isRemoved;

    Sought(WrittenState.SeqRange range) {
      first = range.first();
      last = range.last();
    }

    int length() {
      return Math.toIntExact(last - first + 1);
    }
  }

  /**
   * Loads a restored state.
   *
   * @param restored the states of all subtasks at the checkpoint
   * @param inputs what these states have read
   * @param isMine whether a segment belongs to this subtask
   */
  LogCheck(
      Topics topics, List<WrittenState> restored, InputsRead inputs, Predicate<String> isMine) {
    this.topics = topics;
    this.inputs = inputs;
    this.isMine = isMine;
    for (WrittenState state : restored) {
      state.ends().forEach(it -> from.merge(place(it), it.offset(), Math::min));
      for (WrittenState.SeqRange range : state.unconfirmed()) {
        if (isMine.test(range.segment())) {
          Sought wanted = new Sought(range);
          sought.put(range.segment(), wanted);
          missing += wanted.length();
        }
      }
    }
  }

  private static TopicPartition place(WrittenState.Offset offset) {
    return new TopicPartition(offset.topic(), offset.partition());
  }

  /**
   * Compares state and topics.
   *
   * @return number of lost records; an ERROR in the log names them
   * @throws StartRefusedException if the topics have more, unless this is accepted
   */
  long compare(SequencedTopics log, boolean isMoreAccepted) {
    try {
      excuseRemoved(log.begins());
      log.read(from, this::on, () -> missing == 0);
    } catch (AuthorizationException e) {
      LOG.warn(
          "Read on {} and {} is not allowed. Differences between the restored state and the"
              + " topics would go unnoticed. Allow Read",
          topics.decisions(),
          topics.segmentEvents());
      return 0;
    }
    if (beyond != null && !isMoreAccepted) {
      throw new StartRefusedException("The start is refused", List.of(beyond));
    }
    if (beyond != null) {
      LOG.warn("equipoise.allow-empty-state is set: {}", beyond);
    }
    List<Sought> gone =
        sought.values().stream()
            .filter(it -> it.isRemoved && it.found.cardinality() < it.length())
            .toList();
    if (!gone.isEmpty()) {
      LOG.warn(
          "{} records of {} segments that the restored state has written were removed by retention"
              + " and cannot be checked. Keep {} and {} longer than the longest outage",
          gone.stream().mapToInt(it -> it.length() - it.found.cardinality()).sum(),
          gone.size(),
          topics.decisions(),
          topics.segmentEvents());
    }
    if (missing > 0) {
      LOG.error(
          "{} records that the restored state has written are not on {} and {}: {}. The brokers"
              + " aborted their transactions before the commit. Decisions for these contexts were"
              + " not published and will not be; rewards of these decisions are still learned."
              + " Send the contexts again under new ids",
          missing,
          topics.decisions(),
          topics.segmentEvents(),
          missing());
    }
    return missing;
  }

  /**
   * Counts no record as missing whose segment's partition begins after the offset to read from. The
   * partition is that of Kafka's default partitioner, which no setting replaces.
   */
  private void excuseRemoved(Map<TopicPartition, Long> begins) {
    Set<TopicPartition> removed = new HashSet<>();
    Map<String, Integer> partitions = new HashMap<>();
    from.forEach(
        (at, offset) -> {
          partitions.merge(at.topic(), 1, Integer::sum);
          if (begins.getOrDefault(at, 0L) > offset) {
            removed.add(at);
          }
        });
    if (removed.isEmpty()) {
      return;
    }
    sought.forEach(
        (segment, wanted) -> {
          wanted.isRemoved =
              partitions.entrySet().stream()
                  .map(it -> Consumers.partition(it.getKey(), it.getValue(), segment))
                  .anyMatch(removed::contains);
          if (wanted.isRemoved) {
            missing -= wanted.length();
          }
        });
  }

  private void on(TopicPartition at, long offset, byte[] value) {
    try {
      if (at.topic().equals(topics.segmentEvents())) {
        SegmentEvent segmentEvent = Wire.SEGMENT_EVENT.decode(value);
        Source source = segmentEvent.source();
        boolean isUnread =
            source != null
                && inputs.wasUnread(topics.rewards(), source.partition(), source.offset());
        if (segmentEvent.writerEpoch() == 0) {
          on(at, offset, segmentEvent.segment(), segmentEvent.seq(), isUnread);
        }
      } else {
        Decision decision = Wire.DECISION.decode(value);
        boolean isUnread =
            inputs.wasUnread(
                topics.contexts(), decision.source().partition(), decision.source().offset());
        if (decision.writerEpoch() == 0) {
          on(at, offset, decision.segment(), decision.seq(), isUnread);
        }
      }
    } catch (WireException e) {
      LOG.warn("Offset {} of {} is not a record of this job: {}", offset, at, e.getMessage());
    }
  }

  private void on(TopicPartition at, long offset, String segment, long seq, boolean isUnread) {
    if (seq < 1 || !isMine.test(segment)) {
      return;
    }
    Sought wanted = sought.get(segment);
    if (isUnread || (wanted != null && seq > wanted.last)) {
      if (beyond == null) {
        beyond = tellBeyond(at, offset, segment, seq);
      }
    } else if (wanted != null
        && seq >= wanted.first
        && !wanted.found.get(Math.toIntExact(seq - wanted.first))) {
      wanted.found.set(Math.toIntExact(seq - wanted.first));
      if (!wanted.isRemoved) {
        missing--;
      }
    }
  }

  private String tellBeyond(TopicPartition at, long offset, String segment, long seq) {
    return "the savepoint or checkpoint is older than the topics of deployment %s: %s, partition %d, offset %d has seq %d of segment %s, which the state has not written; contexts decided since then would be decided again, with other arms; start from the newest savepoint or checkpoint (equipoise run --from, flink run -s), or set equipoise.allow-empty-state to true for one start to accept repeated decisions and repeated seq"
        .formatted(topics.deployment(), at.topic(), at.partition(), offset, seq, segment);
  }

  /** Lists the missing records by segment. */
  String missing() {
    StringJoiner named = new StringJoiner("; ");
    int segments = 0;
    for (Map.Entry<String, Sought> entry : sought.entrySet()) {
      Sought wanted = entry.getValue();
      int length = wanted.length();
      if (wanted.isRemoved || wanted.found.cardinality() == length) {
        continue;
      }
      if (++segments > MOST_SEGMENTS) {
        return named.add("and further segments").toString();
      }
      StringJoiner seqs = new StringJoiner(", ", "segment " + entry.getKey() + " seq ", "");
      for (int begin = wanted.found.nextClearBit(0);
          begin < length;
          begin = wanted.found.nextClearBit(wanted.found.nextSetBit(begin))) {
        int end = wanted.found.nextSetBit(begin);
        end = end < 0 ? length : end;
        long first = wanted.first + begin;
        long last = wanted.first + end - 1;
        seqs.add(first == last ? Long.toString(first) : first + " to " + last);
        if (end == length) {
          break;
        }
      }
      named.add(seqs.toString());
    }
    return named.toString();
  }
}
