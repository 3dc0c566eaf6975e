/**
 * The path of segment specs and causal bounds from compacted topics into broadcast state, and the
 * publishers that write those topics.
 */
@NullMarked
package io.equipoise.job.control;

import org.jspecify.annotations.NullMarked;
