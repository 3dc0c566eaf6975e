package io.equipoise.segment;

import io.equipoise.event.ErrorCode;
import io.equipoise.event.InputFault;
import io.equipoise.event.Thrown;
import io.equipoise.policy.UnusableRequestException;

/**
 * A decision or reward that a policy did not compute. Nothing has changed.
 *
 * <p>The fault is UNUSABLE_FEATURES if the policy refused it, and POLICY_FAILED if it failed.
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

  /** Returns what becomes of the input. */
  InputFault fault() {
    return fault;
  }
}
