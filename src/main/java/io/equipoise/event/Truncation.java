package io.equipoise.event;

/**
 * Keeps the original sizes of a dead letter's key and value that were truncated to fit the topic.
 *
 * @param keyBytes bytes of the original key, 0 if there was none
 * @param valueBytes bytes of the original value, 0 if there was none
 */
public record Truncation(int keyBytes, int valueBytes) {}
