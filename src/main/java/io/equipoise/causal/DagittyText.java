package io.equipoise.causal;

import io.equipoise.causal.TextScanner.Token;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads and writes graphs in the text syntax of dagitty (Textor et al. 2016).
 *
 * <p>For example {@code dag { U [latent]; {A B} -> C <- U; A <-> B }}. A statement is a node, or a
 * chain of nodes and groups, followed by attributes in brackets. Line ends count as blanks, so a
 * {@code ;} is optional. Comments are {@code //}, {@code #} and {@code /* *}{@code /}. The
 * attributes {@code latent} and {@code selected}, the selection node, change the graph. {@code
 * exposure}, {@code outcome}, {@code adjusted} and all of the form {@code key=value} are ignored.
 * Other words are rejected, because a misspelled mark would turn a latent node into an observed
 * one. The first mention of a node declares it. Errors are {@link GraphException}s with line and
 * column.
 */
public final class DagittyText {
  private static final List<String> SYMBOLS =
      List.of("<->", "->", "<-", "--", "{", "}", "[", "]", ";", ",", "=");
  private static final Set<String> ARROWS = Set.of("->", "<-", "<->");
  private static final Set<String> IGNORED_MARKS = Set.of("exposure", "outcome", "adjusted");

  /** Limits the allocations for a hostile text; separators cost up to O(n^3). */
  static final int MAX_NODES = 1024;

  private static final Pattern PLAIN_NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_.]*");

  private final TextScanner in;
  private final GraphBuilder graph = CausalGraph.builder();
  private final int maxNodes;

  private DagittyText(String text, int maxNodes) {
    this.maxNodes = maxNodes;
    in = new TextScanner(text, SYMBOLS, List.of("//", "#"), GraphException::new);
  }

  /** Reads a graph of at most {@value #MAX_NODES} nodes. */
  public static CausalGraph parse(String text) {
    return parse(text, MAX_NODES);
  }

  /** As {@link #parse(String)}, for trusted texts with a caller-defined limit. */
  public static CausalGraph parse(String text, int maxNodes) {
    return new DagittyText(text, maxNodes).graph();
  }

  /**
   * Writes all nodes in declaration order, then the edges; {@link #parse} returns the same graph.
   */
  public static String print(CausalGraph graph) {
    StringBuilder out = new StringBuilder("dag {\n");
    Set<String> latents = graph.latents();
    String selection = graph.selection().orElse("");
    for (String node : graph.nodes()) {
      String mark =
          latents.contains(node) ? " [latent]" : selection.equals(node) ? " [selected]" : "";
      out.append("  ").append(quoted(node)).append(mark).append('\n');
    }
    for (String node : graph.nodes()) {
      for (String child : graph.children(node)) {
        out.append("  ").append(quoted(node)).append(" -> ").append(quoted(child)).append('\n');
      }
      for (String sibling : graph.siblings(node)) {
        if (graph.indexOf(node) < graph.indexOf(sibling)) {
          out.append("  ").append(quoted(node)).append(" <-> ").append(quoted(sibling));
          out.append('\n');
        }
      }
    }
    return out.append("}\n").toString();
  }

  private static String quoted(String name) {
    return PLAIN_NAME.matcher(name).matches()
        ? name
        : '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private CausalGraph graph() {
    Token type = in.peek();
    if (!in.name("'dag'").equals("dag")) {
      throw in.at(type, "expected 'dag', found " + type.shown());
    }
    if (in.peek().isName()) {
      in.next();
    }
    in.expect("{");
    while (!in.take("}")) {
      if (!in.take(";")) {
        statement();
      }
    }
    if (!in.atEnd()) {
      throw in.expected("nothing after the closing '}'");
    }
    return graph.build();
  }

  /**
   * A node with its marks, a chain, or a setting of the whole graph such as {@code bb="0,0,1,1"}.
   */
  private void statement() {
    Token first = in.peek();
    if (first.isName()) {
      in.next();
      if (in.take("=")) {
        in.name("a value");
        return;
      }
    }
    Set<String> left = first.isName() ? Set.of(declared(first)) : group();
    boolean isChain = false;
    while (!in.peek().isName() && ARROWS.contains(in.peek().text())) {
      Token arrow = in.next();
      Set<String> right = in.at("{") ? group() : Set.of(node());
      join(left, arrow, right);
      left = right;
      isChain = true;
    }
    if (in.take("[")) {
      attributes(isChain || !first.isName() ? Optional.empty() : Optional.of(first.text()));
    }
  }

  private Set<String> group() {
    if (!in.take("{")) {
      throw in.expected("a node or a group");
    }
    Set<String> group = new LinkedHashSet<>();
    while (!in.take("}")) {
      if (!in.take(";") && !in.take(",")) {
        group.add(node());
      }
    }
    return group;
  }

  private String node() {
    if (!in.peek().isName()) {
      throw in.expected("a node");
    }
    return declared(in.next());
  }

  private String declared(Token name) {
    if (name.text().isBlank()) {
      throw in.at(name, "expected a node, found a blank name");
    }
    if (!graph.contains(name.text())) {
      if (graph.size() == maxNodes) {
        throw new GraphException("node \"" + name.text() + "\" is one more than " + maxNodes);
      }
      graph.node(name.text());
    }
    return name.text();
  }

  private void join(Set<String> left, Token arrow, Set<String> right) {
    for (String one : left) {
      for (String other : right) {
        if (one.equals(other)) {
          throw in.at(arrow, "a self loop at \"" + one + "\"");
        }
        switch (arrow.text()) {
          case "->" -> graph.directed(one, other);
          case "<-" -> graph.directed(other, one);
          default -> graph.bidirected(one, other);
        }
      }
    }
  }

  private void attributes(Optional<String> node) {
    while (!in.take("]")) {
      Token key = in.peek();
      in.name("an attribute or ']'");
      if (in.take("=")) {
        in.name("a value");
      } else if (node.isPresent() && key.text().equals("latent")) {
        graph.markLatent(node.get());
      } else if (node.isPresent() && key.text().equals("selected")) {
        graph.markSelected(node.get());
      } else if (node.isEmpty() || !IGNORED_MARKS.contains(key.text())) {
        String allowed =
            node.isPresent() ? "latent, exposure, outcome, adjusted, selected or " : "";
        throw in.at(key, "expected " + allowed + "key=value, found " + key.shown());
      }
      in.take(",");
    }
  }
}
