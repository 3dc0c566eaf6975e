/** The report of a replication: rows of samples, checks against reference values, plots. */
@NullMarked
package io.equipoise.lab.report;

import org.jspecify.annotations.NullMarked;
