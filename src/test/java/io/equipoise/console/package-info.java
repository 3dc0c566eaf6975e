/** Tests of the console. */
@NullMarked
package io.equipoise.console;

import org.jspecify.annotations.NullMarked;
