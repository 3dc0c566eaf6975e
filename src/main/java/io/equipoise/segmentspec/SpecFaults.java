package io.equipoise.segmentspec;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.snakeyaml.engine.v2.exceptions.Mark;

/** Collects the errors of a text while it is read. */
final class SpecFaults {
  /** Maximum number of reported errors, which a text that is no spec would exceed. */
  static final int MAX_FAULTS = 200;

  /** Separates the path of a place from its line. */
  static final String LINE = ", line ";

  private static final int MAX_SHOWN = 80;

  private final IntUnaryOperator lines;

  /** Takes a function from a line of the text to the line of the file. */
  SpecFaults(IntUnaryOperator lines) {
    this.lines = lines;
  }

  /** Returns the line of a mark in the file, counted from 1. */
  int lineOf(Optional<Mark> mark) {
    return lines.applyAsInt(mark.map(Mark::getLine).orElse(0) + 1);
  }

  private record PlacedFault(int line, SpecFault fault) {}

  private final List<PlacedFault> found = new ArrayList<>();
  private final Set<String> sections = new HashSet<>();
  private int seen;

  /** Adds a fault at a line, counted from 1. */
  void add(String path, int line, String given, String allowed) {
    seen++;
    sections.add(sectionOf(path));
    if (found.size() < MAX_FAULTS) {
      String place = path.isEmpty() ? "line " + line : path + LINE + line;
      found.add(new PlacedFault(line, new SpecFault(place, given, allowed)));
    }
  }

  boolean isEmpty() {
    return seen == 0;
  }

  /** Returns how many were added, including those beyond {@link #MAX_FAULTS}. */
  int count() {
    return seen;
  }

  /** Returns the sections with faults, those of the text as a whole under the empty name. */
  Set<String> sections() {
    return Set.copyOf(sections);
  }

  /** Returns the top-level section of a path, or of a place, which is a path and a line. */
  static String sectionOf(String path) {
    int end = 0;
    while (end < path.length() && ".[,".indexOf(path.charAt(end)) < 0) {
      end++;
    }
    return path.substring(0, end);
  }

  /** Throws if there are faults, in the order of their lines. */
  void throwIfAny() {
    if (!isEmpty()) {
      throw new SpecException(sorted());
    }
  }

  /** Returns the faults in the order of their lines. */
  List<SpecFault> sorted() {
    List<PlacedFault> sorted = new ArrayList<>(found);
    sorted.sort(Comparator.comparingInt(PlacedFault::line));
    return sorted.stream().map(PlacedFault::fault).toList();
  }

  /** Puts a value in quotes, on one line, shortened. */
  static String shown(String value) {
    int length = Math.min(value.length(), MAX_SHOWN);
    StringBuilder shown = new StringBuilder("\"");
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      shown.append(Character.isISOControl(c) || Character.isSurrogate(c) ? ' ' : c);
    }
    return shown.append(length < value.length() ? "…\"" : "\"").toString();
  }
}
