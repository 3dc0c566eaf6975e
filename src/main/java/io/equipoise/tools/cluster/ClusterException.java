package io.equipoise.tools.cluster;

/**
 * Reports a failed operation on a cluster; the message states the place, the problem and the
 * remedy.
 */
public final class ClusterException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  public ClusterException(String message) {
    super(message);
  }

  ClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
