package io.equipoise.causal;

import java.util.List;
import java.util.function.Function;

/**
 * Splits a text into words, quoted words and symbols with their positions.
 *
 * <p>Skips white space, line comments, and C block comments. A word ends at white space, a quote, a
 * symbol or a comment. Every error has line and column, both from 1.
 */
final class TextScanner {
  /** One piece of the text; {@code isName} for words, quoted or not. */
  record Token(String text, boolean isName, boolean isQuoted, int offset) {
    boolean is(String symbol) {
      return !isName && text.equals(symbol);
    }

    String shown() {
      return isName ? "\"" + text + "\"" : text.isEmpty() ? "the end" : "'" + text + "'";
    }
  }

  private final String text;
  private final List<String> symbols;
  private final List<String> lineComments;
  private final Function<String, ? extends RuntimeException> fault;
  private int offset;
  private Token token;

  /** {@code symbols} and {@code lineComments} are tried in order, so longer ones come first. */
  TextScanner(
      String text,
      List<String> symbols,
      List<String> lineComments,
      Function<String, ? extends RuntimeException> fault) {
    this.text = text;
    this.symbols = symbols;
    this.lineComments = lineComments;
    this.fault = fault;
    this.token = scan();
  }

  Token peek() {
    return token;
  }

  boolean atEnd() {
    return !token.isName() && token.text().isEmpty();
  }

  boolean at(String symbol) {
    return token.is(symbol);
  }

  boolean atKeyword(String word) {
    return token.isName() && !token.isQuoted() && token.text().equals(word);
  }

  Token next() {
    Token taken = token;
    token = scan();
    return taken;
  }

  /** Consumes the symbol if it is next. */
  boolean take(String symbol) {
    boolean taken = at(symbol);
    if (taken) {
      next();
    }
    return taken;
  }

  void expect(String symbol) {
    if (!take(symbol)) {
      throw expected("'" + symbol + "'");
    }
  }

  String name(String what) {
    if (!token.isName()) {
      throw expected(what);
    }
    return next().text();
  }

  RuntimeException expected(String what) {
    return at(token, "expected " + what + ", found " + token.shown());
  }

  RuntimeException at(Token place, String message) {
    return atOffset(place.offset(), message);
  }

  private RuntimeException atOffset(int place, String message) {
    String before = text.substring(0, place);
    long line = before.chars().filter(c -> c == '\n').count() + 1;
    int column = place - before.lastIndexOf('\n');
    return fault.apply("line " + line + ", column " + column + ": " + message);
  }

  private Token scan() {
    skip();
    int from = offset;
    if (from == text.length()) {
      return new Token("", false, false, from);
    }
    if (text.charAt(from) == '"') {
      return quoted(from);
    }
    for (String symbol : symbols) {
      if (text.startsWith(symbol, from)) {
        offset += symbol.length();
        return new Token(symbol, false, false, from);
      }
    }
    while (offset < text.length() && !endsWord(offset)) {
      offset++;
    }
    return new Token(text.substring(from, offset), true, false, from);
  }

  /** A backslash escapes the next character. */
  private Token quoted(int from) {
    StringBuilder name = new StringBuilder();
    for (offset = from + 1; offset < text.length(); offset++) {
      char c = text.charAt(offset);
      if (c == '"') {
        offset++;
        return new Token(name.toString(), true, true, from);
      }
      if (c == '\\' && offset + 1 < text.length()) {
        c = text.charAt(++offset);
      }
      name.append(c);
    }
    throw atOffset(from, "expected '\"' at the end of a quoted name, found the end");
  }

  private void skip() {
    while (offset < text.length()) {
      if (Character.isWhitespace(text.charAt(offset))) {
        offset++;
      } else if (text.startsWith("/*", offset)) {
        int close = text.indexOf("*/", offset + 2);
        if (close < 0) {
          throw atOffset(offset, "expected '*/' at the end of a comment, found the end");
        }
        offset = close + 2;
      } else if (startsAny(lineComments, offset)) {
        int newline = text.indexOf('\n', offset);
        offset = newline < 0 ? text.length() : newline;
      } else {
        return;
      }
    }
  }

  private boolean endsWord(int at) {
    char c = text.charAt(at);
    return Character.isWhitespace(c)
        || c == '"'
        || text.startsWith("/*", at)
        || startsAny(symbols, at)
        || startsAny(lineComments, at);
  }

  private boolean startsAny(List<String> starts, int at) {
    for (String start : starts) {
      if (text.startsWith(start, at)) {
        return true;
      }
    }
    return false;
  }
}
