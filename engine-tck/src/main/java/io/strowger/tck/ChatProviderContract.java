package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UpstreamFailure;
import io.strowger.spi.routing.Loss;
import io.strowger.spi.routing.ModelRef;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What every {@link ChatProvider} owes the engine. An author extends this class and says how to
 * reach an upstream of his dialect that does as it is told; the tests then run as his own.
 *
 * <pre>{@code
 * class OurProviderContractTest extends ChatProviderContract {
 *   @Override protected Upstream connect(TestAmbient ambient) { return new OurUpstream(ambient); }
 * }
 * }</pre>
 *
 * <p>Time is real here. A cancellation has two seconds to wake a reader, twenty times what the SPI
 * grants: a shared machine may be slow, and a reader that is not woken at all waits for ever.
 */
public abstract class ChatProviderContract {
  private static final String SECRET = "sk-4f9d2c-never-to-be-seen";
  private static final String TEXT =
      "Fox, \"quoted\" \\ \u00e4\u2603\ud83e\udd8a in several pieces.";

  /** An upstream that does as it is told, and a provider connected to it. */
  public interface Upstream extends AutoCloseable {
    /** The provider under test; always the same one. The contract closes it before this. */
    ChatProvider provider();

    /** An endpoint of that provider. */
    Endpoint endpoint();

    /** True unless the dialect names the model somewhere else than in the body. */
    default boolean namesModelInBody() {
      return true;
    }

    /**
     * True unless the adapter makes its answers up and so sends no upstream the parameters of a
     * request.
     */
    default boolean sendsParameters() {
      return true;
    }

    /** What becomes of every call from now on. */
    void behave(UpstreamBehaviour behaviour);

    @Override
    void close();
  }

  /**
   * A new upstream, and a provider that takes its time, chance and threads from this ambient.
   * Called once per test.
   */
  protected abstract Upstream connect(TestAmbient ambient);

  @Test
  @DisplayName("a stream gives the text, then the usage, then one end, then null")
  void streams() {
    try (var bench = new Bench()) {
      bench.behave(new UpstreamBehaviour.Echoes());
      Reading reading = bench.read(bench.streaming(TEXT));

      assertThat(reading.text()).isEqualTo(TEXT);
      assertThat(reading.events()).last().isInstanceOf(Event.Finished.class);
      assertThat(reading.events()).filteredOn(Event::isTerminal).hasSize(1);
      assertThat(reading.events()).hasAtLeastOneElementOfType(Event.UsageReport.class);
    }
  }

  @Test
  @DisplayName("an answer that is no stream is one whole event behind its usage")
  void whole() {
    try (var bench = new Bench()) {
      bench.behave(new UpstreamBehaviour.Echoes());
      Reading reading = bench.read(bench.whole(TEXT));

      assertThat(reading.text()).isEqualTo(TEXT);
      assertThat(reading.events()).last().isInstanceOf(Event.Whole.class);
      assertThat(reading.events()).filteredOn(Event::isContent).hasSize(1);
      assertThat(reading.events()).hasAtLeastOneElementOfType(Event.UsageReport.class);
    }
  }

  @Test
  @DisplayName("next gives null again and again behind the end")
  void nullBehindTheEnd() throws UpstreamFailure {
    try (var bench = new Bench()) {
      bench.behave(new UpstreamBehaviour.Echoes());
      try (var stream = bench.open(bench.streaming(TEXT))) {
        Event event = stream.next();
        while (event != null) {
          event = stream.next();
        }
        assertThat(stream.next()).isNull();
        assertThat(stream.next()).isNull();
      }
    }
  }

  @Test
  @DisplayName("a stream closed early, and twice, gives null")
  void closedEarly() throws UpstreamFailure {
    try (var bench = new Bench()) {
      bench.behave(new UpstreamBehaviour.Echoes());
      EventStream stream = bench.open(bench.streaming(TEXT));
      stream.next();
      stream.close();
      stream.close();
      assertThat(stream.next()).isNull();
    }
  }

  @Test
  @DisplayName("closing from another thread wakes a reader")
  void closeWakes() {
    try (var bench = new Bench()) {
      bench.behave(new UpstreamBehaviour.Stalls(TEXT));
      Reading reading = bench.start(bench.streaming("x"));
      reading.awaitText(TEXT);
      reading.awaitBlocked();
      reading.closeStream();
      reading.awaitWoken();
      assertThat(reading.failureKind()).isIn(null, FailureKind.CANCELLED);
    }
  }

  @Test
  @DisplayName("closing the provider ends the streams that are open")
  void providerCloses() {
    try (var bench = new Bench()) {
      bench.behave(new UpstreamBehaviour.Stalls(TEXT));
      Reading reading = bench.start(bench.streaming("x"));
      reading.awaitText(TEXT);
      reading.awaitBlocked();
      bench.upstream.provider().close();
      reading.awaitWoken();
      assertThat(reading.failureKind()).isNotNull();
    }
  }

  @Test
  @DisplayName("a call cancelled before it is opened fails, by its cause")
  void cancelledBeforeOpen() {
    for (Cancellation.Cause cause : Cancellation.Cause.values()) {
      try (var bench = new Bench()) {
        bench.behave(new UpstreamBehaviour.Silent());
        Call call = bench.streaming("x");
        call.cancellation().cancel(cause);
        Reading reading = bench.start(call);
        reading.awaitWoken();
        assertThat(reading.failureKind()).as(cause.name()).isEqualTo(kind(cause));
      }
    }
  }

  @Test
  @DisplayName("cancelling wakes whoever waits for the head of an answer, and tells the cause")
  void cancelledDuringOpen() {
    for (Cancellation.Cause cause : Cancellation.Cause.values()) {
      try (var bench = new Bench()) {
        bench.behave(new UpstreamBehaviour.Silent());
        Call call = bench.whole("x");
        Reading reading = bench.start(call);
        reading.awaitBlocked();
        call.cancellation().cancel(cause);
        reading.awaitWoken();
        assertThat(reading.failureKind()).as(cause.name()).isEqualTo(kind(cause));
      }
    }
  }

  @Test
  @DisplayName("cancelling wakes the reader of a stream that fell silent, and tells the cause")
  void cancelledInTheMiddle() {
    for (Cancellation.Cause cause : Cancellation.Cause.values()) {
      try (var bench = new Bench()) {
        bench.behave(new UpstreamBehaviour.Stalls(TEXT));
        Call call = bench.streaming("x");
        Reading reading = bench.start(call);
        reading.awaitText(TEXT);
        reading.awaitBlocked();
        call.cancellation().cancel(cause);
        reading.awaitWoken();
        assertThat(reading.failureKind()).as(cause.name()).isEqualTo(kind(cause));
      }
    }
  }

  private static FailureKind kind(Cancellation.Cause cause) {
    return cause.isTimeout() ? FailureKind.TIMEOUT : FailureKind.CANCELLED;
  }

  @Test
  @DisplayName("a late cancellation changes nothing about a finished stream")
  void cancelledTooLate() {
    try (var bench = new Bench()) {
      bench.behave(new UpstreamBehaviour.Echoes());
      Call call = bench.streaming(TEXT);
      Reading first = bench.read(call);
      call.cancellation().cancel(Cancellation.Cause.CALLER_GONE);

      assertThat(first.failureKind()).isNull();
      assertThat(bench.read(bench.streaming(TEXT)).text()).isEqualTo(TEXT);
    }
  }

  @Test
  @DisplayName("a refusal is classified by its status")
  void refusals() {
    assertThat(refusedWith(400)).isEqualTo(FailureKind.INVALID_REQUEST);
    assertThat(refusedWith(401)).isEqualTo(FailureKind.CREDENTIAL);
    assertThat(refusedWith(404)).isEqualTo(FailureKind.NOT_FOUND);
    assertThat(refusedWith(429)).isEqualTo(FailureKind.RATE_LIMITED);
    assertThat(refusedWith(500)).isEqualTo(FailureKind.UNAVAILABLE);
  }

  private FailureKind refusedWith(int status) {
    try (var bench = new Bench()) {
      bench.behave(new UpstreamBehaviour.Refuses(status, -1, "no"));
      Reading stream = bench.read(bench.streaming("x"));
      Reading whole = bench.read(bench.whole("x"));
      assertThat(whole.failure())
          .as("the same refusal without a stream")
          .isEqualTo(stream.failure());
      assertThat(stream.failure().retryAfterSeconds()).isEqualTo(-1);
      assertThat(stream.failure().status()).isEqualTo(status);
      return stream.failure().kind();
    }
  }

  @Test
  @DisplayName("what an upstream asks to wait is kept")
  void retryAfter() {
    try (var bench = new Bench()) {
      bench.behave(new UpstreamBehaviour.Refuses(429, 7, "slow down"));
      Reading reading = bench.read(bench.streaming("x"));
      assertThat(reading.failureKind()).isEqualTo(FailureKind.RATE_LIMITED);
      assertThat(reading.failure().retryAfterSeconds()).isEqualTo(7);
    }
  }

  @Test
  @DisplayName("what is no answer in the dialect is a protocol failure")
  void garbage() {
    try (var bench = new Bench()) {
      bench.behave(new UpstreamBehaviour.Garbage());
      for (Call call : List.of(bench.streaming("x"), bench.whole("x"))) {
        assertThat(bench.read(call).failureKind()).isEqualTo(FailureKind.PROTOCOL);
      }
    }
  }

  @Test
  @DisplayName("a stream that is cut gives what came and then fails")
  void cut() {
    try (var bench = new Bench()) {
      bench.behave(new UpstreamBehaviour.Cuts(TEXT));
      Reading reading = bench.read(bench.streaming("x"));
      assertThat(reading.text()).isEqualTo(TEXT);
      assertThat(reading.failureKind()).isIn(FailureKind.PROTOCOL, FailureKind.UNAVAILABLE);
    }
  }

  @Test
  @DisplayName("a failure spoils nothing for the next call")
  void recovers() {
    try (var bench = new Bench()) {
      for (UpstreamBehaviour fault :
          List.of(
              new UpstreamBehaviour.Refuses(500, -1, "no"),
              new UpstreamBehaviour.Garbage(),
              new UpstreamBehaviour.Cuts("half"))) {
        bench.behave(fault);
        assertThat(bench.read(bench.streaming("x")).failureKind()).isNotNull();
        bench.behave(new UpstreamBehaviour.Echoes());
        assertThat(bench.read(bench.streaming(TEXT)).text()).isEqualTo(TEXT);
      }
    }
  }

  @Test
  @DisplayName("64 calls at once do not mix their answers")
  void concurrent() {
    try (var bench = new Bench()) {
      bench.behave(new UpstreamBehaviour.Echoes());
      var readings = new ArrayList<Reading>();
      for (int i = 0; i < 64; i++) {
        String text = "answer " + i + " " + (char) ('a' + i % 26) + "!".repeat(i);
        readings.add(bench.start(i % 2 == 0 ? bench.streaming(text) : bench.whole(text)));
      }
      for (int i = 0; i < 64; i++) {
        readings.get(i).awaitEnd();
        assertThat(readings.get(i).text())
            .isEqualTo("answer " + i + " " + (char) ('a' + i % 26) + "!".repeat(i));
      }
    }
  }

  @Test
  @DisplayName("the credential shows nowhere, not even when the upstream repeats it")
  void credential() {
    try (var bench = new Bench()) {
      Call call = bench.call(Given.streaming(bench.upstream.endpoint().model(), TEXT));
      bench.behave(new UpstreamBehaviour.Refuses(401, -1, "wrong key: " + SECRET));
      Reading refused = bench.read(call);
      bench.behave(new UpstreamBehaviour.Echoes());
      Reading answered = bench.read(call);

      var provider = bench.upstream.provider();
      var said = new ArrayList<>(List.of(call.toString(), provider.toString()));
      said.add(provider.body(call).toString());
      said.add(refused.thrown() + " " + refused.failure() + refused.events());
      said.add(answered.events().toString());
      assertThat(said).noneMatch(text -> text.contains(SECRET));
    }
  }

  @Test
  @DisplayName("the body it shows names the upstream's model and says what was asked")
  void body() {
    try (var bench = new Bench()) {
      Call call = bench.streaming("a distinctive question");
      String body = bench.upstream.provider().body(call).toString();
      assertThat(body).contains("a distinctive question");
      assertThat(body.contains(call.endpoint().upstreamModel()))
          .isEqualTo(bench.upstream.namesModelInBody());
    }
  }

  @Test
  @DisplayName("the hash stands for the end user, or a loss is recorded; the caller's own never")
  void endUser() {
    try (var bench = new Bench()) {
      bench.assumeSendsParameters();
      for (InferenceRequest request : bench.dialects()) {
        Sent sent = bench.sent(request.toBuilder().user("own-user").build(), -1, 0, "hash-77");
        assertThat(sent.body).as(sent.dialect).doesNotContain("own-user");
        assertThat(sent.body.contains("hash-77") || !sent.losses.isEmpty())
            .as("%s: the hash is sent or lost", sent.dialect)
            .isTrue();
      }
    }
  }

  @Test
  @DisplayName("a parameter the endpoint does not support is not sent, and recorded as a loss")
  void unsupportedParameter() {
    try (var bench = new Bench()) {
      bench.assumeSendsParameters();
      for (InferenceRequest request : bench.dialects()) {
        Json.Obj members = request.members().with("temperature", Json.of(new BigDecimal("0.625")));
        InferenceRequest warm = request.toBuilder().members(members).build();
        assertThat(bench.sent(warm, -1, 0, null).body)
            .as(request.dialect().name())
            .contains("0.625");
        Sent sent = bench.sent(warm, ~Parameter.TEMPERATURE.bit(), 0, null);
        assertThat(sent.body).as(sent.dialect).doesNotContain("0.625");
        assertThat(sent.losses)
            .as(sent.dialect)
            .anyMatch(loss -> loss.what().contains("temperature"));
      }
    }
  }

  @Test
  @DisplayName("the call's cap replaces the request's own limit")
  void outputCap() {
    try (var bench = new Bench()) {
      bench.assumeSendsParameters();
      for (InferenceRequest request : bench.dialects()) {
        InferenceRequest limited = request.toBuilder().maxOutputTokens(7717).build();
        Sent sent = bench.sent(limited, -1, 5501, null);
        assertThat(sent.body).as(sent.dialect).contains("5501").doesNotContain("7717");
      }
    }
  }

  @Test
  @DisplayName("the same is said for every dialect of a request, its instructions too")
  void everyDialect() {
    try (var bench = new Bench()) {
      bench.assumeSendsParameters();
      for (InferenceRequest request : bench.dialects()) {
        Sent sent = bench.sent(request, -1, 0, null);
        assertThat(sent.body)
            .as(sent.dialect)
            .contains("a distinctive instruction")
            .containsOnlyOnce("a distinctive question");
      }
    }
  }

  /** What an adapter would send, and what it recorded as lost. */
  private record Sent(String dialect, String body, List<Loss> losses) {}

  /** One test's upstream, ambient and calls; proves on closing that no thread is left. */
  private final class Bench implements AutoCloseable {
    private final TestAmbient ambient = TestAmbient.realTime();
    private final Upstream upstream = connect(ambient);

    void behave(UpstreamBehaviour behaviour) {
      upstream.behave(behaviour);
    }

    Call streaming(String text) {
      return call(Given.streaming(upstream.endpoint().model(), text));
    }

    Call whole(String text) {
      return call(Given.request(upstream.endpoint().model(), text));
    }

    Call call(InferenceRequest request) {
      return Given.call(upstream.endpoint(), new Credential(SECRET), request, new Cancellation());
    }

    void assumeSendsParameters() {
      Assumptions.assumeTrue(upstream.sendsParameters(), "sends an upstream no parameters");
    }

    /** The same conversation in every dialect of callers. */
    List<InferenceRequest> dialects() {
      var instruction = Message.text(Message.Role.SYSTEM, "a distinctive instruction");
      var question = Message.text(Message.Role.USER, "a distinctive question");
      return List.of(
          conversation(Dialect.CHAT).messages(List.of(instruction, question)).build(),
          conversation(Dialect.MESSAGES)
              .instructions(instruction)
              .messages(List.of(question))
              .maxOutputTokens(100)
              .build(),
          conversation(Dialect.RESPONSES)
              .instructions(instruction)
              .messages(List.of(question))
              .build());
    }

    private InferenceRequest.Builder conversation(Dialect dialect) {
      String model = upstream.endpoint().model();
      return InferenceRequest.builder(dialect, Json.object().put("model", model).build())
          .models(List.of(ModelRef.parse(model)));
    }

    /**
     * @param parameters those the endpoint supports
     */
    Sent sent(InferenceRequest request, long parameters, int cap, @Nullable String endUser) {
      var losses = new ArrayList<Loss>();
      var call =
          new Call(
              upstream.endpoint().toBuilder().parameters(Parameter.ALL & parameters).build(),
              Credential.NONE,
              request,
              cap,
              endUser,
              Duration.ofMinutes(1),
              ModelInfo.Reasoning.NONE,
              losses::add,
              new Cancellation());
      String body = upstream.provider().body(call).toString();
      return new Sent(request.dialect().name(), body, losses);
    }

    EventStream open(Call call) throws UpstreamFailure {
      return new AssertingEventStream(call.endpoint().id(), upstream.provider().open(call));
    }

    /** Reads on a thread of its own. */
    Reading start(Call call) {
      return Reading.start(ambient, upstream.provider(), call);
    }

    /** Reads to the end. */
    Reading read(Call call) {
      Reading reading = start(call);
      reading.awaitEnd();
      return reading;
    }

    @Override
    public void close() {
      upstream.provider().close();
      upstream.close();
      ambient.assertNoThreadsLeft();
    }
  }
}
