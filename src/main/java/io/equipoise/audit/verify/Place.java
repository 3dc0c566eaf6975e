package io.equipoise.audit.verify;

import io.equipoise.audit.log.Slice;

/** Names a partition. */
record Place(String topic, int partition) {
  static Place of(Slice slice) {
    return new Place(slice.name(), slice.partition());
  }
}
