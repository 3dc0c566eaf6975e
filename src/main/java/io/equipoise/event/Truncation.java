package io.equipoise.event;

/**
 * The sizes that the key and the value of a dead letter had before they were cut to fit the topic.
 *
 * @param keyBytes bytes of the whole key, 0 if there was none
 * @param valueBytes bytes of the whole value, 0 if there was none
 */
public record Truncation(int keyBytes, int valueBytes) {}
