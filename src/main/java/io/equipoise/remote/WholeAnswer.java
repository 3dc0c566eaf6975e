package io.equipoise.remote;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.security.InvalidAlgorithmParameterException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/**
 * Waits for a response with its whole body, for a limited time and a limited size. The timeout of a
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

  /** Names a failure in words, without the names of classes. */
  public static String words(IOException failure) {
    List<Throwable> causes =
        Stream.iterate((Throwable) failure, Objects::nonNull, Throwable::getCause).toList();
    Predicate<Class<?>> isOf = type -> causes.stream().anyMatch(type::isInstance);
    if (failure instanceof HttpTimeoutException) {
      return "the timeout is over";
    }
    if (failure instanceof ConnectException) {
      return isOf.test(UnresolvedAddressException.class)
          ? "the host name has no address"
          : "no connection";
    }
    if (isOf.test(CertPathBuilderException.class) || isOf.test(CertPathValidatorException.class)) {
      return "no TLS connection: the certificate of the server is not trusted";
    }
    if (isOf.test(InvalidAlgorithmParameterException.class)) {
      return "no TLS connection: the trust store has no certificate that can be read without its"
          + " password";
    }
    boolean isPlain =
        causes.stream().anyMatch(it -> String.valueOf(it.getMessage()).contains("plaintext"));
    if (isPlain) {
      return "no TLS connection: the server answers without TLS; is its address http://?";
    }
    if (isOf.test(SSLException.class)) {
      // A TLS failure while the JDK waits for headers is the cause of an exception with other
      // words.
      return causes.stream()
          .dropWhile(cause -> !(cause instanceof SSLException))
          .map(Throwable::getMessage)
          .filter(Objects::nonNull)
          .reduce("no TLS connection", (outer, inner) -> "no TLS connection: " + inner);
    }
    if (isOf.test(ProtocolException.class)) {
      return "the answer is no HTTP";
    }
    if (isOf.test(EOFException.class)
        || isOf.test(SocketException.class)
        || isOf.test(ClosedChannelException.class)) {
      return "the connection was closed before the whole answer";
    }
    return Objects.requireNonNullElse(failure.getMessage(), "the exchange failed");
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
