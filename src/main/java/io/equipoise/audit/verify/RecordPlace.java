package io.equipoise.audit.verify;

import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.Source;

/** Identifies a partition by the topic's name on the cluster and a number. */
record RecordPlace(String topic, int partition) {
  static RecordPlace of(Source source) {
    return new RecordPlace(source.topic(), source.partition());
  }

  static RecordPlace of(OffsetRange offsetRange) {
    return new RecordPlace(offsetRange.name(), offsetRange.partition());
  }
}
