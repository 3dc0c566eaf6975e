package io.equipoise.causal;

import java.util.List;

/** Reports that a graph, its text, or a query on it is invalid; the message names the place. */
public final class GraphException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String[] cycle;

  public GraphException(String message) {
    this(message, List.of());
  }

  /** Names a directed cycle; its first node is its last one, too. */
  GraphException(String message, List<String> cycle) {
    super(message);
    this.cycle = cycle.toArray(new String[0]);
  }

  /** Returns the nodes of the directed cycle in the graph; none for other errors. */
  List<String> cycle() {
    return List.of(cycle);
  }
}
