package io.equipoise.job.options;

import java.io.Serializable;

/**
 * Limits how many segments a job keeps.
 *
 * @param active maximum number of active segments before new ones are rejected
 * @param passivated maximum number of passivated segments before idle ones stay active
 */
public record SegmentLimits(int active, int passivated) implements Serializable {
  private static final long serialVersionUID = 1L;
}
