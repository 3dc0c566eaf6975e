/** Tests of the documents of the console. */
@NullMarked
package io.equipoise.console.document;

import org.jspecify.annotations.NullMarked;
