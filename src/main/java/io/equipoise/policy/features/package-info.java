/**
 * From what is known of a person and an arm to the vector that linear and logistic models read.
 *
 * <pre>
 *   FeatureMap (spec) --compile--> FeatureEncoder --encode(person, arm, out)--> x in R^d
 *   person, arm --RememberedInputs--> a few numbers --> person, arm when the reward comes
 * </pre>
 */
@NullMarked
package io.equipoise.policy.features;

import org.jspecify.annotations.NullMarked;
