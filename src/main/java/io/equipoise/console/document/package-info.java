/** The JSON documents of the console, and the words that explain records. */
@NullMarked
package io.equipoise.console.document;

import org.jspecify.annotations.NullMarked;
