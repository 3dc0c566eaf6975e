/** The verbs that the lab adds to the command line. */
@NullMarked
package io.equipoise.lab.verbs;

import org.jspecify.annotations.NullMarked;
