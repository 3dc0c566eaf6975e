/** Tests of the records, their wire formats and the decoding of hostile input. */
@NullMarked
package io.equipoise.event;

import org.jspecify.annotations.NullMarked;
