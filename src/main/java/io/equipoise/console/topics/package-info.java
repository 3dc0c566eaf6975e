/**
 * Where the console reads: the live follower of the outputs, bounded scans, the control topics, and
 * the state of the job.
 */
@NullMarked
package io.equipoise.console.topics;

import org.jspecify.annotations.NullMarked;
