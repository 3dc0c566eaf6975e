package io.equipoise.job;

import io.equipoise.event.AnswerSize;
import io.equipoise.join.CompiledSpec;
import io.equipoise.join.MetricsSize;
import io.equipoise.spec.SegmentSpec;
import io.equipoise.spec.SpecException;
import io.equipoise.spec.SpecFault;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Keeps out specs whose decisions or metrics the job could not write: every decision lists all
 * arms, every metrics record all sensitive levels, and the topics take records of a size that the
 * spec does not know. Launcher, gate, bootstrap, restore, auditor and the verb {@code check} all
 * judge by this.
 *
 * @param maxRecordBytes largest record that is written
 */
public record CatalogueLimit(int maxRecordBytes) implements Serializable {
  /** Topics take more than the largest record of an input, whatever its size. */
  private static final int LEAST_FOR_GROUPS = 16 << 10;

  /** Returns the limit of a deployment. */
  public static CatalogueLimit of(JobConfig config) {
    return new CatalogueLimit(config.maxRecordBytes());
  }

  /**
   * Compiles a spec and judges it.
   *
   * @throws SpecException with the faults of compiling, and beside them that decisions would be too
   *     large
   */
  public CompiledSpec compiled(SegmentSpec spec, Function<SegmentSpec, CompiledSpec> compile) {
    List<SpecFault> faults = new ArrayList<>();
    CompiledSpec compiled = null;
    try {
      compiled = compile.apply(spec);
    } catch (SpecException e) {
      faults.addAll(e.faults());
    }
    fault(spec).ifPresent(faults::add);
    faultOfGroups(spec).ifPresent(faults::add);
    if (compiled == null || !faults.isEmpty()) {
      throw new SpecException(faults);
    }
    return compiled;
  }

  /** Returns why metrics under a spec would be too large, if they would: they list all groups. */
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
                "at most %d, 7/8 of %s (%d); fewer levels, or shorter names"
                    .formatted(most, JobOptions.MAX_RECORD_BYTES.key(), maxRecordBytes)));
  }

  /** Returns why decisions under a spec would be too large, if they would. */
  Optional<SpecFault> fault(SegmentSpec spec) {
    long bytes = spec.arms().list().stream().mapToLong(arm -> AnswerSize.ofArm(arm.id())).sum();
    int most = AnswerSize.most(maxRecordBytes);
    return bytes <= most
        ? Optional.empty()
        : Optional.of(
            new SpecFault(
                "arms",
                "%d arms that take %d bytes of every decision".formatted(spec.arms().size(), bytes),
                "at most %d, 7/8 of %s (%d); give them short ids or raise it"
                    .formatted(most, JobOptions.MAX_RECORD_BYTES.key(), maxRecordBytes)));
  }
}
