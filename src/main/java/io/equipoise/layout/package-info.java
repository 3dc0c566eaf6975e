/**
 * The one codec of stored bytes: bounds-checked, big-endian. A {@link io.equipoise.layout.Stored}
 * value describes its bytes once, for both directions; {@link io.equipoise.layout.LayoutReader} and
 * {@link io.equipoise.layout.LayoutWriter} also serve immutable values, which a serializer reads
 * and writes. Knows nothing of the project.
 */
@NullMarked
package io.equipoise.layout;

import org.jspecify.annotations.NullMarked;
