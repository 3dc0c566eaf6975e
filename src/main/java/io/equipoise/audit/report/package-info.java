/**
 * The report of experiments from the audit topic.
 *
 * <pre>
 *   AuditTopic (records, read_committed) --> LoggedExperiment (phases and end of one search)
 *     --> ExperimentReport of the search itself, through the records it was written from
 * </pre>
 */
@NullMarked
package io.equipoise.audit.report;

import org.jspecify.annotations.NullMarked;
