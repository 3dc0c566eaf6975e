package io.equipoise.http;

import io.javalin.http.Context;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Answers requests with metrics in the text format of Prometheus. */
public final class MetricsText {
  private static final PrometheusTextFormatWriter WRITER = PrometheusTextFormatWriter.create();

  private MetricsText() {}

  /** Answers with the present values of a registry. */
  public static void answer(Context request, PrometheusRegistry registry) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      WRITER.write(text, registry.scrape(), EscapingScheme.ALLOW_UTF8);
    } catch (IOException e) {
      throw new UncheckedIOException("a text in memory", e);
    }
    request.contentType(WRITER.getContentType()).result(text.toByteArray());
  }
}
