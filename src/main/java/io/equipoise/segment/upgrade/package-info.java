/**
 * The change from one spec to the next. {@link io.equipoise.segment.upgrade.SpecCompatibility} says
 * how the model goes on, {@link io.equipoise.segment.upgrade.SpecUpgrade} changes the state and
 * logs it, and {@link io.equipoise.segment.upgrade.SpecTranslation} reads arms and levels of
 * earlier specs.
 */
@NullMarked
package io.equipoise.segment.upgrade;

import org.jspecify.annotations.NullMarked;
