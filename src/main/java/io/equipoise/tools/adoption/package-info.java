/** Which spec each active segment runs, and what the adoption of another one would do. */
@NullMarked
package io.equipoise.tools.adoption;

import org.jspecify.annotations.NullMarked;
