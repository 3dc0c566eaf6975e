/**
 * The checks that a start passes before any record is read: no rival job, no lost history, the
 * permissions and delivery settings that the job needs.
 */
@NullMarked
package io.equipoise.job.start;

import org.jspecify.annotations.NullMarked;
