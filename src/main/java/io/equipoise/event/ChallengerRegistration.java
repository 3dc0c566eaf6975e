package io.equipoise.event;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Registers a spec that is replayed beside the spec that decides. {@code avro/WatchRecord.avsc}
 * documents the meaning and unit of every component.
 */
public record ChallengerRegistration(
    String name,
    String specHash,
    String specText,
    String championHash,
    int number,
    int batch,
    double alpha,
    double share,
    double margin,
    @Nullable Double certifiedShare,
    @Nullable Double maxViolation,
    Map<String, Double> maxGaps,
    @Nullable Long trainFrom,
    int partition,
    long startOffset,
    long registeredAt,
    boolean modelKept) {
  public ChallengerRegistration {
    maxGaps = Collections.unmodifiableMap(new TreeMap<>(maxGaps));
  }

  /** Returns NAME/HASH, as on the topic {@code specs}. */
  public String specKey() {
    return name + "/" + specHash;
  }
}
