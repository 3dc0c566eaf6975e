package io.equipoise.causal;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Dagitty's own grammar of graphs (jslib/parser/GraphDotParser.pegjs) and the meaning that
 * GraphParser.js gives it, rule by rule. An oracle for {@link DagittyText}; it has no limits.
 */
final class DagittyGrammar {
  private static final Pattern BLANKS = Pattern.compile("[\\n\\r\\t ;]*");
  private static final Pattern BARE = Pattern.compile("-?[0-9a-zA-Z_.]+");
  private static final Pattern TEXT =
      Pattern.compile("\"((?:[^\"\\\\\\x00-\\x1F\\x7F]|\\\\\"|\\\\)*)\"");
  private static final Pattern EDGE = Pattern.compile("@->|<-@|->|--@|--|<->|<-|@-@|@--");
  private static final Pattern TYPE =
      Pattern.compile("graph|digraph|dag|mag|pdag|pag", Pattern.CASE_INSENSITIVE);

  /** What a graph means; edges are written with their arrow. */
  record Meaning(Set<String> nodes, Set<String> latent, Set<String> selected, Set<String> edges) {
    static Meaning of(CausalGraph graph) {
      Set<String> edges = new TreeSet<>();
      for (String node : graph.nodes()) {
        graph.children(node).forEach(child -> edges.add(node + " -> " + child));
        graph.siblings(node).forEach(other -> edges.add(pair(node, other)));
      }
      return new Meaning(
          new TreeSet<>(graph.nodes()),
          new TreeSet<>(graph.latents()),
          new TreeSet<>(graph.selection().stream().toList()),
          edges);
    }

    private static String pair(String one, String other) {
      return one.compareTo(other) < 0 ? one + " <-> " + other : other + " <-> " + one;
    }
  }

  /** A node with attributes, a chain of nodes and groups, a group, or an option of the graph. */
  private record Statement(List<Object> parts, List<String> arrows, List<String> keys) {}

  private record Group(List<Statement> statements) {}

  private final String text;
  private int at;
  private final Meaning meaning =
      new Meaning(new TreeSet<>(), new TreeSet<>(), new TreeSet<>(), new TreeSet<>());

  private DagittyGrammar(String text) {
    this.text = text;
  }

  /** Returns the meaning of a text of type dag; null if it is none. */
  static @Nullable Meaning read(String text) {
    DagittyGrammar grammar = new DagittyGrammar(text);
    try {
      grammar.graph();
      return grammar.meaning;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private void graph() {
    blanks();
    String type = match(TYPE);
    require(type != null && type.toLowerCase(Locale.ROOT).equals("dag"));
    blanks();
    id();
    require(take("{"));
    List<Statement> statements = statements();
    require(take("}") && at == text.length());
    mean(statements);
  }

  private List<Statement> statements() {
    List<Statement> statements = new ArrayList<>();
    for (Statement one = statement(); one != null; one = statement()) {
      statements.add(one);
    }
    return statements;
  }

  private @Nullable Statement statement() {
    int from = at;
    String name = id();
    if (name != null && take("=") && id() != null) {
      return new Statement(List.of(), List.of(), List.of());
    }
    at = from;
    Object first = vertex();
    if (first == null) {
      return null;
    }
    List<Object> parts = new ArrayList<>(List.of(first));
    List<String> arrows = new ArrayList<>();
    for (int end = at; ; end = at) {
      String arrow = match(EDGE);
      blanks();
      Object next = arrow == null ? null : vertex();
      if (next == null) {
        at = end;
        break;
      }
      arrows.add(arrow);
      parts.add(next);
    }
    boolean isGroup = first instanceof Group && arrows.isEmpty();
    return new Statement(parts, arrows, isGroup ? List.of() : keys());
  }

  private @Nullable Object vertex() {
    String name = id();
    if (name != null) {
      return name;
    }
    int from = at;
    if (take("{")) {
      Group group = new Group(statements());
      if (take("}")) {
        return group;
      }
    }
    at = from;
    return null;
  }

  private List<String> keys() {
    int from = at;
    List<String> keys = new ArrayList<>();
    if (take("[")) {
      for (String key = id(); key != null; key = id()) {
        keys.add(key);
        int end = at;
        if (!take("=") || id() == null) {
          at = end;
        }
        if (text.startsWith(",", at)) {
          take(",");
        }
      }
      if (take("]")) {
        return keys;
      }
    }
    at = from;
    return List.of();
  }

  private @Nullable String id() {
    String bare = match(BARE);
    Matcher quoted = TEXT.matcher(text).region(at, text.length());
    if (bare == null && quoted.lookingAt()) {
      at = quoted.end();
      bare = quoted.group(1).replace("\\\"", "\"");
    }
    if (bare != null) {
      blanks();
    }
    return bare;
  }

  private boolean take(String sign) {
    boolean taken = text.startsWith(sign, at);
    if (taken) {
      at += sign.length();
      blanks();
    }
    return taken;
  }

  private @Nullable String match(Pattern pattern) {
    Matcher matcher = pattern.matcher(text).region(at, text.length());
    if (!matcher.lookingAt()) {
      return null;
    }
    at = matcher.end();
    return matcher.group();
  }

  private void blanks() {
    match(BLANKS);
  }

  private Set<String> mean(List<Statement> statements) {
    Set<String> all = new LinkedHashSet<>();
    for (Statement statement : statements) {
      List<Set<String>> sets = new ArrayList<>();
      for (Object part : statement.parts) {
        sets.add(part instanceof Group group ? mean(group.statements) : vertex((String) part));
      }
      sets.forEach(all::addAll);
      for (int i = 0; i < statement.arrows.size(); i++) {
        for (String one : sets.get(i)) {
          for (String other : sets.get(i + 1)) {
            meaning.edges.add(edge(one, statement.arrows.get(i), other));
          }
        }
      }
      if (statement.arrows.isEmpty() && !sets.isEmpty()) {
        statement.keys.forEach(key -> mark(sets.get(0).iterator().next(), key));
      }
    }
    return all;
  }

  private Set<String> vertex(String name) {
    require(!name.equals("graph") && !name.equals("node"));
    meaning.nodes.add(name);
    return Set.of(name);
  }

  private static String edge(String one, String arrow, String other) {
    return switch (arrow) {
      case "->" -> one + " -> " + other;
      case "<-" -> other + " -> " + one;
      case "<->" -> Meaning.pair(one, other);
      default -> one + " " + arrow + " " + other;
    };
  }

  private void mark(String node, String key) {
    switch (key) {
      case "latent", "l", "unobserved", "u" -> meaning.latent.add(node);
      case "selected", "s" -> meaning.selected.add(node);
      default -> {}
    }
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new IllegalArgumentException();
    }
  }
}
