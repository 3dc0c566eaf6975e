package io.equipoise.local.demo;

/** Where a record stands on Kafka. */
record Place(String topic, int partition, long offset) {}
