/**
 * The report of best-arm experiments from the experiments topic.
 *
 * <pre>
 *   experiments                --> SurvivingExperiments --> LoggedExperiment (phases and end)
 *   decisions, segment events  -->  (without withdrawn        --> ExperimentReport
 *                                    records)
 * </pre>
 *
 * <p>Withdrawn records are detected as in {@code audit verify}, by {@link
 * io.equipoise.audit.verify.WriterEpochHistory}.
 */
@NullMarked
package io.equipoise.audit.report;

import org.jspecify.annotations.NullMarked;
