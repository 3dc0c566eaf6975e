package io.equipoise.causal;

import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits a text into words, quoted words and symbols with their positions. The state is the
 * position and the next token, which has been scanned already.
 *
 * <p>Skips blanks, tabs and line ends, line comments, and C block comments. The reader declares
 * what a word is; what is neither a word nor a symbol is an error, because a mark that nobody
 * understands must not become a name. Quoted words have no control characters, and a backslash only
 * before a quote or a backslash. Every error has line and column, both from 1.
 */
final class TextScanner {
  /** Characters up to the next one that can be part of something known. */
  private static final Pattern UNKNOWN = Pattern.compile("[^\\s\\w\"{}\\[\\];,]*");

  /**
   * One piece of the text; {@code isName} for words, quoted or not.
   *
   * @param isFirst nothing is before it on its line
   */
  record Token(String text, boolean isName, boolean isQuoted, int offset, boolean isFirst) {
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
  private final Pattern words;
  private final String known;
  private final Function<String, ? extends RuntimeException> fault;
  private int offset;
  private boolean isFirst = true;
  private Token token;

  /**
   * {@code symbols} and {@code lineComments} are tried in order, so longer ones come first.
   *
   * @param words what a word without quotes is
   * @param known what the error about other characters allows, and the fix
   */
  TextScanner(
      String text,
      List<String> symbols,
      List<String> lineComments,
      Pattern words,
      String known,
      Function<String, ? extends RuntimeException> fault) {
    this.text = text;
    this.symbols = symbols;
    this.lineComments = lineComments;
    this.words = words;
    this.known = known;
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
      return new Token("", false, false, from, isFirst);
    }
    if (text.charAt(from) == '"') {
      return quoted(from);
    }
    for (String symbol : symbols) {
      if (text.startsWith(symbol, from)) {
        offset += symbol.length();
        return new Token(symbol, false, false, from, isFirst);
      }
    }
    Matcher word = words.matcher(text).region(from, text.length());
    if (!word.lookingAt()) {
      Matcher unknown = UNKNOWN.matcher(text).region(from, text.length());
      int to = unknown.lookingAt() ? Math.max(unknown.end(), from + 1) : from + 1;
      throw atOffset(from, "'" + text.substring(from, to) + "' is no " + known);
    }
    offset = word.end();
    for (int at = from + 1; at < offset; at++) {
      if (startsAny(symbols, at) || startsAny(lineComments, at) || text.startsWith("/*", at)) {
        offset = at;
      }
    }
    return new Token(text.substring(from, offset), true, false, from, isFirst);
  }

  private Token quoted(int from) {
    StringBuilder name = new StringBuilder();
    for (offset = from + 1; offset < text.length(); offset++) {
      char c = text.charAt(offset);
      if (c == '"') {
        offset++;
        return new Token(name.toString(), true, true, from, isFirst);
      }
      boolean isEscape = text.startsWith("\\\"", offset) || text.startsWith("\\\\", offset);
      if (Character.isISOControl(c) || (c == '\\' && !isEscape) || isUnpaired(offset)) {
        throw atOffset(offset, "a quoted name has no line end, control character or backslash");
      }
      name.append(isEscape ? text.charAt(++offset) : c);
    }
    throw atOffset(from, "expected '\"' at the end of a quoted name, found the end");
  }

  private boolean isUnpaired(int at) {
    int c = text.codePointAt(at);
    boolean isSecond =
        Character.isLowSurrogate(text.charAt(at)) && Character.isHighSurrogate(text.charAt(at - 1));
    return !isSecond && c <= Character.MAX_VALUE && Character.isSurrogate((char) c);
  }

  private void skip() {
    isFirst = offset == 0;
    while (offset < text.length()) {
      if (" \t\r\n".indexOf(text.charAt(offset)) >= 0) {
        isFirst |= text.charAt(offset) == '\n';
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

  private boolean startsAny(List<String> starts, int at) {
    for (String start : starts) {
      if (text.startsWith(start, at)) {
        return true;
      }
    }
    return false;
  }
}
