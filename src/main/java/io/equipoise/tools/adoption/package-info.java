/** Finds the spec of each active segment, and predicts the adoption of another one. */
@NullMarked
package io.equipoise.tools.adoption;

import org.jspecify.annotations.NullMarked;
