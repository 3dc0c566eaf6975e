/** Tables, curves and samples of a report, and the HTML page that shows them. */
@NullMarked
package io.equipoise.cli.report;

import org.jspecify.annotations.NullMarked;
