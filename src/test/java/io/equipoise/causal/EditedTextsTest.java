package io.equipoise.causal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.hostile.OneEdit;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A text with one character changed is refused, or read as its reference grammar reads it. */
class EditedTextsTest {
  private static final int EDITS = Tier.count(300, 10_000);
  private static final String SIGNS =
      "@~|<>-=*+!?:.,;'\"\\{}[]()_01eExXlusd \n\t\u00a0\u2192\u2013\u00e4\u0430\u0000\u200b";

  @Test
  void anEditedGraphIsRefusedOrReadAsDagittyReadsIt() {
    OneEdit edit =
        new OneEdit(
            List.of(
                "dag { U [latent]; U -> X; U -> Y; X -> Y }",
                "dag {\nU [latent=true]\nS [s]\n{X \"a b\"} -> M -> Y [beta=.3]\nX <- U -> S\n}",
                "dag{ bb=\"0,0,1,1\"; A [exposure,pos=\"0.1,2\"] B [o]; A <-> B <- {C D} -> F }"),
            SIGNS);
    SplittableRandom random = new SplittableRandom(41);
    int read = 0;
    for (int i = 0; i < EDITS; i++) {
      String text = edit.next(random);
      CausalGraph graph;
      try {
        graph = DagittyText.parse(text);
      } catch (GraphException e) {
        continue;
      }
      read++;
      assertEquals(DagittyGrammar.read(text), DagittyGrammar.Meaning.of(graph), text);
    }
    assertTrue(read > EDITS / 20, "read " + read);
    Tier.found(EditedTextsTest.class, "edited graphs read", read + " of " + EDITS);
  }

  @Test
  void anEditedNetworkIsRefusedOrReadAsItsFormatSays() {
    String network =
        """
        network n { property made by hand; }
        variable A { type discrete [ 2 ] { a, <5 }; }
        variable B { type discrete [ 3 ] { b0, b1, b2 }; }
        probability ( A ) { table 0.25, 0.75; }
        probability ( B | A ) { (a) 0.1, 0.2, 0.7; (<5) 5e-1, 0.5, 0; }
        """;
    OneEdit edit = new OneEdit(List.of(network, network.replace("(<5) 5", "default 5")), SIGNS);
    SplittableRandom random = new SplittableRandom(41);
    int read = 0;
    for (int i = 0; i < EDITS; i++) {
      String text = edit.next(random);
      KnownDistributions distributions;
      try {
        distributions = BifFormat.read(text);
      } catch (DistributionException e) {
        continue;
      }
      read++;
      Map<String, Object> expected = new Interchange(text).read();
      Map<String, Object> found = new LinkedHashMap<>();
      for (Variable variable : distributions.variables()) {
        found.put(variable.name(), variable.levels());
      }
      for (Variable variable : distributions.variables()) {
        Cpt cpt = distributions.cpt(variable.name()).orElse(null);
        if (cpt != null) {
          found.put("P " + variable.name(), Arrays.stream(cpt.table()).boxed().toList());
        }
      }
      assertEquals(expected, found, text);
    }
    assertTrue(read > EDITS / 20, "read " + read);
    Tier.found(EditedTextsTest.class, "edited networks read", read + " of " + EDITS);
  }

  /** The interchange format without errors: commas and bars are blanks (Cozman 1998). */
  private static final class Interchange {
    private static final Pattern TOKEN =
        Pattern.compile("\"([^\"]*)\"|[{}\\[\\]();]|[^\"{}\\[\\]();,|\\s]+");

    private final List<String> tokens = new ArrayList<>();
    private final Map<String, Object> found = new LinkedHashMap<>();
    private final Map<String, List<Double>> defaults = new LinkedHashMap<>();
    private int at;

    Interchange(String text) {
      Matcher matcher = TOKEN.matcher(text);
      while (matcher.find()) {
        tokens.add(matcher.group(1) == null ? matcher.group() : matcher.group(1));
      }
    }

    Map<String, Object> read() {
      while (at < tokens.size()) {
        String block = tokens.get(at++);
        String name = block.equals("probability") ? "" : tokens.get(at++);
        switch (block) {
          case "variable" -> variable(name);
          case "probability" -> probability();
          default -> at = until("}") + 1;
        }
      }
      return found;
    }

    private void variable(String name) {
      at++;
      while (!tokens.get(at).equals("}")) {
        int end = until(";");
        if (tokens.get(at).equals("type")) {
          found.put(name, List.copyOf(tokens.subList(until("{") + 1, until("}"))));
        }
        at = end + 1;
      }
      at++;
    }

    private void probability() {
      List<String> names = List.copyOf(tokens.subList(at + 1, until(")")));
      at = until("{") + 1;
      List<String> levels = levels(names.get(0));
      List<String> rows = new ArrayList<>(List.of(""));
      for (String parent : names.subList(1, names.size())) {
        List<String> longer = new ArrayList<>();
        rows.forEach(row -> levels(parent).forEach(level -> longer.add(row + level + " ")));
        rows = longer;
      }
      Map<String, List<Double>> entries = new LinkedHashMap<>();
      while (!tokens.get(at).equals("}")) {
        int end = until(";");
        String word = tokens.get(at);
        if (word.equals("(")) {
          int close = until(")");
          String row = String.join(" ", tokens.subList(at + 1, close)) + " ";
          entries.put(row, numbers(close + 1, end));
        } else if (word.equals("table")) {
          List<Double> table = numbers(at + 1, end);
          for (int row = 0; row < rows.size(); row++) {
            List<Double> entry = new ArrayList<>();
            for (int level = 0; level < levels.size(); level++) {
              entry.add(table.get(level * rows.size() + row));
            }
            entries.put(rows.get(row), entry);
          }
        } else if (word.equals("default")) {
          defaults.put(names.get(0), numbers(at + 1, end));
        }
        at = end + 1;
      }
      at++;
      List<Double> table = new ArrayList<>();
      for (String row : rows) {
        List<Double> entry = entries.getOrDefault(row, defaults.get(names.get(0)));
        assertNotNull(entry, row);
        table.addAll(entry);
      }
      found.put("P " + names.get(0), table);
    }

    private static List<Double> parsed(List<String> texts) {
      return texts.stream().map(it -> new BigDecimal(it).doubleValue()).toList();
    }

    private List<Double> numbers(int from, int to) {
      return parsed(tokens.subList(from, to));
    }

    private List<String> levels(String variable) {
      return ((List<?>) found.getOrDefault(variable, List.of()))
          .stream().map(String::valueOf).toList();
    }

    private int until(String sign) {
      int to = at;
      while (!tokens.get(to).equals(sign)) {
        to++;
      }
      return to;
    }
  }
}
