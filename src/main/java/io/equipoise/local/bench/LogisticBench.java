package io.equipoise.local.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Plays many rounds, and measures bytes of state and time a round in windows of equal length: both
 * should stay flat.
 */
final class LogisticBench {
  private static final int SLICE = 500;

  private final LongPlay play;
  private long played;

  LogisticBench(LongPlay play) {
    this.play = play;
  }

  /**
   * What was measured in one window.
   *
   * @param rounds played until its end
   * @param medianMicrosPerRound wall-clock time, median over slices
   * @param heapBytesAfterCollection of the whole process
   */
  record Window(
      long rounds, double medianMicrosPerRound, int stateBytes, long heapBytesAfterCollection) {}

  /** Plays so many rounds in so many windows. */
  List<Window> run(long rounds, int windows) {
    List<Window> measured = new ArrayList<>();
    for (int window = 1; window <= windows; window++) {
      long until = rounds * window / windows;
      double micros = window(until);
      measured.add(new Window(until, micros, play.stateBytes(), heap()));
    }
    return measured;
  }

  /** Says whether the state was as large at the end of every window, and is finite. */
  boolean isFlat(List<Window> windows) {
    return play.isFinite() && windows.stream().mapToInt(Window::stateBytes).distinct().count() == 1;
  }

  /** Returns what is reported, with the last window's time over that of the second. */
  static Map<String, Object> report(List<Window> windows) {
    double second = windows.get(Math.min(1, windows.size() - 1)).medianMicrosPerRound();
    Window last = windows.get(windows.size() - 1);
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("rounds", last.rounds());
    report.put("lastOverSecondWindow", last.medianMicrosPerRound() / second);
    report.put("windows", windows);
    return report;
  }

  /** Plays until a round, and returns the median over slices of the time a round takes. */
  private double window(long until) {
    List<Double> slices = new ArrayList<>();
    while (played < until) {
      long slice = Math.min(SLICE, until - played);
      long before = System.nanoTime();
      for (int i = 0; i < slice; i++) {
        play.round();
      }
      played += slice;
      slices.add((System.nanoTime() - before) / 1e3 / slice);
    }
    double[] sorted = slices.stream().mapToDouble(slice -> slice).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
