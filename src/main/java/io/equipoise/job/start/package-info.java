/**
 * The checks at a start before any record is read: no other job of the deployment, no lost history,
 * and the permissions and delivery settings that the job needs.
 */
@NullMarked
package io.equipoise.job.start;

import org.jspecify.annotations.NullMarked;
