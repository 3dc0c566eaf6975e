package io.equipoise.job.control;

import io.equipoise.event.AnswerSize;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.JobOptions;
import io.equipoise.segment.SpecTrial;
import io.equipoise.segment.log.MetricsSize;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Rejects specs whose records would exceed the topics' size limit, which the spec does not know.
 * Every decision lists all arms, and every metrics record all sensitive levels. A segment event
 * lists levels of variables, and a phase record lists all arms several times. Launcher, validation
 * operator, bootstrap, restore, auditor and the verb {@code check} all use this rule.
 *
 * @param maxRecordBytes largest record that is written
 */
public record CatalogLimit(int maxRecordBytes) implements Serializable {
  /** Topics accept more than the largest input record, whatever its size. */
  private static final int LEAST_FOR_GROUPS = 16 << 10;

  /** Size of a double and of the length of its block. */
  private static final int BYTES_OF_PROPENSITY = 1 + Double.BYTES;

  /** Avro's overhead for a name and a level: their lengths. */
  private static final int BYTES_BESIDE_LEVEL = 6;

  /** Catalog, estimates, fair, eliminated, remaining, and shares of three types of samples. */
  private static final int IDS_OF_PHASE = 8;

  /** Numbers and lengths beside these ids: 13 of estimates, 2 of elimination, shares, counts. */
  private static final int BYTES_OF_PHASE = 256;

  /** Returns the limit of a deployment. */
  public static CatalogLimit of(JobConfig config) {
    return new CatalogLimit(config.maxRecordBytes());
  }

  /**
   * Compiles a spec, lets it take its {@linkplain SpecTrial trial} and checks its record sizes.
   *
   * @throws SpecException with all errors of compiling, and an error if decisions would be too
   *     large
   */
  public CompiledSpec compiled(SegmentSpec spec) {
    List<SpecFault> faults = new ArrayList<>();
    CompiledSpec compiled = null;
    try {
      compiled = SpecTrial.passed(spec);
    } catch (SpecException e) {
      faults.addAll(e.faults());
    }
    faults.addAll(faults(spec));
    if (compiled == null || !faults.isEmpty()) {
      throw new SpecException(faults);
    }
    return compiled;
  }

  /** Returns the errors of records that would be too large, at most one for each kind. */
  List<SpecFault> faults(SegmentSpec spec) {
    return Stream.of(
            fault(spec), faultOfGroups(spec), faultOfSegmentEvents(spec), faultOfPhases(spec))
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * Returns the error if segment events under a spec would be too large: they list the propensities
   * of all arms, the mediators' levels and the levels of a refuted assumption's cell.
   */
  private Optional<SpecFault> faultOfSegmentEvents(SegmentSpec spec) {
    long bytes = (long) BYTES_OF_PROPENSITY * spec.arms().size();
    for (SpecVariable variable : spec.variables().all()) {
      int level = variable.levels().stream().mapToInt(CatalogLimit::bytes).max().orElse(0);
      bytes += 2L * (bytes(variable.name()) + level + BYTES_BESIDE_LEVEL);
    }
    int most = AnswerSize.most(maxRecordBytes);
    return bytes <= most
        ? Optional.empty()
        : Optional.of(
            new SpecFault(
                "variables",
                "names and longest levels that take %d bytes of a segment event".formatted(bytes),
                "at most %d, 7/8 of %s (%d); use fewer variables or arms, or shorter names and levels"
                    .formatted(most, JobOptions.MAX_RECORD_BYTES.key(), maxRecordBytes)));
  }

  /** Returns the error if the record of an experiment's phase would be too large. */
  private Optional<SpecFault> faultOfPhases(SegmentSpec spec) {
    long bytes = 0;
    if (spec.policy().family().isPhased()) {
      for (Arm arm : spec.arms().list()) {
        bytes += (long) IDS_OF_PHASE * bytes(arm.id()) + BYTES_OF_PHASE;
      }
    }
    int most = AnswerSize.most(maxRecordBytes);
    return bytes <= most
        ? Optional.empty()
        : Optional.of(
            new SpecFault(
                "arms",
                "%d arms that take %d bytes of the record of a phase"
                    .formatted(spec.arms().size(), bytes),
                "at most %d, 7/8 of %s (%d); use shorter ids, or raise the option"
                    .formatted(most, JobOptions.MAX_RECORD_BYTES.key(), maxRecordBytes)));
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /**
   * Returns the error if metrics records under a spec, which list all groups, would be too large.
   */
  private Optional<SpecFault> faultOfGroups(SegmentSpec spec) {
    long bytes = MetricsSize.ofGroups(spec);
    int most = Math.max(LEAST_FOR_GROUPS, AnswerSize.most(maxRecordBytes));
    return bytes <= most
        ? Optional.empty()
        : Optional.of(
            new SpecFault(
                "variables",
                "levels of sensitive variables that take %d bytes of every metrics record"
                    .formatted(bytes),
                "at most %d, 7/8 of %s (%d); use fewer levels, or shorter names"
                    .formatted(most, JobOptions.MAX_RECORD_BYTES.key(), maxRecordBytes)));
  }

  /** Returns the error if decisions under a spec would be too large. */
  Optional<SpecFault> fault(SegmentSpec spec) {
    long bytes = spec.arms().list().stream().mapToLong(arm -> AnswerSize.ofArm(arm.id())).sum();
    int most = AnswerSize.most(maxRecordBytes);
    return bytes <= most
        ? Optional.empty()
        : Optional.of(
            new SpecFault(
                "arms",
                "%d arms that take %d bytes of every decision".formatted(spec.arms().size(), bytes),
                "at most %d, 7/8 of %s (%d); use shorter ids, or raise the option"
                    .formatted(most, JobOptions.MAX_RECORD_BYTES.key(), maxRecordBytes)));
  }
}
