/**
 * The fairness report of a segment for a period: {@link io.equipoise.console.report.ReportFigures}
 * computes it from the committed topics, {@link io.equipoise.console.report.ReportPage} writes it.
 */
@NullMarked
package io.equipoise.console.report;

import org.jspecify.annotations.NullMarked;
