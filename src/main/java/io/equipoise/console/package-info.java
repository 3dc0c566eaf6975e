/**
 * The console: a read-only web page on a deployment's topics. {@link io.equipoise.console.Console}
 * is its center.
 */
@NullMarked
package io.equipoise.console;

import org.jspecify.annotations.NullMarked;
