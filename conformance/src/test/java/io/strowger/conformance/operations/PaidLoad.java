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
 * Callers who ask for answers of the same price, plain and streamed, until they are told to stop,
 * and the upstream that gives them.
 */
final class PaidLoad implements AutoCloseable {
  static final String KEY = "sk-application-0123";

  /** What each answer costs: 100 tokens at $2 a million, and a prompt of ten at $1 a million. */
  static final BigDecimal PRICE = new BigDecimal("0.00021");

  private static final String PATH = "POST /api/v1/chat/completions";
  private static final String BODY =
      "{\"model\":\"acme/large\",\"max_tokens\":100,\"stream\":%s,\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}";

  private final SimulatedUpstream upstream = SimulatedUpstream.start(new SystemAmbient());
  private final AtomicBoolean over = new AtomicBoolean();
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
        asked -> {
          dispatched.incrementAndGet();
          return asked.text().contains("\"stream\":true") ? stream : plain;
        });
  }

  private static Script.Builder script() {
    return Script.builder().text("one two three ".repeat(10)).tokens(10, 100);
  }

  /** Where the models are. */
  String upstream() {
    return upstream.baseUri().toString();
  }

  /**
   * Begins.
   *
   * @param port asked before each request, for it may change
   */
  void start(int plain, int streams, IntSupplier port) {
    for (int i = 0; i < plain + streams; i++) {
      boolean stream = i >= plain;
      threads.submit(() -> call(stream, port));
    }
  }

  private void call(boolean stream, IntSupplier port) {
    while (!over.get()) {
      try {
        HttpAnswer answer = HttpAnswer.of(port.getAsInt(), PATH, KEY, BODY.formatted(stream));
        boolean whole =
            stream ? answer.body().contains("data: [DONE]") : answer.body().contains("one two");
        if (answer.status() == 200 && whole) {
          answered.add(answer.header("X-Generation-Id"));
          streamed.addAndGet(stream ? 1 : 0);
        } else {
          failures.add(answer.toString());
        }
      } catch (IOException | RuntimeException e) {
        failures.add(e.toString());
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50)); // nobody may be there for a while
      }
    }
  }

  /** The ids of all answers that came whole, so far. */
  List<String> answered() {
    return List.copyOf(answered);
  }

  /** How many of them were streams. */
  int streamed() {
    return streamed.get();
  }

  /** How many requests reached the upstream. */
  int dispatched() {
    return dispatched.get();
  }

  /** What went wrong, a line each. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  /** Waits until so many more answers came, or one failed. */
  void await(int more) {
    int wanted = answered.size() + more;
    while (answered.size() < wanted && failures.isEmpty()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  /** Lets the callers have their last answers. */
  void end() {
    over.set(true);
    threads.close();
  }

  @Override
  public void close() {
    end();
    upstream.close();
  }
}
