package io.equipoise.job;

import io.equipoise.event.ErrorCode;
import io.equipoise.spec.SpecException;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets good specs through to every subtask and sends bad ones to the dead letter, once, with all
 * their faults. What an operator should know of a good one is logged. A spec that was let through
 * before keeps running whatever comes after it.
 */
final class SpecGate extends Gate<RawControl, Control> {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(SpecGate.class);

  private final CatalogLimit limit;

  SpecGate(CatalogLimit limit) {
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
