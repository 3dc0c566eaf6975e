package io.equipoise.console;

import io.equipoise.http.HttpCode;
import io.equipoise.http.ProblemException;
import io.equipoise.http.TokenScope;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page: files of the class path, nothing else. Scripts of libraries come from WebJars
 * under the path that they have there.
 */
final class PageFiles {
  private static final String FOLDER = "/console";
  private static final String WEBJARS = "/META-INF/resources/webjars";

  /** No dot at the beginning of a name, so that no path leaves its folder. */
  private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9_-][A-Za-z0-9._-]*)+");

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self';"
          + " frame-ancestors 'none'";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "mjs", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml",
          "woff2", "font/woff2",
          "png", "image/png");

  void routes(RoutesConfig routes) {
    routes.get("/", request -> serve(request, FOLDER + "/index.html"), TokenScope.PUBLIC);
    for (String path : new String[] {"/{file}", "/js/{file}", "/css/{file}", "/fonts/{file}"}) {
      routes.get(path, request -> serve(request, FOLDER + safe(request.path())), TokenScope.PUBLIC);
    }
    routes.get(
        "/webjars/<file>",
        request -> {
          String path = safe(request.path());
          serve(request, WEBJARS + path.substring("/webjars".length()));
        },
        TokenScope.PUBLIC);
  }

  /** Adds the headers that keep other pages and inline scripts out. */
  static void secure(Context request) {
    request
        .header("Content-Security-Policy", POLICY)
        .header("X-Content-Type-Options", "nosniff")
        .header("Referrer-Policy", "no-referrer");
  }

  private static String safe(String path) {
    if (!PATH.matcher(path).matches()) {
      throw new ProblemException(HttpCode.NOT_FOUND, path);
    }
    return path;
  }

  private static void serve(Context request, String resource) {
    String type = TYPES.get(resource.substring(resource.lastIndexOf('.') + 1));
    byte[] content = type == null ? null : read(resource);
    if (type == null || content == null) {
      throw new ProblemException(HttpCode.NOT_FOUND, request.path());
    }
    secure(request);
    request.header("Cache-Control", "no-cache").contentType(type).result(content);
  }

  private static byte @Nullable [] read(String resource) {
    try (InputStream in = PageFiles.class.getResourceAsStream(resource)) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + resource + " of the class path", e);
    }
  }
}
