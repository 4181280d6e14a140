package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.conformance.dialects.CallerDialect;
import io.strowger.conformance.dialects.EventTexts;
import io.strowger.conformance.dialects.Upstream;
import io.strowger.core.decode.TestJson;
import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.tck.RawUpstream;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The adapters with the real transport and a loopback upstream whose responses are any bytes, and
 * the laws that hold for every response: the call ends with an answer or with a failure of the
 * upstream; it does not wait for an upstream that has disconnected; it leaves an endless response
 * when it is cancelled; it releases its resources; and the next request gets its own answer.
 *
 * <p>Not thread-safe.
 */
final class ResponseTarget implements AutoCloseable {
  private static final Duration LONG_SILENCE = Duration.ofSeconds(30);

  /** The timeout for upstreams that neither send more nor disconnect; it is not itself tested. */
  private static final Duration SHORT_SILENCE = Duration.ofMillis(5);

  private static final int MAX_SWEEPS = 8_000;
  private static final int MAX_CONNECTIONS = 2; // few, so that a leaked connection is noticed
  private static final Pattern NUMBER = Pattern.compile("number (\\d+)");

  private final TestAmbient ambient = TestAmbient.realTime();
  private final AnswerMemory memory = new AnswerMemory(4 << 20, 1 << 20);
  private final ApacheTransport transport =
      new ApacheTransport(new ApacheTransport.Limits(MAX_CONNECTIONS, MAX_CONNECTIONS));
  private final RawUpstream upstream = RawUpstream.start(ambient, false, this::serve);
  private final Map<Upstream, ChatProvider> adapters = new EnumMap<>(Upstream.class);
  private final AtomicReference<@Nullable HostileResponse> nextResponse = new AtomicReference<>();
  private int requests;

  /** What an upstream does after the bytes of its response. */
  enum Ending {
    DISCONNECTS,
    WAITS,
    /** Repeats its last few bytes until the gateway disconnects. */
    REPEATS
  }

  /** The request for a response and its ending, which the outcome also depends on. */
  record Circumstances(Upstream dialect, boolean streaming, Ending ending) {
    static List<Circumstances> all() {
      var all = new ArrayList<Circumstances>();
      for (Upstream dialect : Upstream.values()) {
        for (boolean streaming : new boolean[] {false, true}) {
          for (Ending ending : Ending.values()) {
            all.add(new Circumstances(dialect, streaming, ending));
          }
        }
      }
      return all;
    }

    /** Returns random circumstances, mostly ones that take little time. */
    static Circumstances random(Random random) {
      Upstream[] dialects = Upstream.values();
      int ending = random.nextInt(16);
      return new Circumstances(
          dialects[random.nextInt(dialects.length)],
          random.nextBoolean(),
          ending == 0 ? Ending.REPEATS : ending < 3 ? Ending.WAITS : Ending.DISCONNECTS);
    }
  }

  ResponseTarget() {
    for (Upstream dialect : Upstream.values()) {
      adapters.put(dialect, dialect.adapter(transport, memory, upstream.baseUri()));
    }
  }

  /** One response of a hostile upstream. */
  private static final class HostileResponse {
    private static final int REPEATED_BYTES = 64;
    private static final int PIECE = 32 << 10;

    /** The number of repeated bytes after which the call is cancelled, as by a deadline. */
    private static final int CANCEL_AFTER = 2 << 20;

    private final byte[] bytes;
    private final Ending ending;
    private final Cancellation cancellation = new Cancellation();
    private final CountDownLatch sent = new CountDownLatch(1);

    HostileResponse(byte[] bytes, Ending ending) {
      this.bytes = bytes;
      this.ending = ending;
    }

    void send(RawUpstream.Connection connection) throws IOException {
      try {
        connection.write(bytes);
        switch (ending) {
          case DISCONNECTS -> connection.end();
          case WAITS -> {}
          case REPEATS -> repeat(connection);
        }
      } finally {
        sent.countDown();
      }
    }

    private void repeat(RawUpstream.Connection connection) throws IOException {
      byte[] last =
          Arrays.copyOfRange(bytes, Math.max(0, bytes.length - REPEATED_BYTES), bytes.length);
      byte[] piece =
          last.length == 0 ? new byte[PIECE] : new byte[PIECE / last.length * last.length];
      for (int i = 0; i < piece.length && last.length > 0; i++) {
        piece[i] = last[i % last.length];
      }
      for (long written = 0; true; written += piece.length) {
        connection.write(piece);
        if (written > CANCEL_AFTER) {
          cancellation.cancel(Cancellation.Cause.TOTAL);
        }
      }
    }
  }

  private void serve(RawUpstream.Connection connection) throws IOException {
    while (true) {
      String request = connection.readRequest();
      HostileResponse hostile = nextResponse.getAndSet(null);
      if (hostile == null) {
        connection.write(validResponse(request));
      } else {
        hostile.send(connection);
      }
    }
  }

  private static String validResponse(String request) {
    Matcher number = NUMBER.matcher(request);
    String answer =
        "{\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"%s\"},\"finish_reason\":\"stop\"}]}"
            .formatted(number.find() ? number.group() : "none");
    return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(answer.length(), answer);
  }

  /**
   * Checks every law for one response, in circumstances that follow from its bytes.
   *
   * @return whether it was an answer
   * @throws AssertionError with the response when a law is broken
   */
  boolean check(byte[] response) {
    return check(response, Circumstances.random(new Random(Arrays.hashCode(response))));
  }

  /**
   * Checks every law for one response.
   *
   * @return whether it was an answer
   * @throws AssertionError with the response when a law is broken
   */
  boolean check(byte[] response, Circumstances circumstances) {
    try {
      boolean answered = isAnswered(response, circumstances);
      assertThat(transport.leasedCount()).as("connections in use").isZero();
      assertThat(memory.takenBytes()).as("bytes of answers").isZero();
      assertNextIsAnswered();
      return answered;
    } catch (RuntimeException | InterruptedException | AssertionError | StackOverflowError fault) {
      String shown = new String(response, StandardCharsets.ISO_8859_1);
      throw new AssertionError(fault + "\n" + circumstances + "\nThe response:\n" + shown, fault);
    }
  }

  private boolean isAnswered(byte[] response, Circumstances given) throws InterruptedException {
    var hostile = new HostileResponse(response, given.ending);
    nextResponse.set(hostile);
    Event end = ask(given.dialect, given.streaming, hostile);
    for (int i = 0; !hostile.sent.await(1, TimeUnit.MILLISECONDS); i++) {
      assertThat(i).as("sweeps while the upstream was still sending").isLessThan(MAX_SWEEPS);
      transport.sweep(); // discards idle connections on which bytes arrive
    }
    if (given.ending == Ending.DISCONNECTS && end instanceof Event.Failed failed) {
      assertThat(failed.error().message()).doesNotContain("silent");
    }
    return !(end instanceof Event.Failed);
  }

  private Event ask(Upstream dialect, boolean streaming, HostileResponse hostile) {
    Duration silence = hostile.ending == Ending.WAITS ? SHORT_SILENCE : LONG_SILENCE;
    InferenceRequest request = request(streaming, "hostile");
    try (EventStream stream = open(dialect, request, silence, hostile.cancellation)) {
      List<Event> events = EventTexts.readAll(stream);
      assertThat(events).filteredOn(Event::isTerminal).hasSize(1);
      assertThat(events.getLast().isTerminal()).isTrue();
      return events.getLast();
    } catch (UpstreamException refused) {
      return Event.Failed.upstream(refused.failure());
    }
  }

  private EventStream open(
      Upstream dialect, InferenceRequest request, Duration silence, Cancellation cancellation)
      throws UpstreamException {
    return Objects.requireNonNull(adapters.get(dialect))
        .open(Upstream.call(request, silence, new ArrayList<>(), cancellation));
  }

  private void assertNextIsAnswered() {
    String number = "number " + ++requests;
    InferenceRequest request = request(false, number);
    try (EventStream stream = open(Upstream.CHAT, request, LONG_SILENCE, new Cancellation())) {
      assertThat(EventTexts.describe(EventTexts.readAll(stream)))
          .as("the next answer")
          .asString()
          .contains(number);
    } catch (UpstreamException refused) {
      throw new AssertionError("the next request failed: " + refused.failure(), refused);
    }
  }

  private static InferenceRequest request(boolean streaming, String content) {
    return CallerDialect.CHAT.decode(
        (Json.Obj)
            TestJson.of(
                "{'model':'lab/model','stream':%s,'messages':[{'role':'user','content':'%s'}]}"
                    .formatted(streaming, content)));
  }

  /** Closes everything, and asserts that no thread is left. */
  @Override
  public void close() {
    adapters.values().forEach(ChatProvider::close);
    transport.close();
    upstream.close();
    ambient.assertNoThreadsLeft();
  }
}
