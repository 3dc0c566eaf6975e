/** Tests of what the console knows. */
@NullMarked
package io.equipoise.console.state;

import org.jspecify.annotations.NullMarked;
