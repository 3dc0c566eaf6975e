package io.equipoise.causal.estimand;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Parses the output of {@link Estimand#toText} and variants: a sum sign is {@code Σ_} or {@code
 * sum_}, factors may have a {@code ·} between them, brackets may be round, a quotient is {@code
 * a/b}. Primed names are bound copies. {@code S=1} after the bar means selected rows. Rejects terms
 * nested deeper than {@value #MAX_DEPTH}, and longer chains of quotients.
 */
public final class EstimandParser {
  /** Deeper than any identified formula, and far below a stack overflow. */
  static final int MAX_DEPTH = 200;

  private final String text;
  private int at;
  private int depth;

  private EstimandParser(String text) {
    this.text = text;
  }

  /** Returns the estimand, or throws with the position of the error. */
  public static Estimand parse(String text) {
    EstimandParser parser = new EstimandParser(text);
    Estimand estimand = parser.product();
    if (parser.at < text.length()) {
      throw parser.expected("a factor");
    }
    return estimand;
  }

  private Estimand product() {
    deeper(++depth);
    List<Estimand> factors = new ArrayList<>();
    skip("·* ");
    while (at < text.length() && ")]/".indexOf(text.charAt(at)) < 0) {
      factors.add(quotient());
      skip("·* ");
    }
    if (factors.isEmpty()) {
      throw expected("a factor");
    }
    depth--;
    return Estimand.product(factors);
  }

  private void deeper(int level) {
    if (level > MAX_DEPTH) {
      throw expected("no more than " + MAX_DEPTH + " nested terms");
    }
  }

  private Estimand quotient() {
    Estimand left = factor();
    skip(" ");
    for (int quotients = 1; take("/"); quotients++) {
      deeper(quotients);
      skip(" ");
      left = left.over(factor());
      skip(" ");
    }
    return left;
  }

  private Estimand factor() {
    if (take("Σ_") || take("sum_")) {
      return sum();
    }
    if (take("P(")) {
      return probability();
    }
    if (take("[")) {
      return closed("]");
    }
    if (take("(")) {
      return closed(")");
    }
    if (take("1")) {
      return Estimand.one();
    }
    throw expected("a factor");
  }

  private Estimand closed(String bracket) {
    Estimand inside = product();
    if (!take(bracket)) {
      throw expected("'" + bracket + "'");
    }
    return inside;
  }

  /** A bound copy reuses its name; the hidden variable must not occur inside. */
  private Estimand sum() {
    boolean isBraced = take("{");
    List<String> bound = names(isBraced ? "}" : " [");
    if (isBraced && !take("}")) {
      throw expected("'}'");
    }
    int start = at;
    Estimand body = product();
    for (String name : bound) {
      String plain = plain(name);
      String inside = text.substring(start, at);
      if (!name.equals(plain) && means(inside, plain)) {
        throw expected("no " + plain + " in a sum over " + name);
      }
    }
    return new Sum(new TreeSet<>(bound.stream().map(EstimandParser::plain).toList()), body);
  }

  private static boolean means(String inside, String plain) {
    return Pattern.compile("[(,|]" + Pattern.quote(plain) + "[,|)]").matcher(inside).find();
  }

  private Estimand probability() {
    List<String> of = names("|)");
    List<String> given = take("|") ? names(")") : new ArrayList<>();
    if (!take(")")) {
      throw expected("')'");
    }
    boolean isSelected = given.removeIf(name -> name.endsWith("=1"));
    return Estimand.probability(
        of.stream().map(EstimandParser::plain).toList(),
        given.stream().map(EstimandParser::plain).toList(),
        isSelected);
  }

  private List<String> names(String ends) {
    List<String> names = new ArrayList<>();
    StringBuilder name = new StringBuilder();
    while (at < text.length() && ends.indexOf(text.charAt(at)) < 0) {
      char c = text.charAt(at++);
      if (c == ',') {
        names.add(name.toString().strip());
        name.setLength(0);
      } else {
        name.append(c);
      }
    }
    names.add(name.toString().strip());
    if (names.contains("")) {
      throw expected("a name");
    }
    return names;
  }

  private static String plain(String name) {
    int end = name.length();
    while (end > 0 && name.charAt(end - 1) == '\'') {
      end--;
    }
    return name.substring(0, end);
  }

  private boolean take(String sign) {
    boolean isNext = text.startsWith(sign, at);
    at += isNext ? sign.length() : 0;
    return isNext;
  }

  private void skip(String signs) {
    while (at < text.length() && signs.indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private IllegalArgumentException expected(String what) {
    return new IllegalArgumentException(
        "estimand \"" + text + "\", column " + (at + 1) + ": expected " + what);
  }
}
