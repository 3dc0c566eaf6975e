package io.equipoise.job.control;

import io.equipoise.job.options.JobConfig;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecSelection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lists every valid spec whose text is on the specs topic, by the rules by which the job reads it.
 * Compaction removes retired texts. Immutable; later records of the topic are not included.
 */
public final class SpecHistory {
  private final List<Version> versions;
  private final List<Invalid> invalid;

  private SpecHistory(Collection<Version> versions, List<Invalid> invalid) {
    this.versions =
        versions.stream()
            .sorted(
                Comparator.<Version, String>comparing(it -> it.spec().name())
                    .thenComparing(it -> it.spec().version())
                    .thenComparing(it -> it.spec().hash()))
            .toList();
    this.invalid = List.copyOf(invalid);
  }

  /**
   * Describes one text.
   *
   * @param since append time of its oldest record on the topic after any retirement, epoch ms
   * @param isRetired whether no segment may adopt it
   */
  public record Version(CompiledSpec compiled, long since, boolean isRetired) {
    /** Returns the parsed text. */
    public SegmentSpec spec() {
      return compiled.spec();
    }
  }

  /**
   * Describes a record that the job rejects.
   *
   * @param place topic, partition and offset
   */
  public record Invalid(String place, String why) {}

  /**
   * Reads the topic to its end.
   *
   * @throws org.apache.kafka.common.KafkaException if it cannot be read
   */
  public static SpecHistory read(JobConfig config) {
    return of(
        CompactedTopic.read(config.kafka(), config.topics().specs()), CatalogLimit.of(config));
  }

  /** Returns the history of the records of a specs topic, given in order. */
  public static SpecHistory of(List<RawControl> records, CatalogLimit limit) {
    return of(records, limit, new SpecHistory(List.of(), List.of()));
  }

  /**
   * As {@link #of(List, CatalogLimit)}.
   *
   * @param before of earlier records of the same topic; its texts are not compiled again
   */
  public static SpecHistory of(List<RawControl> records, CatalogLimit limit, SpecHistory before) {
    Map<String, CompiledSpec> compiled = new HashMap<>();
    before.versions.forEach(it -> compiled.put(it.spec().text(), it.compiled()));
    Map<String, Version> byKey = new LinkedHashMap<>();
    List<Invalid> invalid = new ArrayList<>();
    for (RawControl raw : records) {
      try {
        add(raw, limit, compiled, byKey);
      } catch (SpecException e) {
        invalid.add(new Invalid(raw.place(), String.valueOf(e.getMessage())));
      }
    }
    return new SpecHistory(byKey.values(), invalid);
  }

  private static void add(
      RawControl raw,
      CatalogLimit limit,
      Map<String, CompiledSpec> compiled,
      Map<String, Version> byKey) {
    SpecText text = SpecText.of(raw);
    CompiledSpec spec = compiled.get(text.text());
    if (spec == null || !spec.spec().key().equals(text.key())) {
      spec = text.check(limit);
    }
    Version known = byKey.get(text.key());
    if (spec == null) {
      if (known != null) {
        byKey.put(text.key(), new Version(known.compiled(), known.since(), true));
      }
    } else if (known == null || known.isRetired()) {
      byKey.put(text.key(), new Version(spec, raw.appendTime(), false));
    }
  }

  /** Returns all texts by name, version and hash. */
  public List<Version> all() {
    return versions;
  }

  /** Returns the records that the job rejects, in order. */
  public List<Invalid> invalid() {
    return invalid;
  }

  /** Returns the texts of a name by version and hash. */
  public List<Version> named(String name) {
    return versions.stream().filter(it -> it.spec().name().equals(name)).toList();
  }

  /** Returns the newest text of each name that is not retired, in the order of the names. */
  public List<SegmentSpec> inForce() {
    return SpecSelection.newest(
        versions.stream().filter(it -> !it.isRetired()).map(Version::spec).toList());
  }

  /** Returns the newest text of a name unless it is retired. */
  public Optional<CompiledSpec> inForce(String name) {
    return inForce().stream()
        .filter(spec -> spec.name().equals(name))
        .findFirst()
        .map(spec -> byHash().get(spec.hash()));
  }

  /** Returns the version that a new text of a name must have at least. */
  public long nextVersion(String name) {
    return named(name).stream().mapToLong(it -> it.spec().version()).max().orElse(0) + 1;
  }

  /** Returns whether a text was published, and later a newer version of its name. */
  public boolean isSuperseded(SegmentSpec spec) {
    return spec.version() < nextVersion(spec.name()) - 1
        && named(spec.name()).stream().anyMatch(it -> it.spec().equals(spec));
  }

  /** Returns a text by its hash, retired or not, or null. */
  public @Nullable CompiledSpec byHash(String hash) {
    return byHash().get(hash);
  }

  private Map<String, CompiledSpec> byHash() {
    Map<String, CompiledSpec> byHash = new HashMap<>();
    versions.forEach(it -> byHash.put(it.spec().hash(), it.compiled()));
    return byHash;
  }
}
