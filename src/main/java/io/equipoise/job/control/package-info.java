/**
 * Segment specs and causal bounds on their way from compacted topics into broadcast state, and the
 * publishers that write those topics.
 */
@NullMarked
package io.equipoise.job.control;

import org.jspecify.annotations.NullMarked;
