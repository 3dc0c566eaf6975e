package io.equipoise.console.document;

import io.equipoise.console.state.Aggregator;
import io.equipoise.console.state.SegmentHistory;
import io.equipoise.console.state.TimeAxis;
import io.equipoise.http.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lists the segments that a search finds, sorted, one page of them. */
public final class OverviewDocument {
  /** The largest page. */
  public static final int MOST_ROWS = 200;

  private static final long KEPT_MILLIS = 3_000;
  private static final Comparator<@Nullable String> TEXTS =
      Comparator.nullsFirst(Comparator.<String>naturalOrder());
  private static final Comparator<@Nullable Double> NUMBERS =
      Comparator.nullsFirst(Comparator.<Double>naturalOrder());

  private static final Map<String, Comparator<OverviewRow>> ORDERS =
      Map.ofEntries(
          Map.entry("name", Comparator.comparing(OverviewRow::name)),
          Map.entry("policy", Comparator.comparing(OverviewRow::policy, TEXTS)),
          Map.entry("rate", Comparator.comparingDouble(OverviewRow::rate)),
          Map.entry("meanReward", number(OverviewRow::meanReward)),
          Map.entry("certifiedShare", number(OverviewRow::certifiedShare)),
          Map.entry(
              "violations", Comparator.comparingLong((OverviewRow it) -> it.violations().window())),
          Map.entry("unfair", Comparator.comparingLong(OverviewRow::unfair)),
          Map.entry("fallbackShare", number(OverviewRow::fallbackShare)),
          Map.entry("groupGap", number(OverviewRow::groupGap)),
          Map.entry(
              "specVersion",
              number(
                  row -> row.specVersion() == null ? null : (Double) (double) row.specVersion())),
          Map.entry("deadLetters", Comparator.comparingLong(OverviewRow::deadLetters)),
          Map.entry(
              "attention",
              Comparator.comparingInt(OverviewRow::rank).thenComparingLong(OverviewRow::unfair)));

  private final Aggregator aggregator;
  private volatile Kept kept = new Kept(List.of(), 0);

  /** Caches the rows of all segments at a time, epoch ms. */
  private record Kept(List<OverviewRow> rows, long at) {}

  /** Prepares documents; keeps the rows for some seconds, because each needs the whole history. */
  public OverviewDocument(Aggregator aggregator) {
    this.aggregator = aggregator;
  }

  private static Comparator<OverviewRow> number(Function<OverviewRow, @Nullable Double> key) {
    return Comparator.comparing(key, NUMBERS);
  }

  /**
   * Selects and orders the rows to show.
   *
   * @param search part of a name or policy, in any case; empty for all
   * @param sort a key of {@link #orders}
   * @param isOnlyMarked whether to leave out segments without a mark
   */
  public record Query(
      String search,
      String sort,
      boolean isDescending,
      boolean isOnlyMarked,
      int limit,
      int offset) {
    /** Returns the first page, marked segments first. */
    public static Query first() {
      return new Query("", "attention", true, false, 50, 0);
    }
  }

  /** Returns the keys by which rows can be sorted. */
  public static List<String> orders() {
    return ORDERS.keySet().stream().sorted().toList();
  }

  private List<OverviewRow> rows(long now) {
    if (Math.abs(now - kept.at()) >= KEPT_MILLIS) {
      refresh(now);
    }
    return kept.rows();
  }

  /** Computes the rows again, each by itself, so that records and requests need not wait long. */
  public void refresh(long now) {
    List<SegmentHistory> segments = aggregator.read(all -> List.copyOf(all.segments()));
    kept =
        new Kept(
            segments.stream()
                .map(it -> aggregator.read(all -> OverviewRow.of(it, all.axis(), now)))
                .toList(),
            now);
  }

  /** Makes the document. */
  public Json json(Query query, long now) {
    TimeAxis axis = aggregator.axis();
    List<OverviewRow> all = rows(now);
    List<OverviewRow> found = new ArrayList<>(all);
    String search = query.search().toLowerCase(Locale.ROOT);
    found.removeIf(row -> query.isOnlyMarked() && row.attention().isEmpty());
    found.removeIf(
        row ->
            !row.name().toLowerCase(Locale.ROOT).contains(search)
                && !String.valueOf(row.policy()).toLowerCase(Locale.ROOT).contains(search));
    Comparator<OverviewRow> order =
        ORDERS.getOrDefault(query.sort(), Comparator.comparing(OverviewRow::name));
    found.sort((query.isDescending() ? order.reversed() : order).thenComparing(OverviewRow::name));
    Json totals =
        Json.of()
            .with("segments", all.size())
            .with("rate", all.stream().mapToDouble(OverviewRow::rate).sum())
            .with("needAttention", all.stream().filter(row -> row.rank() > 1).count())
            .with("deadLetters", aggregator.read(it -> it.rejections().total()))
            .with("recordsLeftOut", aggregator.recordsLeftOut())
            .with("unreadable", aggregator.unreadable());
    return Json.of(query)
        .with("now", now)
        .with("totals", totals)
        .with("total", found.size())
        .with("sparkTimes", axis.starts(axis.bucketOf(now), OverviewRow.SPARK_BUCKETS))
        .with("rows", found.stream().skip(query.offset()).limit(query.limit()).toList());
  }
}
