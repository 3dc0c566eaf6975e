package io.equipoise.causal;

import io.equipoise.causal.TextScanner.Token;
import io.equipoise.event.Decimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Reads one BIF text by recursive descent; see {@link BifFormat} for the syntax. Belongs to one
 * text and collects its variables and tables while it reads.
 */
final class BifReader {
  private static final List<String> SYMBOLS = List.of("{", "}", "[", "]", "(", ")", "|", ",", ";");

  /** Printed characters; networks of others name levels such as {@code <5} without quotes. */
  private static final Pattern WORDS =
      Pattern.compile("[^\"{}\\[\\]()|,;\\p{Z}\\p{C}]+", Pattern.UNICODE_CHARACTER_CLASS);

  private final TextScanner in;
  private final Map<String, Variable> variables = new LinkedHashMap<>();
  private final Map<String, Token> declared = new LinkedHashMap<>();
  private final Map<String, Cpt> cpts = new LinkedHashMap<>();
  private final double rowTolerance;
  private final Map<String, Token> blocks = new HashMap<>();
  private int cellsLeft = BifFormat.MAX_CELLS;
  private boolean isNamed;

  BifReader(String text, double rowTolerance) {
    this.rowTolerance = rowTolerance;
    in =
        new TextScanner(
            text, SYMBOLS, List.of("//"), WORDS, "word; remove it", DistributionException::new);
  }

  KnownDistributions network() {
    while (!in.atEnd()) {
      Token block = in.peek();
      switch (in.name("'network', 'variable' or 'probability'")) {
        case "network" -> networkBlock(block);
        case "variable" -> variableBlock();
        case "probability" -> probabilityBlock(block);
        default ->
            throw in.at(
                block, "expected 'network', 'variable' or 'probability', found " + block.shown());
      }
    }
    try {
      return KnownDistributions.of(variables.values(), cpts.values());
    } catch (GraphException e) {
      String fault = String.valueOf(e.getMessage());
      Token block = e.cycle().isEmpty() ? null : blocks.get(e.cycle().get(1));
      throw block == null ? new DistributionException(fault) : in.at(block, fault);
    }
  }

  /** Rejects a network without a variable, or without a table that nothing replaces. */
  void requireTables(Predicate<String> isReplaced) {
    if (variables.isEmpty()) {
      throw in.at(in.peek(), "no variable block; is the file cut?");
    }
    declared.forEach(
        (name, place) -> {
          if (!cpts.containsKey(name) && !isReplaced.test(name)) {
            throw in.at(place, "no probability block of \"" + name + "\"; is the file cut?");
          }
        });
  }

  private void networkBlock(Token block) {
    if (isNamed) {
      throw in.at(block, "a second network block; give each network a file");
    }
    isNamed = true;
    in.name("the network's name");
    in.expect("{");
    while (!in.take("}")) {
      property();
    }
  }

  private void variableBlock() {
    Token place = in.peek();
    String name = in.name("a variable");
    List<String> levels = new ArrayList<>();
    in.expect("{");
    while (!in.take("}")) {
      if (in.atKeyword("type")) {
        Token type = in.next();
        if (!levels.isEmpty()) {
          throw in.at(type, "the levels of this variable are given twice");
        }
        levels.addAll(levels());
      } else {
        property();
      }
    }
    Variable variable = located(place, () -> new Variable(name, levels));
    if (variables.putIfAbsent(name, variable) != null) {
      throw in.at(place, "variable \"" + name + "\" is declared twice");
    }
    declared.put(name, place);
  }

  private List<String> levels() {
    if (!in.atKeyword("discrete")) {
      throw in.expected("'discrete'");
    }
    in.next();
    in.expect("[");
    Token count = in.peek();
    String declared = in.name("the number of levels");
    in.expect("]");
    in.expect("{");
    List<String> levels = namesUntil("}", "a level");
    in.expect(";");
    if (!declared.equals(Integer.toString(levels.size()))) {
      throw in.at(count, "declares " + declared + " levels, lists " + levels.size());
    }
    return levels;
  }

  private void probabilityBlock(Token block) {
    in.expect("(");
    Variable child = variable();
    if (!in.take("|")) {
      in.take(","); // older forms have no bar
    }
    List<Variable> parents = new ArrayList<>();
    while (!in.take(")")) {
      Token place = in.peek();
      Variable parent = variable();
      if (parent.equals(child) || parents.contains(parent)) { // before its table is allocated
        throw in.at(place, "variable " + place.shown() + " occurs twice in this block");
      }
      parents.add(parent);
      in.take(",");
    }
    if (cpts.containsKey(child.name())) {
      throw in.at(block, "a second probability block for \"" + child.name() + "\"");
    }
    long cells = located(block, () -> Cpt.cells(child, parents));
    if (cells > cellsLeft) {
      throw in.at(block, "more than " + BifFormat.MAX_CELLS + " probabilities in one network");
    }
    cellsLeft -= (int) cells;
    double[] table = table(child, parents, (int) cells);
    for (int cell = 0; cell < table.length; cell += child.size()) {
      if (Double.isNaN(table[cell])) {
        throw in.at(block, missing(child, parents, cell / child.size()));
      }
    }
    blocks.put(child.name(), block);
    cpts.put(child.name(), located(block, () -> new Cpt(child, parents, table, rowTolerance)));
  }

  private double[] table(Variable child, List<Variable> parents, int cells) {
    int size = child.size();
    double[] table = new double[cells];
    Arrays.fill(table, Double.NaN);
    double[] defaults = {};
    in.expect("{");
    while (!in.take("}")) {
      Token place = in.peek();
      if (in.take("(")) {
        int row = row(parents);
        if (!Double.isNaN(table[row * size])) {
          throw in.at(place, "this row is given twice");
        }
        System.arraycopy(numbers(size), 0, table, row * size, size);
      } else if (in.atKeyword("table")) {
        in.next();
        if (Arrays.stream(table).anyMatch(p -> !Double.isNaN(p))) {
          throw in.at(place, "a table after rows or another table");
        }
        transpose(numbers(cells), size, table);
      } else if (in.atKeyword("default")) {
        in.next();
        if (defaults.length > 0) {
          throw in.at(place, "the default row is given twice");
        }
        defaults = numbers(size);
      } else {
        property();
      }
    }
    for (int cell = 0; defaults.length > 0 && cell < cells; cell++) {
      table[cell] = Double.isNaN(table[cell]) ? defaults[cell % size] : table[cell];
    }
    return table;
  }

  private static String missing(Variable child, List<Variable> parents, int row) {
    if (parents.isEmpty()) {
      return "P(" + child.name() + ") has no probabilities; give them as table";
    }
    List<String> levels = new ArrayList<>();
    int rest = row;
    for (int i = parents.size() - 1; i >= 0; i--) {
      levels.add(0, parents.get(i).levels().get(rest % parents.get(i).size()));
      rest /= parents.get(i).size();
    }
    return "P(%s | %s) has no row (%s); give every row, or default"
        .formatted(
            child.name(),
            String.join(", ", parents.stream().map(Variable::name).toList()),
            String.join(", ", levels));
  }

  /** Reorders from child slowest to child fastest. */
  private static void transpose(double[] numbers, int size, double[] table) {
    int rows = numbers.length / size;
    for (int i = 0; i < numbers.length; i++) {
      table[(i % rows) * size + i / rows] = numbers[i];
    }
  }

  private int row(List<Variable> parents) {
    int row = 0;
    for (Variable parent : parents) {
      Token place = in.peek();
      String level = in.name("a level of \"" + parent.name() + "\"");
      row = row * parent.size() + located(place, () -> parent.indexOf(level));
      in.take(",");
    }
    in.expect(")");
    return row;
  }

  /** Reads exactly the given number, so that a text cannot cause a larger allocation. */
  private double[] numbers(int count) {
    double[] numbers = new double[count];
    for (int i = 0; i < count; i++) {
      Token place = in.peek();
      String number = in.name("probability " + (i + 1) + " of " + count);
      numbers[i] = Decimal.of(number);
      if (!(numbers[i] >= 0 && numbers[i] <= 1)) {
        throw in.at(place, "expected a probability between 0 and 1, found " + number);
      }
      in.take(",");
    }
    in.expect(";");
    return numbers;
  }

  private Variable variable() {
    Token place = in.peek();
    Variable found = variables.get(in.name("a variable"));
    if (found == null) {
      throw in.at(place, "no earlier variable block for " + place.shown());
    }
    return found;
  }

  private List<String> namesUntil(String close, String what) {
    List<String> names = new ArrayList<>();
    while (!in.take(close)) {
      names.add(in.name(what));
      in.take(",");
    }
    return names;
  }

  private void property() {
    if (!in.atKeyword("property")) {
      throw in.expected("'property', another entry of this block, or '}'");
    }
    while (!in.take(";")) {
      if (in.atEnd()) {
        throw in.expected("';'");
      }
      in.next();
    }
  }

  private <T> T located(Token place, Supplier<T> made) {
    try {
      return made.get();
    } catch (DistributionException e) {
      throw in.at(place, e.getMessage());
    }
  }
}
