/**
 * The report of experiments from the experiments topic.
 *
 * <pre>
 *   experiments         --> SurvivingExperiments --> LoggedExperiment (phases and end of one)
 *   decisions, segment events -->   (less what later         --> ExperimentReport of the search
 *                              attempts withdrew)          itself, by its own records
 * </pre>
 *
 * <p>What was withdrawn is told as {@code audit verify} tells it, by {@link
 * io.equipoise.audit.verify.WriterEpochHistory}.
 */
@NullMarked
package io.equipoise.audit.report;

import org.jspecify.annotations.NullMarked;
