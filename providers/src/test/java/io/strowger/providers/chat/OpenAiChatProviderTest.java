package io.strowger.providers.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.strowger.providers.http.ApacheTransport;
import io.strowger.simulated.ReceivedRequest;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.tck.TestAmbient;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The openai-chat adapter over real sockets")
class OpenAiChatProviderTest {
  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final String STREAM =
      "{'model':'lab/model','messages':[{'role':'user','content':'hi'}],'stream':true}";
  private static final String UNSTREAMED =
      "{'model':'lab/model','messages':[{'role':'user','content':'hi'}]}";

  private final TestAmbient ambient = TestAmbient.realTime();
  private final SimulatedUpstream upstream = SimulatedUpstream.start(ambient);
  private final ApacheTransport transport = new ApacheTransport();
  private final ChatProvider provider = connect(upstream.baseUri());

  @AfterEach
  void closeAndCheckNothingIsLeft() {
    assertThat(transport.leasedCount()).as("connections still leased").isZero();
    provider.close();
    transport.close();
    upstream.close();
    ambient.assertNoThreadsLeft();
  }

  private ChatProvider connect(URI base) {
    return new OpenAiChatFactory(transport)
        .create(
            new ProviderSettings(
                "alpha",
                base,
                Map.of("X-Tenant", "t1"),
                Duration.ofSeconds(5),
                ChatFixtures.CODEC,
                ambient));
  }

  private static Call call(String request, Credential credential, Cancellation until) {
    return new Call(
        ChatFixtures.endpoint(),
        credential,
        ChatFixtures.request(request),
        0,
        null,
        Duration.ofSeconds(30),
        until);
  }

  private static Call call(String request) {
    return call(request, new Credential("sk-1"), new Cancellation());
  }

  private List<Event> read(Call call) throws UpstreamException {
    var events = new ArrayList<Event>();
    try (EventStream stream = provider.open(call)) {
      for (Event event = stream.next(); event != null; event = stream.next()) {
        events.add(event);
      }
    }
    return events;
  }

  private void script(Script script) {
    upstream.script(ChatFixtures.UPSTREAM_MODEL, script);
  }

  @Test
  @DisplayName("sends body, credential and configured headers to /chat/completions")
  void sends() throws UpstreamException {
    script(Script.answer("hello"));
    read(call(STREAM));
    ReceivedRequest sent = upstream.last();
    assertThat(sent.path()).isEqualTo("/v1/chat/completions");
    assertThat(sent.header("authorization")).isEqualTo("Bearer sk-1");
    assertThat(sent.header("X-Tenant")).isEqualTo("t1");
    assertThat(sent.header("accept")).isEqualTo("text/event-stream");
    assertThat(sent.text()).isEqualTo(ChatFixtures.written(call(STREAM)));
    assertThat(provider.body(call(STREAM))).isEqualTo(ChatFixtures.parsed(sent.text()));
  }

  @Test
  @DisplayName("sends no header without a credential, and accepts a base URI with a trailing slash")
  void noCredential() throws UpstreamException {
    script(Script.answer("hello"));
    try (ChatProvider trailingSlash = connect(URI.create(upstream.baseUri() + "/"))) {
      trailingSlash.open(call(UNSTREAMED, Credential.NONE, new Cancellation())).close();
    }
    assertThat(upstream.last().path()).isEqualTo("/v1/chat/completions");
    assertThat(upstream.last().header("authorization")).isNull();
  }

  @Test
  @DisplayName("reads a complete answer into parts, stop reason and usage, and keeps its document")
  void whole() throws UpstreamException {
    Json.Obj extra = ChatFixtures.json("{'x_unknown':{'a':[1.50]}}");
    script(
        Script.builder()
            .text("Let me see.")
            .reasoning("hm")
            .toolCall("c1", "look", "{\"at\":1}")
            .tokens(100, 40)
            .tokenDetails(60, 30)
            .extras(extra)
            .build());
    List<Event> events = read(call(UNSTREAMED));
    assertThat(events).hasSize(2);
    Answer answer = ((Event.CompleteAnswer) events.get(1)).answer();
    assertThat(answer.stopReason()).isEqualTo(StopReason.TOOL_CALLS);
    assertThat(answer.nativeReason()).isEqualTo("tool_calls");
    assertThat(Objects.requireNonNull(answer.usage()).cacheRead()).isEqualTo(60);
    assertThat(Objects.requireNonNull(answer.source()).get("x_unknown"))
        .isEqualTo(extra.get("x_unknown"));
    assertThat(answer.parts()).hasSize(3);
    assertThat(answer.parts().get(0))
        .isInstanceOfSatisfying(
            Part.Thinking.class, thought -> assertThat(thought.text().text()).isEqualTo("hm"));
    assertThat(answer.parts().get(1))
        .isInstanceOfSatisfying(
            Part.Text.class, text -> assertThat(text.text().text()).isEqualTo("Let me see."));
    assertThat(answer.parts().get(2))
        .isInstanceOfSatisfying(
            Part.ToolCall.class,
            call -> {
              assertThat(call.name()).isEqualTo("look");
              assertThat(call.arguments().text()).isEqualTo("{\"at\":1}");
            });
  }

  @Test
  @DisplayName("gives the same usage for a complete answer and for its stream")
  void sameUsage() throws UpstreamException {
    script(Script.builder().tokens(100, 40).tokenDetails(60, 30).build());
    assertThat(usage(read(call(STREAM)))).isEqualTo(usage(read(call(UNSTREAMED))));
  }

  private static String usage(List<Event> events) {
    return events.stream()
        .filter(event -> event instanceof Event.UsageReport)
        .map(event -> ((Event.UsageReport) event).usage())
        .map(usage -> usage + " " + usage.cacheRead() + " " + usage.reasoning())
        .toList()
        .toString();
  }

  @Test
  @DisplayName("gives the fragments of a streamed tool call")
  void toolCalls() throws UpstreamException {
    script(Script.builder().text("").toolCall("c1", "f", "{\"a\":1}").build());
    var arguments = new StringBuilder();
    var names = new ArrayList<String>();
    for (Event event : read(call(STREAM))) {
      if (event instanceof Event.ToolCallDelta delta) {
        arguments.append(delta.arguments().text());
        if (delta.name() != null) {
          names.add(delta.id() + " " + delta.name());
        }
      }
    }
    assertThat(names).containsExactly("c1 f");
    assertThat(arguments.toString()).isEqualTo("{\"a\":1}");
  }

  @Test
  @DisplayName("reuses one connection for all answers, streamed or not")
  void keepAlive() throws UpstreamException {
    script(Script.answer("hello"));
    for (int i = 0; i < 20; i++) {
      assertThat(read(call(i % 2 == 0 ? STREAM : UNSTREAMED)).getLast().isTerminal()).isTrue();
    }
    script(Script.status(500));
    assertThatThrownBy(() -> read(call(UNSTREAMED))).isInstanceOf(UpstreamException.class);
    script(Script.answer("hello"));
    read(call(STREAM));
    assertThat(upstream.connections()).isEqualTo(1);
  }

  @Test
  @DisplayName(
      "keeps the connection when the reader cancels after the last event, as the engine does")
  void cancelsAfterTheEnd() throws UpstreamException {
    script(Script.answer("hello"));
    for (int i = 0; i < 3; i++) {
      var until = new Cancellation();
      try (EventStream stream = provider.open(call(STREAM, Credential.NONE, until))) {
        Event event = stream.next();
        while (event != null && !event.isTerminal()) {
          event = stream.next();
        }
        until.cancel(Cancellation.Cause.CLOSED);
      }
    }
    assertThat(upstream.connections()).isEqualTo(1);
  }

  static Stream<Arguments> faults() {
    return Stream.of(
        Arguments.of(new ScriptedFault.Cut(ScriptedFault.BEFORE_HEAD), FailureKind.UNAVAILABLE),
        Arguments.of(new ScriptedFault.Cut(ScriptedFault.AFTER_HEAD), FailureKind.UNAVAILABLE),
        Arguments.of(new ScriptedFault.Cut(2), FailureKind.UNAVAILABLE),
        Arguments.of(
            new ScriptedFault.CutInside(ScriptedFault.BEFORE_HEAD), FailureKind.UNAVAILABLE),
        Arguments.of(
            new ScriptedFault.CutInside(ScriptedFault.AFTER_HEAD), FailureKind.UNAVAILABLE),
        Arguments.of(new ScriptedFault.CutInside(2), FailureKind.UNAVAILABLE),
        Arguments.of(new ScriptedFault.Garbage(ScriptedFault.BEFORE_HEAD), FailureKind.PROTOCOL),
        Arguments.of(new ScriptedFault.Garbage(ScriptedFault.AFTER_HEAD), FailureKind.PROTOCOL),
        Arguments.of(new ScriptedFault.Garbage(2), FailureKind.PROTOCOL),
        Arguments.of(
            new ScriptedFault.ErrorFrame(0, "{\"error\":{\"code\":429}}"),
            FailureKind.RATE_LIMITED),
        Arguments.of(
            new ScriptedFault.ErrorFrame(2, "{\"error\":{\"code\":529}}"), FailureKind.OVERLOADED),
        Arguments.of(new ScriptedFault.Unfinished(), FailureKind.PROTOCOL),
        Arguments.of(new ScriptedFault.RawResponse(503, Map.of(), "busy"), FailureKind.OVERLOADED));
  }

  @ParameterizedTest
  @MethodSource("faults")
  @DisplayName("reports every fault by its kind, streamed or not, and leaves nothing open")
  void fault(ScriptedFault scriptedFault, FailureKind kind) {
    script(Script.failing(scriptedFault));
    assertThat(kindOf(STREAM)).isEqualTo(kind);
    assertThat(kindOf(UNSTREAMED)).isEqualTo(kind);
  }

  private FailureKind kindOf(String request) {
    try {
      return Objects.requireNonNull(((Event.Failed) read(call(request)).getLast()).kind());
    } catch (UpstreamException failure) {
      return failure.kind();
    }
  }

  @Test
  @DisplayName(
      "reports a document in place of a stream, or a stream in place of a document, as wrong")
  void contentTypes() {
    script(Script.failing(new ScriptedFault.ContentType("application/json")));
    assertThat(kindOf(STREAM)).isEqualTo(FailureKind.PROTOCOL);
    upstream.respond(
        ChatFixtures.UPSTREAM_MODEL, request -> Script.responding(200, Map.of(), "data: {}"));
    assertThat(kindOf(UNSTREAMED)).isEqualTo(FailureKind.PROTOCOL);
  }

  @Test
  @DisplayName("distinguishes a refused connection from a timeout")
  void unreachable() throws Exception {
    URI unusedPort;
    try (var unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      unusedPort = URI.create("http://127.0.0.1:" + unused.getLocalPort() + "/v1");
    }
    try (ChatProvider unreachable = connect(unusedPort)) {
      UpstreamException failure =
          catchThrowableOfType(UpstreamException.class, () -> unreachable.open(call(UNSTREAMED)));
      assertThat(failure.kind()).isEqualTo(FailureKind.UNAVAILABLE);
    }
    script(Script.failing(new ScriptedFault.Stall(ScriptedFault.BEFORE_HEAD)));
    Call impatient =
        new Call(
            ChatFixtures.endpoint(),
            Credential.NONE,
            ChatFixtures.request(UNSTREAMED),
            0,
            null,
            Duration.ofMillis(50),
            new Cancellation());
    UpstreamException silent =
        catchThrowableOfType(UpstreamException.class, () -> provider.open(impatient));
    assertThat(silent.kind()).isEqualTo(FailureKind.TIMEOUT);
  }

  @ParameterizedTest
  @ValueSource(ints = {ScriptedFault.BEFORE_HEAD, ScriptedFault.AFTER_HEAD, 1})
  @DisplayName("ends at a cancellation while the upstream is silent, which sees the connection end")
  void cancelling(int at) throws Exception {
    script(Script.builder().fault(new ScriptedFault.Stall(at)).build());
    long before = upstream.requests();
    var until = new Cancellation();
    var outcome = new AtomicReference<@Nullable FailureKind>();
    var read = new CountDownLatch(Math.max(0, at) + 1); // the events before the silence
    var done = new CountDownLatch(1);
    ambient.start(
        "reader",
        () -> {
          try (EventStream stream = provider.open(call(STREAM, Credential.NONE, until))) {
            Event event = stream.next();
            while (event != null && !event.isTerminal()) {
              read.countDown();
              event = stream.next();
            }
            outcome.set(event instanceof Event.Failed failed ? failed.kind() : null);
          } catch (UpstreamException failure) {
            outcome.set(failure.kind());
          }
          done.countDown();
        });
    assertThat(upstream.awaitRequests(before + 1, WAIT)).isTrue();
    if (at > 0) {
      assertThat(read.await(10, TimeUnit.SECONDS)).isTrue();
    }
    until.cancel(Cancellation.Cause.CALLER_GONE);
    assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(upstream.awaitClientGone(WAIT)).isTrue();
    assertThat(outcome.get()).isEqualTo(FailureKind.CANCELLED);
  }

  @Test
  @DisplayName("does not take comments for content, so that a deadline ends a stream of comments")
  void dripping() throws Exception {
    script(Script.failing(new ScriptedFault.Drip(1, Duration.ofMillis(5))));
    var until = new Cancellation();
    try (EventStream stream = provider.open(call(STREAM, Credential.NONE, until))) {
      assertThat(stream.next()).isInstanceOf(Event.Started.class);
      assertThat(stream.next()).isInstanceOf(Event.TextDelta.class);
      ambient.start("deadline", () -> until.cancel(Cancellation.Cause.GAP));
      assertThat(Objects.requireNonNull(stream.next()))
          .isInstanceOfSatisfying(
              Event.Failed.class, f -> assertThat(f.kind()).isEqualTo(FailureKind.TIMEOUT));
    }
    assertThat(upstream.awaitClientGone(WAIT)).isTrue();
  }

  @Test
  @DisplayName("ends an unfinished stream at once when it is closed, which the upstream sees")
  void closing() throws Exception {
    script(Script.failing(new ScriptedFault.Stall(1)));
    EventStream stream = provider.open(call(STREAM));
    assertThat(stream.next()).isInstanceOf(Event.Started.class);
    stream.close();
    assertThat(stream.next()).isNull();
    assertThat(upstream.awaitClientGone(WAIT)).isTrue();
  }
}
