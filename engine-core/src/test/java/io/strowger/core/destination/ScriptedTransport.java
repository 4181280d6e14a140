package io.strowger.core.destination;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.Transport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Answers as it was told, 200 otherwise, and remembers what it was sent. */
public final class ScriptedTransport implements Transport {
  private static final String BROKEN = "broken body";

  private final ConcurrentLinkedQueue<Scripted> script = new ConcurrentLinkedQueue<>();
  private final LinkedBlockingQueue<Request> sent = new LinkedBlockingQueue<>();

  private volatile @Nullable String refused; // what is in a body that is always answered 500

  private record Scripted(int status, Map<String, String> headers) {}

  /** The next request is answered so, but the body breaks off. */
  public ScriptedTransport thenBroken(int status) {
    script.add(new Scripted(status, Map.of(BROKEN, "")));
    return this;
  }

  /** The next request is answered so; with 0 there is no answer, below it hangs until cancelled. */
  public ScriptedTransport then(int status, String... headers) {
    var all = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], headers[i + 1]);
    }
    script.add(new Scripted(status, all));
    return this;
  }

  /** Every request with this text in its body is answered 500 from now on; null: none. */
  public void refuse(@Nullable String text) {
    refused = text;
  }

  @Override
  public Response send(Request request) throws IOException {
    sent.add(request);
    String no = refused;
    if (no != null && body(request).toString().contains(no)) {
      return answer(new Scripted(500, Map.of()));
    }
    Scripted next = script.poll();
    if (next == null) {
      next = new Scripted(200, Map.of());
    }
    if (next.status() < 0) {
      hang(request);
    }
    if (next.status() <= 0) {
      throw new IOException("no answer from a secret address");
    }
    return answer(next);
  }

  private static final class BrokenStream extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("the connection broke off");
    }
  }

  private static void hang(Request request) {
    var cancelled = new CountDownLatch(1);
    request.cancellation().onCancel(cancelled::countDown);
    try {
      cancelled.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Response answer(Scripted as) {
    return new Response() {
      @Override
      public int status() {
        return as.status();
      }

      @Override
      public @Nullable String header(String name) {
        return as.headers().get(name);
      }

      @Override
      public InputStream body() {
        return as.headers().containsKey(BROKEN)
            ? new BrokenStream()
            : new ByteArrayInputStream("{}".getBytes(StandardCharsets.UTF_8));
      }

      @Override
      public void close() {}
    };
  }

  /** The next request that was sent; waits for it, a while. */
  public Request next() throws InterruptedException {
    Request request = sent.poll(10, TimeUnit.SECONDS);
    if (request == null) {
      throw new AssertionError("nothing was sent");
    }
    return request;
  }

  /** The body of the next request. */
  public Json.Obj nextBody() throws InterruptedException {
    return body(next());
  }

  private static Json.Obj body(Request request) {
    try {
      return (Json.Obj)
          new JacksonCodec().parse(Objects.requireNonNull(request.body()).toByteArray());
    } catch (JsonCodec.MalformedJsonException e) {
      throw new AssertionError(e);
    }
  }

  /** The body of the next request; null when none comes within so many milliseconds. */
  public Json.@Nullable Obj nextBody(long millis) throws InterruptedException {
    Request request = sent.poll(millis, TimeUnit.MILLISECONDS);
    return request == null ? null : body(request);
  }

  /** What was sent and nobody asked for yet. */
  public List<Request> rest() {
    var all = new ArrayList<Request>();
    sent.drainTo(all);
    return all;
  }

  @Override
  public void close() {}
}
