package io.equipoise.tools.cluster;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * Asks a local server whether it is ready. Accepts any certificate: it sends nothing, and only
 * reads the status.
 */
final class HttpProbe {
  private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(5).toMillis();

  private HttpProbe() {}

  /** Returns whether a GET is answered with status 200. */
  static boolean isGood(String address) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) URI.create(address).toURL().openConnection();
      if (connection instanceof HttpsURLConnection secure) {
        secure.setSSLSocketFactory(trusting().getSocketFactory());
        secure.setHostnameVerifier((host, session) -> true);
      }
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      try {
        return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return false; // it does not listen yet
    }
  }

  private static SSLContext trusting() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, SslContextFactory.TRUST_ALL_CERTS, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has TLS", e);
    }
  }
}
