package io.equipoise.lab.bench;

import io.equipoise.cli.TextTable;
import java.util.List;
import java.util.Locale;

/**
 * Summarizes the answers of one server under one load. Times are ms.
 *
 * @param server {@code gateway}, {@code identity}, or {@code job}: the time from the append of a
 *     context until a consumer sees its decision
 * @param load {@code 16 connections} or {@code 200/s}
 * @param failed answers that are not in the times
 */
record GatewayRow(
    String server,
    String load,
    int requests,
    double perSecond,
    double p50,
    double p99,
    double max,
    int failed) {

  /**
   * Summarizes answers.
   *
   * @throws IllegalStateException if there are none
   */
  static GatewayRow of(String server, String load, GatewayLoad.Measured measured) {
    if (measured.millis().isEmpty()) {
      throw new IllegalStateException(
          "%s answered none of %d requests at %s".formatted(server, measured.failed(), load));
    }
    return new GatewayRow(
        server,
        load,
        measured.millis().size(),
        measured.perSecond(),
        Series.quantile(measured.millis(), Double::doubleValue, .5),
        Series.quantile(measured.millis(), Double::doubleValue, .99),
        Series.quantile(measured.millis(), Double::doubleValue, 1),
        measured.failed());
  }

  static TextTable table(List<GatewayRow> rows) {
    TextTable table =
        new TextTable(
            "server", "load", "requests", "requests/s", "p50 ms", "p99 ms", "max ms", "failed");
    for (GatewayRow row : rows) {
      table.row(
          row.server,
          row.load,
          Integer.toString(row.requests),
          String.format(Locale.ROOT, "%.0f", row.perSecond),
          millis(row.p50),
          millis(row.p99),
          millis(row.max),
          Integer.toString(row.failed));
    }
    return table;
  }

  private static String millis(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
