@NullMarked
package io.equipoise.layout;

import org.jspecify.annotations.NullMarked;
