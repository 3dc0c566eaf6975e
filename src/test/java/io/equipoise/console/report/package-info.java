/** Tests of the fairness report. */
@NullMarked
package io.equipoise.console.report;

import org.jspecify.annotations.NullMarked;
