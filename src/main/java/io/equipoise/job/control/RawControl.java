package io.equipoise.job.control;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.InputFault;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.Wire;
import io.equipoise.job.topics.Emission;
import java.util.Arrays;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Holds a record of a control topic as it was read. Byte arrays are not copied.
 *
 * @param topic the topic's name on the cluster
 * @param appendTime append time, ms
 */
@SuppressWarnings("ArrayRecordComponent") // equals, hashCode and toString below know arrays
public record RawControl(
    String topic,
    int partition,
    long offset,
    long appendTime,
    byte @Nullable [] key,
    byte @Nullable [] value) {

  public static RawControl of(ConsumerRecord<byte[], byte[]> record) {
    return new RawControl(
        record.topic(),
        record.partition(),
        record.offset(),
        record.timestamp(),
        record.key(),
        record.value());
  }

  /** Returns the dead letter for this record, with its bytes. */
  public Emission refused(ErrorCode code, String why) {
    return refused(new InputFault(code, why));
  }

  /** Returns the dead letter for this record, with its bytes. */
  public Emission refused(InputFault fault) {
    DeadLetter deadLetter =
        DeadLetter.undecodable(fault, new Origin(topic, partition, offset, appendTime), key, value);
    return new Emission(LogTopic.DEAD_LETTER, key, Wire.DEAD_LETTER.encode(deadLetter));
  }

  /** Returns the record's position as topic/partition/offset. */
  public String place() {
    return topic + "/" + partition + "/" + offset;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RawControl that
        && topic.equals(that.topic)
        && partition == that.partition
        && offset == that.offset
        && appendTime == that.appendTime
        && Arrays.equals(key, that.key)
        && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return 31 * topic.hashCode() + Long.hashCode(offset);
  }

  @Override
  public String toString() {
    return "RawControl[" + place() + "]";
  }
}
