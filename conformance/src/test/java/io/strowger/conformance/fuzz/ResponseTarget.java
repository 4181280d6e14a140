package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.conformance.dialects.Caller;
import io.strowger.conformance.dialects.Told;
import io.strowger.conformance.dialects.Upstream;
import io.strowger.core.decode.Drawn;
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
 * The adapters over the real transport, an upstream on loopback whose responses are any bytes, and
 * what holds whatever they are: the call ends with an answer or with the upstream's failure, an
 * upstream that hung up is not waited for, one that does not end is left when the call is
 * cancelled, nothing stays in use, and the next request gets its own answer.
 *
 * <p>For one thread at a time.
 */
final class ResponseTarget implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** For upstreams that neither go on nor hang up; nothing is asserted about it. */
  private static final Duration SHORT = Duration.ofMillis(5);

  private static final int MAX_SWEEPS = 8_000;
  private static final int TWO_CONNECTIONS = 2; // one that leaked is missed soon
  private static final Pattern NUMBER = Pattern.compile("number (\\d+)");

  private final TestAmbient ambient = TestAmbient.realTime();
  private final AnswerMemory memory = new AnswerMemory(4 << 20, 1 << 20);
  private final ApacheTransport transport =
      new ApacheTransport(new ApacheTransport.Limits(TWO_CONNECTIONS, TWO_CONNECTIONS));
  private final RawUpstream upstream = RawUpstream.start(ambient, false, this::serve);
  private final Map<Upstream, ChatProvider> adapters = new EnumMap<>(Upstream.class);
  private final AtomicReference<@Nullable Said> next = new AtomicReference<>();
  private int asked;

  /** What an upstream does when it has said everything. */
  enum Ending {
    HANGS_UP,
    WAITS,
    /** Says its last few bytes again, until nobody listens. */
    GOES_ON
  }

  /** What one response depends on beside its bytes. */
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

    /** Mostly those that take little time. */
    static Circumstances drawn(Random random) {
      Upstream[] dialects = Upstream.values();
      int ending = random.nextInt(16);
      return new Circumstances(
          dialects[random.nextInt(dialects.length)],
          random.nextBoolean(),
          ending == 0 ? Ending.GOES_ON : ending < 3 ? Ending.WAITS : Ending.HANGS_UP);
    }
  }

  ResponseTarget() {
    for (Upstream dialect : Upstream.values()) {
      adapters.put(dialect, dialect.adapter(transport, memory, upstream.baseUri()));
    }
  }

  /** One response, of an upstream that means harm. */
  private static final class Said {
    private static final int LAST_FEW = 64;
    private static final int PIECE = 32 << 10;

    /** A call that reads so much is cancelled, as a deadline would do it. */
    private static final int LONG_ENOUGH = 2 << 20;

    private final byte[] bytes;
    private final Ending ending;
    private final Cancellation cancellation = new Cancellation();
    private final CountDownLatch over = new CountDownLatch(1);

    Said(byte[] bytes, Ending ending) {
      this.bytes = bytes;
      this.ending = ending;
    }

    void say(RawUpstream.Connection connection) throws IOException {
      try {
        connection.write(bytes);
        switch (ending) {
          case HANGS_UP -> connection.end();
          case WAITS -> {}
          case GOES_ON -> goOn(connection);
        }
      } finally {
        over.countDown();
      }
    }

    private void goOn(RawUpstream.Connection connection) throws IOException {
      byte[] last = Arrays.copyOfRange(bytes, Math.max(0, bytes.length - LAST_FEW), bytes.length);
      byte[] piece =
          last.length == 0 ? new byte[PIECE] : new byte[PIECE / last.length * last.length];
      for (int i = 0; i < piece.length && last.length > 0; i++) {
        piece[i] = last[i % last.length];
      }
      for (long said = 0; true; said += piece.length) {
        connection.write(piece);
        if (said > LONG_ENOUGH) {
          cancellation.cancel(Cancellation.Cause.TOTAL);
        }
      }
    }
  }

  private void serve(RawUpstream.Connection connection) throws IOException {
    while (true) {
      String request = connection.readRequest();
      Said harm = next.getAndSet(null);
      if (harm == null) {
        connection.write(right(request));
      } else {
        harm.say(connection);
      }
    }
  }

  private static String right(String request) {
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
    return check(response, Circumstances.drawn(new Random(Arrays.hashCode(response))));
  }

  /**
   * Checks every law for one response.
   *
   * @return whether it was an answer
   * @throws AssertionError with the response when a law is broken
   */
  boolean check(byte[] response, Circumstances circumstances) {
    try {
      boolean answered = answers(response, circumstances);
      assertThat(transport.leasedCount()).as("connections in use").isZero();
      assertThat(memory.takenBytes()).as("bytes of answers").isZero();
      nextIsAnswered();
      return answered;
    } catch (RuntimeException | InterruptedException | AssertionError | StackOverflowError fault) {
      String shown = new String(response, StandardCharsets.ISO_8859_1);
      throw new AssertionError(fault + "\n" + circumstances + "\nThe response:\n" + shown, fault);
    }
  }

  private boolean answers(byte[] response, Circumstances given) throws InterruptedException {
    var said = new Said(response, given.ending);
    next.set(said);
    Event end = ask(given.dialect, given.streaming, said);
    for (int i = 0; !said.over.await(1, TimeUnit.MILLISECONDS); i++) {
      assertThat(i).as("times the upstream was still listened to").isLessThan(MAX_SWEEPS);
      transport.sweep(); // a connection may have been given back before more came
    }
    if (given.ending == Ending.HANGS_UP && end instanceof Event.Failed failed) {
      assertThat(failed.error().message()).doesNotContain("silent");
    }
    return !(end instanceof Event.Failed);
  }

  private Event ask(Upstream dialect, boolean streaming, Said said) {
    Duration silence = said.ending == Ending.WAITS ? SHORT : PATIENCE;
    InferenceRequest request = request(streaming, "harm");
    try (EventStream stream = open(dialect, request, silence, said.cancellation)) {
      List<Event> events = Told.events(stream);
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

  private void nextIsAnswered() {
    String number = "number " + ++asked;
    InferenceRequest request = request(false, number);
    try (EventStream stream = open(Upstream.CHAT, request, PATIENCE, new Cancellation())) {
      assertThat(Told.words(Told.events(stream))).as("the next answer").asString().contains(number);
    } catch (UpstreamException refused) {
      throw new AssertionError("the next request failed: " + refused.failure(), refused);
    }
  }

  private static InferenceRequest request(boolean streaming, String said) {
    return Caller.CHAT.read(
        (Json.Obj)
            Drawn.json(
                "{'model':'lab/model','stream':%s,'messages':[{'role':'user','content':'%s'}]}"
                    .formatted(streaming, said)));
  }

  /** Ends everything, and finds what was left. */
  @Override
  public void close() {
    adapters.values().forEach(ChatProvider::close);
    transport.close();
    upstream.close();
    ambient.assertNoThreadsLeft();
  }
}
