/**
 * Off-policy evaluation: what a spec would have earned on logged decisions, and for whom.
 *
 * <pre>
 *   CsvLog or TopicLog --LoggedDecision--> TargetReplay --EvaluatedRow--> OffPolicy --Estimate-->
 *   EvaluationReport
 * </pre>
 */
@NullMarked
package io.equipoise.tools.evaluate;

import org.jspecify.annotations.NullMarked;
