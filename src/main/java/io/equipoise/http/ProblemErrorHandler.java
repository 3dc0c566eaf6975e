package io.equipoise.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Writes the errors that the server finds before a route does, such as an oversized header. */
final class ProblemErrorHandler extends ErrorHandler {
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
    response.write(true, ByteBuffer.wrap(document(status)), callback);
  }

  private static byte[] document(int status) {
    Problem general = Problem.of(HttpCode.of(status), null);
    Problem problem =
        new Problem(status, general.code(), general.title(), null, general.remedy(), 0);
    return JsonBody.bytes(problem.json());
  }
}
