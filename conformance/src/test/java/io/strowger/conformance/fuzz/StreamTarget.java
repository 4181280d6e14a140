package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.strowger.conformance.dialects.CallerDialect;
import io.strowger.conformance.dialects.EventTexts;
import io.strowger.conformance.dialects.PiecewiseInputStream;
import io.strowger.conformance.dialects.StreamAssertions;
import io.strowger.conformance.dialects.Upstream;
import io.strowger.core.decode.TestJson;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.EventStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The reader of streams in one dialect, and the laws that hold for it whatever the bytes: exactly
 * one final event, no exception, the same events however the bytes are cut, and every format of
 * callers can write the events.
 */
final class StreamTarget {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The bytes that a stream allocates before anything is read: buffers and class loading. */
  private static final long FIXED_BYTES = 4 << 20;

  private static final long BYTES_PER_BYTE = 1_000;
  private static final int MAX_CUTS = 8;

  private final Upstream upstream;
  private final Seeds seeds;

  private StreamTarget(Upstream upstream, Seeds seeds) {
    this.upstream = upstream;
    this.seeds = seeds;
  }

  /**
   * Returns the target for a dialect.
   *
   * @param owner the class whose folder of inputs has the seeds: {@code valid-*.json}, each with
   *     the frames of one stream
   */
  static StreamTarget of(Class<?> owner, Upstream upstream) {
    return new StreamTarget(upstream, new Seeds(owner));
  }

  /**
   * Checks every law for the input itself, and for a seed that is changed as the bytes of the input
   * decide.
   *
   * @return whether the changed seed is a complete answer
   * @throws AssertionError with the stream when a law is broken
   */
  boolean check(byte[] input) {
    checkLaws(input, input);
    return checkLaws(body(Mutant.of(seeds, input)), input);
  }

  @Override
  public String toString() {
    return "streams of " + upstream;
  }

  /**
   * Returns the bytes of a stream with the frames of a seed, which may be changed beyond validity.
   */
  static byte[] body(Json.Obj seed) {
    var body = new ByteArrayOutputStream();
    Json frames = seed.get("frames");
    for (Json frame : frames instanceof Json.Arr all ? all : Json.array(seed)) {
      String type = frame instanceof Json.Obj object ? object.text("type") : null;
      if (type != null) {
        body.writeBytes(
            ("event: " + type.replaceAll("[\r\n]", " ") + "\n").getBytes(StandardCharsets.UTF_8));
      }
      body.writeBytes("data: ".getBytes(StandardCharsets.UTF_8));
      body.writeBytes(
          frame instanceof Json.Str text
              ? text.text().getBytes(StandardCharsets.UTF_8)
              : frame.toBytes());
      body.writeBytes("\n\n".getBytes(StandardCharsets.UTF_8));
    }
    return body.toByteArray();
  }

  private boolean checkLaws(byte[] body, byte[] input) {
    boolean complete = false;
    try {
      for (CallerDialect caller : CallerDialect.values()) {
        complete = checkLaws(body, new Random(Arrays.hashCode(input)), caller);
      }
      return complete;
    } catch (RuntimeException | AssertionError | StackOverflowError fault) {
      String shown = new String(body, StandardCharsets.UTF_8);
      throw new AssertionError(fault + "\nThe stream:\n" + shown, fault);
    }
  }

  /**
   * Checks that reading allocates memory in proportion to the bytes of the stream. Not for use by
   * the fuzzer, since the code that it instruments allocates more.
   *
   * @throws AssertionError when it allocates more
   */
  void checkMemory(byte[] input) {
    byte[] body = body(Mutant.of(seeds, input));
    for (CallerDialect caller : CallerDialect.values()) {
      InferenceRequest request = request(caller);
      long before = THREADS.getCurrentThreadAllocatedBytes();
      EventTexts.readAll(upstream.stream(new ByteArrayInputStream(body), request));
      assertThat(THREADS.getCurrentThreadAllocatedBytes() - before)
          .as("bytes for %s", body.length)
          .isLessThan(FIXED_BYTES + BYTES_PER_BYTE * body.length);
    }
  }

  private boolean checkLaws(byte[] body, Random random, CallerDialect caller) {
    InferenceRequest request = request(caller);
    EventStream stream = upstream.stream(new ByteArrayInputStream(body), request);
    List<Event> events = EventTexts.readAll(stream);
    assertThat(events).filteredOn(Event::isTerminal).hasSize(1);
    assertThat(events.getLast().isTerminal()).isTrue();
    assertThat(stream.next()).isNull();
    assertThat(stream.ready()).isTrue();
    PiecewiseInputStream pieces = PiecewiseInputStream.cutAtRandom(body, MAX_CUTS, random);
    assertThat(EventTexts.describe(EventTexts.readAll(upstream.stream(pieces, request))))
        .as("%s", pieces)
        .isEqualTo(EventTexts.describe(events));
    byte[] written = caller.stream(events, request);
    boolean failed = events.getLast() instanceof Event.Failed;
    if (caller.mirror()
        != upstream) { // within one dialect frames pass unchanged, even invalid ones
      StreamAssertions.assertWellFormed(caller, written, failed);
    }
    return !failed;
  }

  /**
   * Returns a request for a stream; frames are kept only for a caller of the upstream's dialect.
   */
  static InferenceRequest request(CallerDialect caller) {
    String input =
        switch (caller) {
          case CHAT -> "'messages':[{'role':'user','content':'Hi'}]";
          case MESSAGES -> "'max_tokens':9,'messages':[{'role':'user','content':'Hi'}]";
          case RESPONSES -> "'input':'Hi'";
        };
    return caller.decode(
        (Json.Obj) TestJson.of("{'model':'lab/model','stream':true," + input + "}"));
  }
}
