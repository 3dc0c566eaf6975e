package io.equipoise.remote;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for an answer with its whole body, for a limited time and a limited size. The timeout of a
 * request of the JDK ends at the headers.
 */
public final class WholeAnswer {
  private WholeAnswer() {}

  /**
   * Sends a request and returns its answer with the whole body. The exchange has ended when this
   * method returns or throws.
   *
   * @param timeout from the call of this method to the last byte of the body
   * @param mostMebibytes limit of the body, MiB
   * @throws HttpTimeoutException if the last byte does not arrive within the timeout
   * @throws IOException if the body exceeds its limit, or the exchange fails
   */
  public static HttpResponse<byte[]> of(
      HttpClient http, HttpRequest request, Duration timeout, int mostMebibytes)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> answer =
        http.sendAsync(request, any -> new LimitedBody(mostMebibytes));
    try {
      return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      HttpTimeoutException over = new HttpTimeoutException("the timeout is over");
      over.initCause(e);
      throw over;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException(String.valueOf(e.getCause()), e);
    } finally {
      answer.cancel(true);
    }
  }

  /** Collects a body, and fails once it is longer than its limit. */
  private static final class LimitedBody implements BodySubscriber<byte[]> {
    private final BodySubscriber<byte[]> body = BodySubscribers.ofByteArray();
    private final int mostMebibytes;
    private long left;
    private Runnable cancel = () -> {};

    LimitedBody(int mostMebibytes) {
      this.mostMebibytes = mostMebibytes;
      left = (long) mostMebibytes << 20;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
      return body.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      cancel = given::cancel;
      body.onSubscribe(given);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      left -= buffers.stream().mapToLong(ByteBuffer::remaining).sum();
      if (left >= 0) {
        body.onNext(buffers);
      } else {
        cancel.run();
        body.onError(new IOException("the answer is longer than " + mostMebibytes + " MiB"));
      }
    }

    @Override
    public void onError(Throwable failure) {
      body.onError(failure);
    }

    @Override
    public void onComplete() {
      body.onComplete();
    }
  }
}
