/** Tests of what is checkpointed, byte by byte. */
@NullMarked
package io.equipoise.state;

import org.jspecify.annotations.NullMarked;
