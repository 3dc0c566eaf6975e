/**
 * Limits time and size of the answers that the product's HTTP clients wait for. Knows no other
 * package.
 */
@NullMarked
package io.equipoise.remote;

import org.jspecify.annotations.NullMarked;
