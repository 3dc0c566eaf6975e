/**
 * Contains the readers of the console: the live follower of the outputs, bounded scans, the control
 * topics, and the state of the job.
 */
@NullMarked
package io.equipoise.console.topics;

import org.jspecify.annotations.NullMarked;
