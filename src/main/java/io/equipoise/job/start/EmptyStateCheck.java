package io.equipoise.job.start;

import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import java.io.Serializable;

/** Checks whether a deployment's job may begin without state. */
@FunctionalInterface
public interface EmptyStateCheck extends Serializable {
  /**
   * Called if no state was restored.
   *
   * @throws StartRefusedException if the deployment has a history that would be lost
   */
  void refuseForgetting();

  /** Returns the check that a deployment's configuration and topics require. */
  static EmptyStateCheck of(JobConfig config) {
    return config.allowsEmptyState()
        ? () -> {}
        : new HistoryCheck(config.kafka(), config.topics(), config.delivery());
  }
}
