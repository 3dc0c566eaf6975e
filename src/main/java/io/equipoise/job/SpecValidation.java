package io.equipoise.job;

import io.equipoise.event.ErrorCode;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.Control;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.control.SpecText;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecException;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards valid specs to all subtasks and sends each invalid spec to the dead letter once, with
 * all its errors. Logs the warnings of valid specs. An active spec stays active whatever follows
 * it.
 */
public final class SpecValidation extends ValidationFunction<RawControl, Control> {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(SpecValidation.class);

  private final CatalogLimit limit;

  public SpecValidation(CatalogLimit limit) {
    this.limit = limit;
  }

  @Override
  public void processElement(RawControl record, Context context, Collector<Control> out) {
    if (record.key() == null) {
      refuse(
          record, ErrorCode.SPEC_REJECTED, "the key of a spec's record must be NAME/HASH", context);
      return;
    }
    SpecText spec = new SpecText(record);
    try {
      CompiledSpec compiled = spec.check(limit);
      if (compiled != null) {
        compiled.warnings().forEach(it -> LOG.warn("Spec {}: {}", spec.key(), it));
      }
      out.collect(spec);
    } catch (SpecException e) {
      refuse(record, ErrorCode.SPEC_REJECTED, String.valueOf(e.getMessage()), context);
    }
  }
}
