package io.equipoise.job;

import java.io.Serializable;

/** Says whether a deployment's job may begin without any state. */
@FunctionalInterface
interface Beginning extends Serializable {
  /**
   * Is called where nothing was restored.
   *
   * @throws StartRefusedException if the deployment has a past that would be forgotten
   */
  void refuseForgetting();

  /** Returns what a deployment's configuration and topics say. */
  static Beginning of(JobConfig config) {
    return config.beginsAnew()
        ? () -> {}
        : new HistoryCheck(config.kafka(), config.topics(), config.delivery());
  }
}
