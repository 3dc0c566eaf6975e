package io.equipoise.segment;

import io.equipoise.event.ErrorCode;
import io.equipoise.event.InputFault;
import io.equipoise.event.Thrown;
import io.equipoise.policy.UnusableRequestException;

/**
 * Reports that a policy did not compute a decision or learn a reward. Nothing has changed.
 *
 * <p>The fault is UNUSABLE_FEATURES if the policy rejected the request, and POLICY_FAILED if it
 * threw.
 */
public final class RefusedByPolicyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient InputFault fault;

  RefusedByPolicyException(String policy, Throwable cause) {
    super(why(policy, cause), cause);
    this.fault =
        new InputFault(
            cause instanceof UnusableRequestException
                ? ErrorCode.UNUSABLE_FEATURES
                : ErrorCode.POLICY_FAILED,
            why(policy, cause));
  }

  private static String why(String policy, Throwable cause) {
    return cause instanceof UnusableRequestException
        ? String.valueOf(cause.getMessage())
        : "policy " + policy + " failed: " + Thrown.text(cause);
  }

  InputFault fault() {
    return fault;
  }
}
