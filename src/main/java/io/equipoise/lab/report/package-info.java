/**
 * What every replication says of itself, for machines and for people: rows of samples, checks
 * against reference values, tables and plots.
 */
@NullMarked
package io.equipoise.lab.report;

import org.jspecify.annotations.NullMarked;
