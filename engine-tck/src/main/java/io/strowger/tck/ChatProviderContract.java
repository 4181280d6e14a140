package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.spi.routing.Loss;
import io.strowger.tck.conformance.Proves;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract test of {@link ChatProvider}. The author of an adapter extends this class and
 * connects the adapter to a test upstream whose behaviour the tests control. For protocols that
 * carry JSON over HTTP, {@link ScriptedUpstream} does this: it needs only the messages of the
 * protocol.
 *
 * <pre>{@code
 * class OurProviderContractTest extends ChatProviderContract {
 *   @Override protected ProviderSetup connect(TestAmbient ambient) {
 *     return new ScriptedUpstream(ambient, new OurProtocol());
 *   }
 * }
 * }</pre>
 *
 * <p>The tests expect that a refusal is classified by {@link FailureKind#ofStatus} and keeps its
 * status and {@code Retry-After}. They check requests as the upstream received them.
 *
 * <p>The tests run in real time. A cancellation has ten seconds to wake a reader, a hundred times
 * the limit of the SPI, since a shared machine may be slow; a reader that is never woken still
 * fails.
 */
public abstract class ChatProviderContract {
  private static final String SECRET = "sk-4f9d2c-never-to-be-seen";
  private static final String TEXT =
      "Fox, \"quoted\" \\ \u00e4\u2603\ud83e\udd8a in several pieces.";

  /** A provider under test, and a test upstream that it is connected to. */
  public interface ProviderSetup extends AutoCloseable {
    /**
     * Returns the provider under test; always the same one. The tests close it before they close
     * this setup.
     */
    ChatProvider provider();

    /**
     * Returns an endpoint of the provider. Its parameters are those that the protocol has: the
     * tests expect that these arrive at the upstream, and no others.
     */
    Endpoint endpoint();

    /**
     * Returns whether the body names the model; false when the dialect names it elsewhere, such as
     * in the path.
     */
    default boolean namesModelInBody() {
      return true;
    }

    /**
     * Returns whether the adapter sends the parameters of a request to an upstream; false for an
     * adapter that makes up its answers itself.
     */
    default boolean sendsParameters() {
      return true;
    }

    /** Sets how the upstream behaves on every call from now on. */
    void behave(UpstreamBehaviour behaviour);

    /**
     * Returns the body of the last request, as the upstream received it; empty for an adapter that
     * sends nothing to an upstream.
     */
    String lastBody();

    /**
     * Returns the request line and the headers of the last request, as the upstream received them;
     * empty when they are not known: the tests of them are then skipped.
     */
    default String lastHead() {
      return "";
    }

    /**
     * Returns how many requests the upstream has received; -1 when it does not count them: the test
     * for requests that are sent twice is then skipped.
     */
    default int requests() {
      return -1;
    }

    /**
     * Closes the test upstream. Called after the provider was closed; fails when a connection of
     * the provider is still open.
     */
    @Override
    void close();
  }

  /**
   * Returns whether the protocol has streams; true unless overridden. An adapter without streams
   * answers a streamed request with the complete answer; the tests that need a stream which stalls
   * are then skipped.
   */
  protected boolean streams() {
    return true;
  }

  /**
   * Starts a new test upstream and connects a provider to it that uses this ambient for time,
   * random numbers and threads. Called once per test.
   */
  protected abstract ProviderSetup connect(TestAmbient ambient);

  @Test
  @DisplayName("a stream delivers the text, the usage, one terminal event and then null")
  void streamed() {
    try (var fixture = new Fixture()) {
      fixture.behave(new UpstreamBehaviour.Echoes());
      CallReader reading = fixture.read(fixture.streaming(TEXT));

      assertThat(reading.text()).isEqualTo(TEXT);
      if (streams()) {
        assertThat(reading.events()).last().isInstanceOf(Event.Finished.class);
      }
      assertThat(reading.events()).filteredOn(Event::isTerminal).hasSize(1);
      assertThat(reading.events()).hasAtLeastOneElementOfType(Event.UsageReport.class);
    }
  }

  @Test
  @DisplayName("a non-streamed answer is one CompleteAnswer event, after its usage")
  void whole() {
    try (var fixture = new Fixture()) {
      fixture.behave(new UpstreamBehaviour.Echoes());
      CallReader reading = fixture.read(fixture.nonStreaming(TEXT));

      assertThat(reading.text()).isEqualTo(TEXT);
      assertThat(reading.events()).last().isInstanceOf(Event.CompleteAnswer.class);
      assertThat(reading.events()).filteredOn(Event::isContent).hasSize(1);
      assertThat(reading.events()).hasAtLeastOneElementOfType(Event.UsageReport.class);
    }
  }

  @Test
  @DisplayName("next() returns null every time after the end")
  void nullAfterTheEnd() throws UpstreamException {
    try (var fixture = new Fixture()) {
      fixture.behave(new UpstreamBehaviour.Echoes());
      try (var stream = fixture.open(fixture.streaming(TEXT))) {
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
  @DisplayName("next() returns null after the stream was closed early, once or twice")
  void closedEarly() throws UpstreamException {
    try (var fixture = new Fixture()) {
      fixture.behave(new UpstreamBehaviour.Echoes());
      EventStream stream = fixture.open(fixture.streaming(TEXT));
      stream.next();
      stream.close();
      stream.close();
      assertThat(stream.next()).isNull();
    }
  }

  private void assumeStreams() {
    Assumptions.assumeTrue(
        streams(), "the protocol has no streams: an answer arrives complete or not at all");
  }

  @Test
  @DisplayName("closing from another thread wakes a reader")
  void closeWakes() {
    assumeStreams();
    try (var fixture = new Fixture()) {
      fixture.behave(new UpstreamBehaviour.Stalls(TEXT));
      CallReader reading = fixture.start(fixture.streaming("x"));
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
    assumeStreams();
    try (var fixture = new Fixture()) {
      fixture.behave(new UpstreamBehaviour.Stalls(TEXT));
      CallReader reading = fixture.start(fixture.streaming("x"));
      reading.awaitText(TEXT);
      reading.awaitBlocked();
      fixture.setup.provider().close();
      reading.awaitWoken();
      assertThat(reading.failureKind()).isNotNull();
    }
  }

  @Test
  @DisplayName("a call cancelled before it is opened fails with the kind of its cause")
  void cancelledBeforeOpen() {
    for (Cancellation.Cause cause : Cancellation.Cause.values()) {
      try (var fixture = new Fixture()) {
        fixture.behave(new UpstreamBehaviour.Silent());
        Call call = fixture.streaming("x");
        call.cancellation().cancel(cause);
        CallReader reading = fixture.start(call);
        reading.awaitWoken();
        assertThat(reading.failureKind()).as(cause.name()).isEqualTo(kind(cause));
      }
    }
  }

  @Test
  @DisplayName("a cancellation wakes a call that waits for an answer; it fails with the right kind")
  void cancelledDuringOpen() {
    for (Cancellation.Cause cause : Cancellation.Cause.values()) {
      try (var fixture = new Fixture()) {
        fixture.behave(new UpstreamBehaviour.Silent());
        Call call = fixture.nonStreaming("x");
        CallReader reading = fixture.start(call);
        reading.awaitBlocked();
        call.cancellation().cancel(cause);
        reading.awaitWoken();
        assertThat(reading.failureKind()).as(cause.name()).isEqualTo(kind(cause));
      }
    }
  }

  @Test
  @DisplayName("a cancellation wakes the reader of a stalled answer; it fails with the right kind")
  void cancelledInTheMiddle() {
    for (Cancellation.Cause cause : Cancellation.Cause.values()) {
      try (var fixture = new Fixture()) {
        fixture.behave(new UpstreamBehaviour.Stalls(TEXT));
        Call call = fixture.streaming("x");
        CallReader reading = fixture.start(call);
        if (streams()) {
          reading.awaitText(TEXT);
        }
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
    try (var fixture = new Fixture()) {
      fixture.behave(new UpstreamBehaviour.Echoes());
      Call call = fixture.streaming(TEXT);
      CallReader first = fixture.read(call);
      call.cancellation().cancel(Cancellation.Cause.CALLER_GONE);

      assertThat(first.failureKind()).isNull();
      assertThat(fixture.read(fixture.streaming(TEXT)).text()).isEqualTo(TEXT);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 402, 403, 404, 408, 410, 413, 422, 429, 500, 502, 503, 504, 529})
  @DisplayName("a refusal is classified by its status, which is kept")
  void refusals(int status) {
    assertThat(refusedWith(status)).isEqualTo(FailureKind.ofStatus(status));
  }

  private FailureKind refusedWith(int status) {
    try (var fixture = new Fixture()) {
      fixture.behave(new UpstreamBehaviour.Refuses(status, -1, "no"));
      CallReader stream = fixture.read(fixture.streaming("x"));
      CallReader whole = fixture.read(fixture.nonStreaming("x"));
      assertThat(whole.failure())
          .as("the same refusal without a stream")
          .isEqualTo(stream.failure());
      assertThat(stream.failure().retryAfterSeconds()).isEqualTo(-1);
      assertThat(stream.failure().status()).isEqualTo(status);
      return stream.failure().kind();
    }
  }

  @Test
  @DisplayName("the upstream's Retry-After is kept")
  void retryAfter() {
    try (var fixture = new Fixture()) {
      fixture.behave(new UpstreamBehaviour.Refuses(429, 7, "slow down"));
      CallReader reading = fixture.read(fixture.streaming("x"));
      assertThat(reading.failureKind()).isEqualTo(FailureKind.RATE_LIMITED);
      assertThat(reading.failure().retryAfterSeconds()).isEqualTo(7);
    }
  }

  @Test
  @DisplayName("an answer that is not valid in the dialect is a protocol failure")
  void garbage() {
    try (var fixture = new Fixture()) {
      fixture.behave(new UpstreamBehaviour.Garbage());
      for (Call call : List.of(fixture.streaming("x"), fixture.nonStreaming("x"))) {
        assertThat(fixture.read(call).failureKind()).isEqualTo(FailureKind.PROTOCOL);
      }
    }
  }

  @Test
  @DisplayName("a cut answer fails; a stream first delivers what had arrived")
  void cut() {
    try (var fixture = new Fixture()) {
      fixture.behave(new UpstreamBehaviour.Cuts(TEXT));
      CallReader reading = fixture.read(fixture.streaming("x"));
      assertThat(reading.text()).isEqualTo(streams() ? TEXT : "");
      assertThat(reading.failureKind()).isIn(FailureKind.PROTOCOL, FailureKind.UNAVAILABLE);
    }
  }

  @Test
  @DisplayName("after a failure, the next call succeeds")
  void recovers() {
    try (var fixture = new Fixture()) {
      for (UpstreamBehaviour fault :
          List.of(
              new UpstreamBehaviour.Refuses(500, -1, "no"),
              new UpstreamBehaviour.Garbage(),
              new UpstreamBehaviour.Cuts("half"))) {
        fixture.behave(fault);
        assertThat(fixture.read(fixture.streaming("x")).failureKind()).isNotNull();
        fixture.behave(new UpstreamBehaviour.Echoes());
        assertThat(fixture.read(fixture.streaming(TEXT)).text()).isEqualTo(TEXT);
      }
    }
  }

  @Test
  @DisplayName("a call that fails was sent only once: only the engine repeats a request")
  void sentOnce() {
    for (UpstreamBehaviour fault :
        List.of(
            new UpstreamBehaviour.Refuses(429, -1, "slow down"),
            new UpstreamBehaviour.Refuses(503, -1, "no"),
            new UpstreamBehaviour.Garbage(),
            new UpstreamBehaviour.Cuts("half"))) {
      try (var fixture = new Fixture()) {
        Assumptions.assumeTrue(
            fixture.setup.requests() >= 0, "this upstream does not count its requests");
        fixture.behave(fault);
        fixture.read(fixture.streaming("x"));
        fixture.read(fixture.nonStreaming("x"));
        assertThat(fixture.setup.requests()).as("requests of two calls, %s", fault).isEqualTo(2);
      }
    }
  }

  @Test
  @DisplayName("the credential and the configuration's headers arrive with every request")
  void head() {
    try (var fixture = new Fixture()) {
      fixture.behave(new UpstreamBehaviour.Echoes());
      for (Call call : List.of(fixture.streaming(TEXT), fixture.nonStreaming(TEXT))) {
        fixture.read(call);
        String head = fixture.setup.lastHead();
        Assumptions.assumeFalse(head.isEmpty(), "this upstream does not record request headers");
        assertThat(head).as("the credential is sent").contains(SECRET);
        assertThat(head)
            .as("the headers of the settings are sent")
            .contains(ScriptedUpstream.HEADER_VALUE);
      }
    }
  }

  @Test
  @DisplayName("64 calls at once do not mix their answers")
  void concurrent() {
    try (var fixture = new Fixture()) {
      fixture.behave(new UpstreamBehaviour.Echoes());
      var readings = new ArrayList<CallReader>();
      for (int i = 0; i < 64; i++) {
        String text = "answer " + i + " " + (char) ('a' + i % 26) + "!".repeat(i);
        readings.add(
            fixture.start(i % 2 == 0 ? fixture.streaming(text) : fixture.nonStreaming(text)));
      }
      for (int i = 0; i < 64; i++) {
        readings.get(i).awaitEnd();
        assertThat(readings.get(i).text())
            .isEqualTo("answer " + i + " " + (char) ('a' + i % 26) + "!".repeat(i));
      }
    }
  }

  @Test
  @DisplayName("the credential is shown nowhere, even if the upstream repeats it")
  void credential() {
    try (var fixture = new Fixture()) {
      Call call = fixture.call(Given.streaming(fixture.setup.endpoint().model(), TEXT));
      fixture.behave(new UpstreamBehaviour.Refuses(401, -1, "wrong key: " + SECRET));
      CallReader refused = fixture.read(call);
      fixture.behave(new UpstreamBehaviour.Echoes());
      CallReader answered = fixture.read(call);

      var provider = fixture.setup.provider();
      var texts = new ArrayList<>(List.of(call.toString(), provider.toString()));
      texts.add(provider.body(call).toString());
      texts.add(refused.thrown() + " " + refused.failure() + refused.events());
      texts.add(answered.events().toString());
      assertThat(texts).noneMatch(text -> text.contains(SECRET));
    }
  }

  @Test
  @DisplayName("body() names the upstream's model and contains the question")
  void body() {
    try (var fixture = new Fixture()) {
      Call call = fixture.streaming("a distinctive question");
      String body = fixture.setup.provider().body(call).toString();
      assertThat(body).contains("a distinctive question");
      assertThat(body.contains(call.endpoint().upstreamModel()))
          .isEqualTo(fixture.setup.namesModelInBody());
    }
  }

  @Test
  @DisplayName("the end user's hash is sent or a loss recorded; the caller's own id is never sent")
  void endUser() {
    try (var fixture = new Fixture()) {
      fixture.assumeSendsParameters();
      for (InferenceRequest request : fixture.conversations()) {
        SentRequest sent =
            fixture.send(request.toBuilder().user("own-user").build(), -1, 0, "hash-77");
        assertThat(sent.body).as(sent.dialect).doesNotContain("own-user");
        assertThat(sent.body.contains("hash-77") || sent.isLost("user"))
            .as("%s: the hash is sent, or recorded as a loss of the user", sent.dialect)
            .isTrue();
      }
    }
  }

  @Proves("translation.fate.dropped")
  @Test
  @DisplayName("a parameter the endpoint does not support is not sent, but recorded as a loss")
  void unsupportedParameter() {
    try (var fixture = new Fixture()) {
      fixture.assumeSendsParameters();
      for (InferenceRequest request : fixture.conversations()) {
        Json.Obj members = request.members().with("temperature", Json.of(new BigDecimal("0.625")));
        InferenceRequest warm = request.toBuilder().members(members).build();
        if (fixture.supports(Parameter.TEMPERATURE)) {
          assertThat(fixture.send(warm, -1, 0, null).body)
              .as(request.dialect().name())
              .contains("0.625");
        }
        SentRequest sent = fixture.send(warm, ~Parameter.TEMPERATURE.bit(), 0, null);
        assertThat(sent.body).as(sent.dialect).doesNotContain("0.625");
        assertThat(sent.isLost("temperature"))
            .as("%s: a loss of the temperature is recorded", sent.dialect)
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("a requirement on the answer is sent, or recorded as a loss")
  void demands(TestConversations.Demand demand) {
    try (var fixture = new Fixture()) {
      fixture.assumeSendsParameters();
      for (InferenceRequest request : demand.inDialects(fixture.setup.endpoint().model())) {
        SentRequest sent = fixture.send(request, -1, 0, null);
        assertThat(sent.body.contains(demand.text()) || sent.isLost(demand.lossSubject()))
            .as("%s: the %s is sent, or recorded as a loss", sent.dialect, demand.member())
            .isTrue();

        SentRequest without = fixture.send(request, ~demand.parameters(), 0, null);
        boolean arrived = without.body.contains(demand.text());
        assertThat(without.isLost(demand.lossSubject()) || demand.mayBeEmulated() && arrived)
            .as("%s: a loss of the %s is recorded", without.dialect, demand.member())
            .isTrue();
        assertThat(arrived && !demand.mayBeEmulated())
            .as(
                "%s: no %s is sent to an endpoint that does not take it",
                without.dialect, demand.member())
            .isFalse();
      }
    }
  }

  @Test
  @DisplayName("the call's cap replaces the request's own limit")
  void outputCap() {
    try (var fixture = new Fixture()) {
      fixture.assumeSendsParameters();
      for (InferenceRequest request : fixture.conversations()) {
        InferenceRequest limited = request.toBuilder().maxOutputTokens(7717).build();
        SentRequest sent = fixture.send(limited, -1, 5501, null);
        assertThat(sent.body).as(sent.dialect).doesNotContain("7717");
        if (fixture.supports(Parameter.MAX_TOKENS)) {
          assertThat(sent.body).as(sent.dialect).contains("5501");
        }
      }
    }
  }

  @Test
  @DisplayName("a request of every dialect arrives: instructions, texts, tools, calls and results")
  void everyDialect() {
    try (var fixture = new Fixture()) {
      fixture.assumeSendsParameters();
      for (InferenceRequest request : fixture.conversations()) {
        SentRequest sent = fixture.send(request, -1, 0, null);
        assertThat(sent.body)
            .as(sent.dialect)
            .contains(TestConversations.TEXTS)
            .containsOnlyOnce(TestConversations.QUESTION);
        if (fixture.supports(Parameter.TOOLS)) {
          assertThat(sent.body).as(sent.dialect).contains(TestConversations.TOOL_TEXTS);
        }
      }
    }
  }

  @Test
  @DisplayName("body() returns the body that is sent, for requests of every dialect")
  void sentAsShown() {
    try (var fixture = new Fixture()) {
      fixture.assumeSendsParameters();
      for (InferenceRequest request : fixture.conversations()) {
        SentRequest sent =
            fixture.send(request.toBuilder().user("own-user").build(), -1, 5501, "hash-77");
        assertThat(sent.shown).as(sent.dialect).isEqualTo(sent.body);
      }
    }
  }

  @Test
  @DisplayName("once closed, it leaves no platform thread, virtual thread or connection")
  void leavesNothing() throws InterruptedException {
    Set<PluginCode> codes;
    try (var fixture = new Fixture()) {
      codes = PluginCode.of(fixture.setup.provider());
    }
    LeakedThreads.assertNone(
        codes,
        () -> {
          useOnce();
          return null;
        });
  }

  /** Makes calls that end in every possible way. */
  private void useOnce() throws UpstreamException {
    try (var fixture = new Fixture()) {
      for (UpstreamBehaviour behaviour :
          List.of(
              new UpstreamBehaviour.Echoes(),
              new UpstreamBehaviour.Refuses(500, -1, "no"),
              new UpstreamBehaviour.Garbage(),
              new UpstreamBehaviour.Cuts(TEXT))) {
        fixture.behave(behaviour);
        fixture.read(fixture.streaming(TEXT));
        fixture.read(fixture.nonStreaming(TEXT));
      }
      fixture.behave(new UpstreamBehaviour.Silent());
      Call silent = fixture.nonStreaming("x");
      CallReader cancelled = fixture.start(silent);
      cancelled.awaitBlocked();
      silent.cancellation().cancel(Cancellation.Cause.CALLER_GONE);
      cancelled.awaitWoken();
      fixture.behave(new UpstreamBehaviour.Echoes());
      fixture.open(fixture.streaming(TEXT)).close();
    }
  }

  /**
   * The body that the upstream received, the body that the adapter shows for the call, and the
   * recorded losses.
   */
  private record SentRequest(String dialect, String body, String shown, List<Loss> losses) {
    boolean isLost(String subject) {
      return losses.stream().anyMatch(loss -> loss.subject().contains(subject));
    }
  }

  /** The setup and ambient of one test; fails on closing when a thread is left. */
  private final class Fixture implements AutoCloseable {
    private final TestAmbient ambient = TestAmbient.realTime();
    private final ProviderSetup setup = connect(ambient);

    void behave(UpstreamBehaviour behaviour) {
      setup.behave(behaviour);
    }

    Call streaming(String text) {
      return call(Given.streaming(setup.endpoint().model(), text));
    }

    Call nonStreaming(String text) {
      return call(Given.request(setup.endpoint().model(), text));
    }

    Call call(InferenceRequest request) {
      return Given.call(setup.endpoint(), new Credential(SECRET), request, new Cancellation());
    }

    void assumeSendsParameters() {
      Assumptions.assumeTrue(
          setup.sendsParameters(), "this adapter sends no parameters to an upstream");
    }

    boolean supports(Parameter parameter) {
      return setup.endpoint().supports(parameter);
    }

    /** Returns the same conversation in every dialect of callers. */
    List<InferenceRequest> conversations() {
      return TestConversations.inEveryDialect(setup.endpoint().model(), supports(Parameter.TOOLS));
    }

    /**
     * Sends a request through the adapter.
     *
     * @param parameters a mask over the protocol's parameters: the endpoint supports those whose
     *     bit is set; -1 for all
     */
    SentRequest send(InferenceRequest request, long parameters, int cap, @Nullable String endUser) {
      Endpoint endpoint = setup.endpoint();
      var losses = new CopyOnWriteArrayList<Loss>();
      var call =
          new Call(
              endpoint.toBuilder().parameters(endpoint.parameterMask() & parameters).build(),
              Credential.NONE,
              request,
              cap,
              endUser,
              Duration.ofMinutes(1),
              ModelInfo.Reasoning.NONE,
              losses::add,
              new Cancellation());
      setup.behave(new UpstreamBehaviour.Echoes());
      String shown = setup.provider().body(call).toString();
      losses.clear();
      CallReader reading = read(call);
      String dialect = request.dialect().name();
      assertThat(reading.failureKind()).as("%s: the failure of the call", dialect).isNull();
      return new SentRequest(dialect, setup.lastBody(), shown, losses);
    }

    EventStream open(Call call) throws UpstreamException {
      return new AssertingEventStream(call.endpoint().id(), setup.provider().open(call));
    }

    /** Starts reading on a new thread. */
    CallReader start(Call call) {
      return CallReader.start(ambient, setup.provider(), call);
    }

    /** Reads the answer to its end. */
    CallReader read(Call call) {
      CallReader reading = start(call);
      reading.awaitEnd();
      return reading;
    }

    @Override
    public void close() {
      try (setup) {
        setup.provider().close();
      }
      ambient.assertNoThreadsLeft();
    }
  }
}
