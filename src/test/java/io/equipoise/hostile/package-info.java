/**
 * Feeds decoders and parsers with what a broken or hostile sender may send, by the million.
 *
 * <p>{@link io.equipoise.hostile.Campaign} counts, times and measures; {@link
 * io.equipoise.hostile.ByteDamage} and {@link io.equipoise.hostile.TextDamage} spoil valid samples.
 * What is fed, and what is allowed to come of it, is said by the tests of each package.
 */
@NullMarked
package io.equipoise.hostile;

import org.jspecify.annotations.NullMarked;
