/**
 * Contains the parts that every HTTP service of this project shares: the server with its limits,
 * the rule for addresses, API tokens, and problem documents. It knows nothing about decisions.
 */
@NullMarked
package io.equipoise.http;

import org.jspecify.annotations.NullMarked;
