package io.equipoise.job;

import io.equipoise.event.ErrorCode;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.Control;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.control.SpecText;
import io.equipoise.segmentspec.SpecException;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets good specs through to every subtask and sends bad ones to the dead letter, once, with all
 * their faults. What an operator should know of a good one is logged. A spec that was let through
 * before keeps running whatever comes after it.
 */
public final class SpecValidation extends Gate<RawControl, Control> {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(SpecValidation.class);

  private final CatalogLimit limit;

  public SpecValidation(CatalogLimit limit) {
    this.limit = limit;
  }

  @Override
  public void processElement(RawControl record, Context context, Collector<Control> out) {
    if (record.key() == null) {
      refuse(record, ErrorCode.SPEC_REJECTED, "a spec's record needs the key NAME/HASH", context);
      return;
    }
    SpecText spec = new SpecText(record);
    try {
      for (String warning : spec.check(limit)) {
        LOG.warn("Spec {}: {}", spec.key(), warning);
      }
      out.collect(spec);
    } catch (SpecException e) {
      refuse(record, ErrorCode.SPEC_REJECTED, String.valueOf(e.getMessage()), context);
    }
  }
}
