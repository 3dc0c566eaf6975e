/**
 * The gateway: decisions and rewards over HTTP, in front of the topics of a deployment.
 *
 * <pre>
 * POST /v1/decisions -> GatewayService -> contexts -> job -> decisions -> DecisionFollower
 *                            |                                              |
 *                            +---------- OpenDecisions (bounded) <----------+
 * </pre>
 *
 * <p>It keeps no state that matters: any number of gateways serve one deployment.
 */
@NullMarked
package io.equipoise.gateway;

import org.jspecify.annotations.NullMarked;
