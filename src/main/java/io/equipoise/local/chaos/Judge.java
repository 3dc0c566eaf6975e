package io.equipoise.local.chaos;

import io.equipoise.job.JobConfig;

/** Tells from the committed topics alone whether what is promised was kept. */
interface Judge {
  /** Reads the deployment's topics to their ends, which stand still, and judges them. */
  Judgment judge(JobConfig config) throws InterruptedException;
}
