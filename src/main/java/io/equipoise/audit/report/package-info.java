/**
 * The report of experiments from the audit topic.
 *
 * <pre>
 *   audit records       --> SurvivingExperiments --> LoggedExperiment (phases and end of one)
 *   decisions, outcomes -->   (less what later         --> ExperimentReport of the search
 *                              attempts withdrew)          itself, by its own records
 * </pre>
 *
 * <p>What was withdrawn is told as {@code audit verify} tells it, by {@link
 * io.equipoise.audit.verify.AttemptHistory}.
 */
@NullMarked
package io.equipoise.audit.report;

import org.jspecify.annotations.NullMarked;
