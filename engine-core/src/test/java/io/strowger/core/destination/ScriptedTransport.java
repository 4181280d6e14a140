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

/** A transport that answers as scripted, otherwise with 200, and records the requests it sends. */
public final class ScriptedTransport implements Transport {
  private static final String BROKEN = "broken body";

  private final ConcurrentLinkedQueue<ScriptedAnswer> script = new ConcurrentLinkedQueue<>();
  private final LinkedBlockingQueue<Request> sent = new LinkedBlockingQueue<>();

  private volatile @Nullable String failingText; // bodies that contain it are answered with 500

  private record ScriptedAnswer(int status, Map<String, String> headers) {}

  /** Answers the next request with this status and a body that breaks off. */
  public ScriptedTransport thenBrokenBody(int status) {
    script.add(new ScriptedAnswer(status, Map.of(BROKEN, "")));
    return this;
  }

  /**
   * Answers the next request with this status and headers. With status 0, the request fails; with a
   * negative one, it hangs until it is cancelled.
   */
  public ScriptedTransport then(int status, String... headers) {
    var all = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], headers[i + 1]);
    }
    script.add(new ScriptedAnswer(status, all));
    return this;
  }

  /** Answers every request whose body contains this text with 500 from now on; null ends that. */
  public void alwaysFail(@Nullable String text) {
    failingText = text;
  }

  @Override
  public Response send(Request request) throws IOException {
    sent.add(request);
    String text = failingText;
    if (text != null && body(request).toString().contains(text)) {
      return answer(new ScriptedAnswer(500, Map.of()));
    }
    ScriptedAnswer next = script.poll();
    if (next == null) {
      next = new ScriptedAnswer(200, Map.of());
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

  private static Response answer(ScriptedAnswer scripted) {
    return new Response() {
      @Override
      public int status() {
        return scripted.status();
      }

      @Override
      public @Nullable String header(String name) {
        return scripted.headers().get(name);
      }

      @Override
      public InputStream body() {
        return scripted.headers().containsKey(BROKEN)
            ? new BrokenStream()
            : new ByteArrayInputStream("{}".getBytes(StandardCharsets.UTF_8));
      }

      @Override
      public void close() {}
    };
  }

  /** Returns the next request, and waits for it up to ten seconds. */
  public Request nextRequest() throws InterruptedException {
    Request request = sent.poll(10, TimeUnit.SECONDS);
    if (request == null) {
      throw new AssertionError("nothing was sent");
    }
    return request;
  }

  /** Returns the body of the next request, and waits for it up to ten seconds. */
  public Json.Obj nextBody() throws InterruptedException {
    return body(nextRequest());
  }

  private static Json.Obj body(Request request) {
    try {
      return (Json.Obj)
          new JacksonCodec().parse(Objects.requireNonNull(request.body()).toByteArray());
    } catch (JsonCodec.MalformedJsonException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the body of the next request, or null if none arrives within this time. */
  public Json.@Nullable Obj nextBody(long millis) throws InterruptedException {
    Request request = sent.poll(millis, TimeUnit.MILLISECONDS);
    return request == null ? null : body(request);
  }

  /** Returns the requests that no earlier call has returned. */
  public List<Request> remainingRequests() {
    var all = new ArrayList<Request>();
    sent.drainTo(all);
    return all;
  }

  @Override
  public void close() {}
}
