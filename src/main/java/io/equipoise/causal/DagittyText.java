package io.equipoise.causal;

import io.equipoise.causal.TextScanner.Token;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes graphs in the text syntax of dagitty (Textor et al. 2016).
 *
 * <p>For example {@code dag { U [latent]; {A B} -> C <- U; A <-> B }}. A statement is a node, or a
 * chain of nodes and groups, followed by attributes in brackets. Line ends count as blanks, so a
 * {@code ;} is optional, except beside a node that has neither edge nor attribute: on the line of
 * another statement it is rejected, because a lost arrow would turn an effect into no effect.
 * Comments, which dagitty lacks, are {@code //}, {@code #} and {@code /* *}{@code /}.
 *
 * <p>What is accepted means what it means to dagitty; whatever else dagitty knows is rejected. A
 * name without quotes has ASCII letters, digits, {@code _} and {@code .}. {@code latent} ({@code
 * l}, {@code unobserved}, {@code u}) and {@code selected} ({@code s}), the selection node, mark a
 * node with any value, but {@code false}, {@code no} and {@code 0} are rejected. {@code exposure}
 * and {@code outcome} are only defaults of dagitty's questions and are ignored, as are the
 * attributes of layout. {@code adjusted} and other attributes are rejected, because a misspelled
 * mark would turn a latent node into an observed one. The first mention of a node declares it.
 * Errors are {@link GraphException}s with line and column.
 */
public final class DagittyText {
  private static final List<String> SYMBOLS =
      List.of("<->", "->", "<-", "--", "{", "}", "[", "]", ";", ",", "=");
  private static final Set<String> ARROWS = Set.of("->", "<-", "<->");
  private static final Pattern WORD = Pattern.compile("-?[0-9A-Za-z_.]+");
  private static final String KNOWN =
      "edge and no name; write ->, <- or <->, and put other names in quotes";
  private static final Set<String> LATENT = Set.of("latent", "l", "unobserved", "u");
  private static final Set<String> SELECTED = Set.of("selected", "s");
  private static final Set<String> QUESTIONS =
      Set.of("exposure", "source", "e", "outcome", "target", "o");
  private static final Set<String> ADJUSTED = Set.of("adjusted", "a");
  private static final Set<String> NEGATIONS = Set.of("false", "no", "0");

  /** Numbers and looks that change no answer of ours. */
  private static final List<String> LAYOUT =
      List.of("beta", "color", "comment", "eps", "label", "pos", "shape", "style", "weight");

  /** Dagitty keeps them for settings of the whole graph. */
  private static final Set<String> RESERVED = Set.of("graph", "node");

  /** Limits the allocations for a hostile text; separators cost up to O(n^3). */
  static final int MAX_NODES = 1024;

  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][0-9A-Za-z_.]*");

  private final TextScanner in;
  private final GraphBuilder graph = CausalGraph.builder();
  private final List<Arrow> arrows = new ArrayList<>();
  private final int maxNodes;

  /** Directed edges from every cause to every effect. */
  private record Arrow(Set<String> causes, Set<String> effects, Token place) {}

  private DagittyText(String text, int maxNodes) {
    this.maxNodes = maxNodes;
    in = new TextScanner(text, SYMBOLS, List.of("//", "#"), WORD, KNOWN, GraphException::new);
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
    if (!in.name("'dag'").equalsIgnoreCase("dag")) {
      throw in.at(type, "expected 'dag', found " + type.shown() + "; write dag { A -> B }");
    }
    if (in.peek().isName()) {
      in.next();
    }
    in.expect("{");
    boolean isApart = true;
    while (!in.take("}")) {
      boolean isEnd = in.take(";");
      if (!isEnd) {
        statement(isApart || in.peek().isFirst());
      }
      isApart = isEnd;
    }
    if (!in.atEnd()) {
      throw in.expected("nothing after the closing '}'");
    }
    try {
      return graph.build();
    } catch (GraphException e) {
      Token place = lastArrow(e.cycle());
      throw place == null ? e : in.at(place, String.valueOf(e.getMessage()));
    }
  }

  /** Returns the last arrow in the text that is part of a cycle; null without a cycle. */
  private @Nullable Token lastArrow(List<String> cycle) {
    Token last = null;
    for (Arrow arrow : arrows) {
      for (int i = 1; i < cycle.size(); i++) {
        boolean isPart =
            arrow.causes().contains(cycle.get(i - 1)) && arrow.effects().contains(cycle.get(i));
        last = isPart ? arrow.place() : last;
      }
    }
    return last;
  }

  /**
   * A node with its marks, a chain, or the window of the whole graph, {@code bb="0,0,1,1"}.
   *
   * @param isApart no other statement is before it on its line
   */
  private void statement(boolean isApart) {
    Token first = in.peek();
    if (first.isName()) {
      in.next();
      if (in.at("=") && first.text().equals("bb")) {
        in.next();
        in.name("a value");
        return;
      }
      boolean isAlone = !in.at("[") && !isArrow();
      boolean isEnded = in.peek().isFirst() || in.peek().isName() || in.at(";") || in.at("}");
      if (isAlone && !isEnded) {
        throw in.expected("an edge after " + first.shown() + ": write ->, <- or <->");
      }
      if (isAlone && !(isApart && (in.peek().isFirst() || in.at(";") || in.at("}")))) {
        throw in.at(first, first.shown() + " has no edge; write ->, <- or <->, or ; around it");
      }
    }
    Set<String> left = first.isName() ? Set.of(declared(first)) : group();
    boolean isChain = false;
    while (isArrow()) {
      Token arrow = in.next();
      Set<String> right = in.at("{") ? group() : Set.of(node());
      join(left, arrow, right);
      left = right;
      isChain = true;
    }
    if ((isChain || first.isName()) && in.take("[")) {
      attributes(isChain ? Optional.empty() : Optional.of(first.text()));
    }
  }

  private boolean isArrow() {
    return !in.peek().isName() && ARROWS.contains(in.peek().text());
  }

  private Set<String> group() {
    if (!in.take("{")) {
      throw in.expected("a node or a group");
    }
    Set<String> group = new LinkedHashSet<>();
    while (!in.take("}")) {
      if (!in.take(";")) {
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
    boolean isSign = !name.isQuoted() && name.text().startsWith("-");
    if (isSign || RESERVED.contains(name.text()) || name.text().contains("\\")) {
      throw in.at(
          name, name.shown() + (isSign ? " is no " + KNOWN : " is no node of dagitty; rename it"));
    }
    if (!graph.contains(name.text())) {
      if (graph.size() == maxNodes) {
        throw in.at(name, "node " + name.shown() + " is one more than " + maxNodes);
      }
      graph.node(name.text());
    }
    return name.text();
  }

  private void join(Set<String> left, Token arrow, Set<String> right) {
    if (!arrow.is("<->")) {
      boolean isForward = arrow.is("->");
      arrows.add(new Arrow(isForward ? left : right, isForward ? right : left, arrow));
    }
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

  private void mark(Token place, Runnable marking) {
    try {
      marking.run();
    } catch (GraphException e) {
      throw in.at(place, e.getMessage() + "; remove this mark");
    }
  }

  private void attributes(Optional<String> node) {
    while (!in.take("]")) {
      Token key = in.peek();
      String word = in.name("an attribute or ']'");
      boolean hasValue = in.take("=");
      String value = hasValue ? in.name("a value") : "";
      if (ADJUSTED.contains(word)) {
        throw in.at(key, "adjusted is no part of a graph; name the node in the question");
      } else if (node.isPresent() && NEGATIONS.contains(value) && !LAYOUT.contains(word)) {
        throw in.at(key, key.shown() + " marks a node whatever its value; remove it");
      } else if (node.isPresent() && LATENT.contains(word)) {
        mark(key, () -> graph.markLatent(node.get()));
      } else if (node.isPresent() && SELECTED.contains(word)) {
        mark(key, () -> graph.markSelected(node.get()));
      } else if (!(hasValue && LAYOUT.contains(word))
          && !(node.isPresent() && QUESTIONS.contains(word))) {
        String marks = node.isPresent() ? "latent, selected, exposure, outcome or " : "";
        throw in.at(
            key,
            "expected " + marks + "KEY=VALUE with one of " + LAYOUT + ", found " + key.shown());
      }
      if (!in.take(",")) {
        in.take(";");
      }
    }
  }
}
