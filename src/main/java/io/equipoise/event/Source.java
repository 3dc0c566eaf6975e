package io.equipoise.event;

/** Identifies the record of a Kafka topic that an input was read from. */
public record Source(String topic, int partition, long offset) {
  @Override
  public String toString() {
    return topic + "/" + partition + "/" + offset;
  }

  /** Returns the origin of the input, without its timestamp. */
  public Origin origin() {
    return new Origin(topic, partition, offset, Origin.NO_APPEND_TIME);
  }
}
