/**
 * Simulation: plays segment specs without Kafka against a population whose means and effects are
 * known, on the segment machine of the job.
 *
 * <pre>
 *   WorldFile, PeopleFile --World.of(spec)--> World --Simulation(spec, world, settings)--> run(seed)
 * </pre>
 */
@NullMarked
package io.equipoise.tools.simulate;

import org.jspecify.annotations.NullMarked;
