package io.equipoise.causal;

/** Says that a graph, its text, or a question put to it is faulty; the message names the place. */
public final class GraphException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public GraphException(String message) {
    super(message);
  }
}
