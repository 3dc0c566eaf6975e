package io.equipoise.local.chaos;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Numbers of a log: per segment gapless from 1 and given once over all topics, increasing within
 * each partition.
 */
final class SeqBook {
  private final Map<String, BitSet> seen = new TreeMap<>();
  private final Map<String, Long> newest = new TreeMap<>();
  private final List<String> violations;

  SeqBook(List<String> violations) {
    this.violations = violations;
  }

  void record(String topic, int partition, String segment, int shard, long seq) {
    String key = segment + "/" + shard;
    BitSet numbers = seen.computeIfAbsent(key, none -> new BitSet());
    int number = Math.toIntExact(seq);
    if (number < 1 || numbers.get(number)) {
      violations.add("I4: seq " + seq + " of " + key + " is given again on " + topic);
    }
    numbers.set(Math.max(0, number));
    Long before = newest.put(topic + "-" + partition + "/" + key, seq);
    if (before != null && before >= seq) {
      violations.add(
          "I4: seq %d of %s follows %d on %s-%d".formatted(seq, key, before, topic, partition));
    }
  }

  void close() {
    seen.forEach((key, numbers) -> gap(key, numbers).ifPresent(violations::add));
  }

  private static Optional<String> gap(String key, BitSet numbers) {
    int first = numbers.nextClearBit(1);
    if (first >= numbers.length()) {
      return Optional.empty();
    }
    int missing = numbers.length() - 1 - numbers.get(1, numbers.length()).cardinality();
    return Optional.of(
        "I4: seq %d of %s is missing (%d numbers are, up to %d)"
            .formatted(first, key, missing, numbers.length() - 1));
  }
}
