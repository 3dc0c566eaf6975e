package io.equipoise.job.start;

import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import java.io.Serializable;

/** Says whether a deployment's job may begin without any state. */
@FunctionalInterface
public interface EmptyStateCheck extends Serializable {
  /**
   * Is called where nothing was restored.
   *
   * @throws StartRefusedException if the deployment has a past that would be forgotten
   */
  void refuseForgetting();

  /** Returns what a deployment's configuration and topics say. */
  static EmptyStateCheck of(JobConfig config) {
    return config.beginsAnew()
        ? () -> {}
        : new HistoryCheck(config.kafka(), config.topics(), config.delivery());
  }
}
