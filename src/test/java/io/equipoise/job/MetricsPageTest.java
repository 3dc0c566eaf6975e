package io.equipoise.job;

import io.equipoise.Docs;
import org.junit.jupiter.api.Test;

class MetricsPageTest {
  private static final String START = "<!-- metrics:start -->\n";
  private static final String END = "<!-- metrics:end -->";

  /** Run with {@code -Dequipoise.write-docs=true} to write the table instead of comparing it. */
  @Test
  void thePageHasEveryMetric() throws Exception {
    Docs.assertGenerated(
        "docs/reference/metrics.md", MetricsPageTest.class, MetricsPageTest::withTable);
  }

  private static String withTable(String page) {
    int start = page.indexOf(START) + START.length();
    return page.substring(0, start) + JobMetric.markdown() + page.substring(page.indexOf(END));
  }
}
