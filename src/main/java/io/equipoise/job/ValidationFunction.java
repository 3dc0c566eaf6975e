package io.equipoise.job;

import io.equipoise.event.ErrorCode;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.topics.Emission;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.OutputTag;

/**
 * Forwards valid records of a source, sends each invalid record to the dead letter and counts it by
 * error code.
 */
public abstract class ValidationFunction<I, O> extends ProcessFunction<I, O> {
  private static final long serialVersionUID = 1L;

  public static final OutputTag<Emission> REFUSED =
      new OutputTag<>("refused", StreamTypes.EMISSION);

  private transient LabeledCounters counters;

  @Override
  public void open(OpenContext context) {
    counters =
        new LabeledCounters(JobMetric.DEAD_LETTER_RECORDS, getRuntimeContext().getMetricGroup());
  }

  /** Sends the dead letter of a record. */
  final void refuse(String code, Emission deadLetter, Context context) {
    counters.count(code);
    context.output(REFUSED, deadLetter);
  }

  /** Sends a record of a control topic to the dead letter. */
  final void refuse(RawControl record, ErrorCode code, String why, Context context) {
    refuse(code.name(), record.refused(code, why), context);
  }
}
