package io.equipoise.audit.verify;

import io.equipoise.audit.log.OffsetRange;

/** Names a partition. */
record RecordPlace(String topic, int partition) {
  static RecordPlace of(OffsetRange offsetRange) {
    return new RecordPlace(offsetRange.name(), offsetRange.partition());
  }
}
