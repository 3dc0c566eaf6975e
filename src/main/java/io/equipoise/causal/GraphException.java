package io.equipoise.causal;

/** A graph, its text, or a query on it is invalid; the message names the place. */
public final class GraphException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public GraphException(String message) {
    super(message);
  }
}
