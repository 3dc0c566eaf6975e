package io.equipoise.tools.cluster;

/** Says why a cluster is not what was asked for: the place, the fact and the remedy. */
public final class ClusterException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  public ClusterException(String message) {
    super(message);
  }

  ClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
