package io.equipoise.job;

import io.equipoise.event.ErrorCode;
import io.equipoise.spec.SpecException;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets good specs through to every subtask and sends bad ones to the dead letter, once, with all
 * their faults. What an operator should know of a good one is logged. A spec that was let through
 * before keeps running whatever comes after it.
 */
final class SpecGate extends ProcessFunction<RawControl, Control> {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(SpecGate.class);

  static final OutputTag<Emission> REFUSED =
      new OutputTag<>("rejected-specs", StreamTypes.EMISSION);

  private final CatalogLimit limit;

  SpecGate(CatalogLimit limit) {
    this.limit = limit;
  }

  @Override
  public void processElement(RawControl record, Context context, Collector<Control> out) {
    byte[] key = record.key();
    if (key == null) {
      refuse(record, "a spec's record needs the key NAME/HASH", context);
      return;
    }
    SpecText spec = SpecText.of(key, record.value());
    try {
      for (String warning : spec.check(limit)) {
        LOG.warn("Spec {}: {}", spec.key(), warning);
      }
      out.collect(spec);
    } catch (SpecException e) {
      refuse(record, String.valueOf(e.getMessage()), context);
    }
  }

  private static void refuse(RawControl record, String message, Context context) {
    context.output(REFUSED, record.refused(ErrorCode.SPEC_REJECTED, message));
  }
}
