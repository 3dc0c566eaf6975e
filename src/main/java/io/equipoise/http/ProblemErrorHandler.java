package io.equipoise.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Writes the errors that the server finds before a route does, such as an oversized header. */
final class ProblemErrorHandler extends ErrorHandler {
  /** A reason of the server in words, without names of classes. */
  private static final Pattern PLAIN = Pattern.compile("[\\w ,:=<>'-]{1,100}");

  private final int maxRequestBytes;
  private final int maxHeaderBytes;

  ProblemErrorHandler(int maxRequestBytes, int maxHeaderBytes) {
    this.maxRequestBytes = maxRequestBytes;
    this.maxHeaderBytes = maxHeaderBytes;
  }

  @Override
  public boolean errorPageForMethod(String method) {
    return true;
  }

  @Override
  protected void generateResponse(
      Request request,
      Response response,
      int status,
      @Nullable String message,
      @Nullable Throwable cause,
      Callback callback)
      throws IOException {
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.MEDIA_TYPE);
    HttpCode code = HttpCode.of(status);
    if (code == HttpCode.NOT_READY) {
      response.getHeaders().put(HttpHeader.RETRY_AFTER, 1);
    }
    response.write(true, ByteBuffer.wrap(document(status, message)), callback);
  }

  private byte[] document(int status, @Nullable String message) {
    Problem general = Problem.of(HttpCode.of(status), null);
    String detail = detail(status, message);
    Problem problem =
        new Problem(status, general.code(), general.title(), detail, general.remedy(), 0);
    return JsonBody.bytes(problem.json());
  }

  private @Nullable String detail(int status, @Nullable String message) {
    return switch (status) {
      case 400 ->
          "the request is no valid HTTP message"
              + (message != null && PLAIN.matcher(message).matches() ? ": " + message : "");
      case 413 -> "the body has more than %d bytes".formatted(maxRequestBytes);
      case 414, 431 ->
          "the request line and the headers have more than %d bytes".formatted(maxHeaderBytes);
      default -> null;
    };
  }
}
