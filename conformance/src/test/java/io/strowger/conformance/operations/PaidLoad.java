package io.strowger.conformance.operations;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/**
 * Callers that request answers of one price, streamed and not, until they are stopped, and the
 * upstream that gives these answers.
 */
final class PaidLoad implements AutoCloseable {
  static final String KEY = "sk-application-0123";

  /** The price of an answer: 100 output tokens at $2 and 10 prompt tokens at $1 per million. */
  static final BigDecimal PRICE = new BigDecimal("0.00021");

  private static final String PATH = "POST /api/v1/chat/completions";
  private static final String BODY =
      "{\"model\":\"acme/large\",\"max_tokens\":100,\"stream\":%s,\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}";

  private final SimulatedUpstream upstream = SimulatedUpstream.start(new SystemAmbient());
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicInteger dispatched = new AtomicInteger();
  private final AtomicInteger streamed = new AtomicInteger();
  private final Queue<String> answered = new ConcurrentLinkedQueue<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  PaidLoad() {
    Script plain = script().latency(Duration.ofMillis(30)).build();
    Script stream = script().chunks(20).chunkDelay(Duration.ofMillis(40)).build();
    upstream.respond(
        "large",
        request -> {
          dispatched.incrementAndGet();
          return request.text().contains("\"stream\":true") ? stream : plain;
        });
  }

  private static Script.Builder script() {
    return Script.builder().text("one two three ".repeat(10)).tokens(10, 100);
  }

  /** Returns the base URL of the upstream. */
  String upstream() {
    return upstream.baseUri().toString();
  }

  /**
   * Starts the callers.
   *
   * @param plain the number of callers that do not stream
   * @param streams the number of callers that stream
   * @param port returns the port of the gateway for each request, since it may change
   */
  void start(int plain, int streams, IntSupplier port) {
    for (int i = 0; i < plain + streams; i++) {
      boolean stream = i >= plain;
      threads.submit(() -> call(stream, port));
    }
  }

  private void call(boolean stream, IntSupplier port) {
    while (!stopped.get()) {
      try {
        HttpAnswer answer = HttpAnswer.send(port.getAsInt(), PATH, KEY, BODY.formatted(stream));
        boolean complete =
            stream ? answer.body().contains("data: [DONE]") : answer.body().contains("one two");
        if (answer.status() == 200 && complete) {
          answered.add(answer.header("X-Generation-Id"));
          streamed.addAndGet(stream ? 1 : 0);
        } else {
          failures.add(answer.toString());
        }
      } catch (IOException | RuntimeException e) {
        failures.add(e.toString());
        LockSupport.parkNanos(
            TimeUnit.MILLISECONDS.toNanos(50)); // the gateway may be down for a while
      }
    }
  }

  /** Returns the ids of all complete answers so far. */
  List<String> answered() {
    return List.copyOf(answered);
  }

  /** Returns how many of them were streamed. */
  int streamed() {
    return streamed.get();
  }

  /** Returns how many requests have reached the upstream. */
  int dispatched() {
    return dispatched.get();
  }

  /** Returns a description of each failed request. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  /** Waits for this many more answers, or for a failure. */
  void await(int more) {
    int wanted = answered.size() + more;
    while (answered.size() < wanted && failures.isEmpty()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  /** Stops the callers, after their present requests. */
  void stop() {
    stopped.set(true);
    threads.close();
  }

  @Override
  public void close() {
    stop();
    upstream.close();
  }
}
