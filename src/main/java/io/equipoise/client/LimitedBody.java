package io.equipoise.client;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * Collects the body of an answer, and fails once it is longer than {@value #MEBIBYTES} MiB. The
 * longest answer of a gateway with its default options is shorter: 100 decisions among 10,000 arms.
 */
final class LimitedBody implements BodySubscriber<byte[]> {
  private static final int MEBIBYTES = 128;

  private final BodySubscriber<byte[]> body = BodySubscribers.ofByteArray();
  private long left = (long) MEBIBYTES << 20;
  private Runnable cancel = () -> {};

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
      body.onError(new IOException("the answer is longer than " + MEBIBYTES + " MiB"));
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
