/**
 * The verbs {@code specs}: publish, compare, retire and roll back the specs of a running
 * deployment.
 *
 * <pre>
 *   SpecHistory + ActiveSegments --SpecChangePlan--> confirm, send --SpecWatch--> adopted, refused
 * </pre>
 */
@NullMarked
package io.equipoise.tools.specs;

import org.jspecify.annotations.NullMarked;
