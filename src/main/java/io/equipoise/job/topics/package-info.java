/**
 * The Kafka topics of a deployment: creation, checks of broker and topic settings, and consumers.
 */
@NullMarked
package io.equipoise.job.topics;

import org.jspecify.annotations.NullMarked;
