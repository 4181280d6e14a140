package io.strowger.providers.chat;

import static io.strowger.providers.chat.Bodies.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Shape;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.Transport;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A streamed answer")
class ChatStreamTest {
  private static final String ENVELOPE = "'id':'c1','object':'chat.completion.chunk','model':'m'";
  private static final String ROLE = chunk("'delta':{'role':'assistant','content':''}", "");
  private static final String HELLO = text("Hello");
  private static final String FINISH = chunk("'delta':{},'finish_reason':'stop'", "");
  private static final String USAGE_JSON = "'usage':{'prompt_tokens':3,'completion_tokens':2}";
  private static final String USAGE = "{" + ENVELOPE + ",'choices':[]," + USAGE_JSON + "}";
  private static final String DONE = "[DONE]";

  private final Cancellation cancellation = new Cancellation();

  /** A frame of one choice, with more members of the frame behind it. */
  private static String chunk(String choice, String more) {
    return "{" + ENVELOPE + ",'choices':[{'index':0," + choice + "}]" + more + "}";
  }

  private static String text(String text) {
    return chunk("'delta':{'content':'" + text + "'},'finish_reason':null", "");
  }

  private static CannedTransport sse(String... frames) {
    var body = new StringBuilder();
    for (String frame : frames) {
      body.append("data: ").append(frame.replace('\'', '"')).append("\n\n");
    }
    return new CannedTransport(200, body.toString());
  }

  private ChatStream open(CannedTransport transport) throws IOException {
    Transport.Response response =
        transport.send(
            new Transport.Request(
                URI.create("http://a/"),
                Map.of(),
                new byte[0],
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                cancellation));
    return new ChatStream(response, Bodies.CODEC, Credential.NONE, cancellation, () -> {});
  }

  private List<Event> read(CannedTransport transport) throws IOException {
    var events = new ArrayList<Event>();
    try (EventStream stream = open(transport)) {
      for (Event event = stream.next(); event != null; event = stream.next()) {
        events.add(event);
      }
      assertThat(stream.next()).isNull();
    }
    assertThat(events).filteredOn(Event::isTerminal).hasSize(1);
    assertThat(events.getLast().isTerminal()).isTrue();
    return events;
  }

  private List<Event> read(String... frames) throws IOException {
    return read(sse(frames));
  }

  private static List<String> kinds(List<Event> events) {
    return events.stream().map(event -> event.getClass().getSimpleName()).toList();
  }

  private FailureKind failure(CannedTransport transport) throws IOException {
    return Objects.requireNonNull(((Event.Failed) read(transport).getLast()).kind());
  }

  /** The frame an event is written as in its own dialect. */
  static Json.@Nullable Obj frame(Event event) {
    return switch (event) {
      case Event.Started e -> e.frame();
      case Event.TextDelta e -> shaped(e.text(), Objects.requireNonNull(e.shape()));
      case Event.ReasoningDelta e -> shaped(e.text(), Objects.requireNonNull(e.shape()));
      case Event.ToolCallDelta e -> e.frame();
      case Event.Annotation e -> e.frame();
      case Event.Opaque e -> e.frame();
      case Event.UsageReport e -> e.frame();
      case Event.Finished e -> e.frame();
      case Event.Debug e -> null;
      case Event.Whole e -> null;
      case Event.Failed e -> null;
    };
  }

  private static Json.Obj shaped(Json.Str text, Shape shape) {
    var out = new JsonOutput(64);
    shape.write(text, out);
    return Bodies.parsed(new String(out.toByteArray(), StandardCharsets.UTF_8));
  }

  @Nested
  @DisplayName("that is complete")
  class Complete {
    @Test
    @DisplayName("starts, says its text, its usage and its end, each with its own frame")
    void plain() throws IOException {
      List<Event> events = read(ROLE, HELLO, text(" you"), FINISH, USAGE, DONE);
      assertThat(kinds(events))
          .containsExactly("Started", "TextDelta", "TextDelta", "UsageReport", "Finished");
      assertThat(events.stream().map(ChatStreamTest::frame).toList())
          .containsExactly(json(ROLE), json(HELLO), json(text(" you")), json(USAGE), json(FINISH));
      assertThat(((Event.UsageReport) events.get(3)).usage().promptTokens()).isEqualTo(3);
      assertThat(((Event.Finished) events.get(4)).reason()).isEqualTo(StopReason.END);
    }

    @Test
    @DisplayName("needs no [DONE], no usage, and nothing behind its finish")
    void endings() throws IOException {
      for (CannedTransport transport :
          List.of(
              sse(HELLO, FINISH, DONE),
              sse(HELLO, FINISH),
              sse(HELLO, FINISH, USAGE),
              sse(HELLO, FINISH).cutBy(new IOException("reset")),
              sse(HELLO, FINISH).cutBy(new SocketTimeoutException("silent")))) {
        assertThat(read(transport).getLast()).isInstanceOf(Event.Finished.class);
        assertThat(transport.finished()).isEqualTo(1);
      }
    }

    @Test
    @DisplayName("stays complete when a deadline passes while it waits for the usage")
    void deadline() throws IOException {
      var transport =
          sse(HELLO, FINISH)
              .cutBy(new IOException("aborted"))
              .atEnd(() -> cancellation.cancel(Cancellation.Cause.GAP));
      assertThat(read(transport).getLast()).isInstanceOf(Event.Finished.class);
    }

    @Test
    @DisplayName("is not wanted any more when its caller goes while it waits for the usage")
    void callerGone() throws IOException {
      var transport =
          sse(HELLO, FINISH)
              .cutBy(new IOException("aborted"))
              .atEnd(() -> cancellation.cancel(Cancellation.Cause.CALLER_GONE));
      assertThat(failure(transport)).isEqualTo(FailureKind.CANCELLED);
    }

    @ParameterizedTest
    @CsvSource({
      "stop, END",
      "length, LENGTH",
      "max_tokens, LENGTH",
      "content_filter, CONTENT_FILTER",
      "tool_calls, END",
      "something_new, END"
    })
    @DisplayName("says why in the engine's words and in the upstream's")
    void reasons(String word, StopReason reason) throws IOException {
      var finished =
          (Event.Finished)
              read(HELLO, chunk("'delta':{},'finish_reason':'" + word + "'", "")).getLast();
      assertThat(finished.reason()).isEqualTo(reason);
      assertThat(finished.nativeReason()).isEqualTo(word);
    }

    @Test
    @DisplayName("tells the upstream's native word where there is one")
    void nativeWord() throws IOException {
      String finish = "'delta':{},'finish_reason':'stop','native_finish_reason':'eos'";
      var finished = (Event.Finished) read(HELLO, chunk(finish, "")).getLast();
      assertThat(finished.nativeReason()).isEqualTo("eos");
    }

    @Test
    @DisplayName("ended for its tool calls when there were any, whatever it says")
    void calls() throws IOException {
      String call =
          chunk("'delta':{'tool_calls':[{'index':0,'id':'t','function':{'name':'f'}}]}", "");
      assertThat(((Event.Finished) read(call, FINISH).getLast()).reason())
          .isEqualTo(StopReason.TOOL_CALLS);
      String full = chunk("'delta':{},'finish_reason':'length'", "");
      assertThat(((Event.Finished) read(call, full).getLast()).reason())
          .isEqualTo(StopReason.LENGTH);
    }

    @Test
    @DisplayName("ended with a refusal when it refused")
    void refusal() throws IOException {
      List<Event> events = read(chunk("'delta':{'refusal':'no'}", ""), FINISH);
      assertThat(kinds(events)).containsExactly("Opaque", "Finished");
      assertThat(((Event.Finished) events.getLast()).reason()).isEqualTo(StopReason.REFUSAL);
    }
  }

  @Nested
  @DisplayName("whose frame says several things")
  class Mixed {
    @Test
    @DisplayName("is split into a frame for each, every unknown member in exactly one")
    void everything() throws IOException {
      String all =
          chunk(
              "'logprobs':{'x':1},'delta':{'role':'assistant','reasoning':'R','content':'C',"
                  + "'tool_calls':[{'index':0,'id':'a','function':{'name':'f','arguments':'1'}},"
                  + "{'index':1,'id':'b','function':{'name':'g','arguments':'2'}}],"
                  + "'x_delta':{'y':2}},'finish_reason':'stop','native_finish_reason':'eos'",
              ",'x_frame':3," + USAGE_JSON);
      List<Event> events = read(all, DONE);
      assertThat(kinds(events))
          .containsExactly(
              "ReasoningDelta",
              "TextDelta",
              "ToolCallDelta",
              "ToolCallDelta",
              "Opaque",
              "UsageReport",
              "Finished");
      List<String> frames =
          events.stream().map(event -> Objects.requireNonNull(frame(event)).toString()).toList();
      for (String once :
          List.of(
              "\"R\"",
              "\"C\"",
              "\"a\"",
              "\"b\"",
              "\"x\":1",
              "\"y\":2",
              "x_frame",
              "\"usage\"",
              "\"stop\"",
              "\"eos\"",
              "\"role\"")) {
        assertThat(frames).as(once).filteredOn(frame -> frame.contains(once)).hasSize(1);
      }
      assertThat(frames).allMatch(frame -> frame.contains("\"id\":\"c1\""));
    }

    @Test
    @DisplayName("gives text and finish apart, so that the text may be changed")
    void textAndFinish() throws IOException {
      List<Event> events =
          read(chunk("'delta':{'content':'secret'},'finish_reason':'stop'", ""), DONE);
      assertThat(kinds(events)).containsExactly("TextDelta", "Finished");
      assertThat(frame(events.get(0))).isEqualTo(json(text("secret")));
      assertThat(String.valueOf(frame(events.get(1))))
          .doesNotContain("secret")
          .contains("\"finish_reason\":\"stop\"");
    }

    @Test
    @DisplayName("gives usage on the finish as a frame of its own, without choices")
    void usageOnFinish() throws IOException {
      List<Event> events =
          read(HELLO, chunk("'delta':{},'finish_reason':'stop'", "," + USAGE_JSON), DONE);
      assertThat(kinds(events)).containsExactly("TextDelta", "UsageReport", "Finished");
      assertThat(frame(events.get(1))).isEqualTo(json(USAGE));
      assertThat(frame(events.get(2))).isEqualTo(json(FINISH));
    }

    @Test
    @DisplayName("takes running usage from every frame, the last one last")
    void runningUsage() throws IOException {
      String running = chunk("'delta':{'content':'a'}", ",'usage':{'completion_tokens':1}");
      List<Event> events = read(running, running, FINISH, USAGE, DONE);
      assertThat(kinds(events))
          .containsExactly(
              "TextDelta", "UsageReport", "TextDelta", "UsageReport", "UsageReport", "Finished");
    }

    @Test
    @DisplayName("gives reasoning once when it came under both of its names")
    void doubleReasoning() throws IOException {
      List<Event> events =
          read(chunk("'delta':{'reasoning':'R','reasoning_content':'R'}", ""), FINISH);
      assertThat(kinds(events)).containsExactly("ReasoningDelta", "Finished");
      assertThat(String.valueOf(frame(events.get(0)))).containsOnlyOnce("\"R\"");
    }

    @Test
    @DisplayName("gives further choices as they are; the first one decides the end")
    void choices() throws IOException {
      String two =
          "{"
              + ENVELOPE
              + ",'choices':[{'index':0,'delta':{'content':'a'}},"
              + "{'index':1,'delta':{'content':'b'}}]}";
      String second =
          "{" + ENVELOPE + ",'choices':[{'index':1,'delta':{},'finish_reason':'stop'}]}";
      assertThat(kinds(read(two, second, FINISH, DONE)))
          .containsExactly("TextDelta", "Opaque", "Opaque", "Finished");
      assertThat(failure(sse(two, second, DONE))).isEqualTo(FailureKind.PROTOCOL);
    }
  }

  @Nested
  @DisplayName("that says nothing yet")
  class Lifecycle {
    @Test
    @DisplayName("does not commit")
    void noContent() throws IOException {
      List<Event> events =
          read(
              "{'choices':[],'prompt_filter_results':[]}",
              ROLE,
              chunk("'delta':{}", ",'usage':null"),
              FINISH);
      assertThat(events.subList(0, 3)).allMatch(event -> event instanceof Event.Started);
      assertThat(events.subList(0, 3)).noneMatch(Event::isContent);
    }

    @Test
    @DisplayName("keeps unknown kinds of content as they are")
    void unknown() throws IOException {
      String audio = chunk("'delta':{'audio':{'data':'AA'}}", ",'x':1");
      List<Event> events = read(audio, FINISH);
      assertThat(events.get(0)).isEqualTo(new Event.Opaque(json(audio)));
    }

    @Test
    @DisplayName("gives annotations one by one")
    void annotations() throws IOException {
      String notes = chunk("'delta':{'annotations':[{'type':'a'},{'type':'b'}]}", "");
      assertThat(kinds(read(notes, FINISH)))
          .containsExactly("Annotation", "Annotation", "Finished");
    }
  }

  @Nested
  @DisplayName("fails")
  class Fails {
    @ParameterizedTest
    @ValueSource(
        strings = {"", "[DONE]", "{'choices':[", "nonsense", "[]", "{'choices':[1]}", "\"text\""})
    @DisplayName("as a breach of protocol when it ends early or is malformed")
    void protocol(String frame) throws IOException {
      for (String[] before : new String[][] {{}, {ROLE}, {ROLE, HELLO}}) {
        var frames = new ArrayList<>(List.of(before));
        frames.add(frame);
        assertThat(failure(sse(frames.toArray(String[]::new)))).isEqualTo(FailureKind.PROTOCOL);
      }
    }

    @Test
    @DisplayName("as a breach of protocol when a frame is larger than any should be")
    void huge() throws IOException {
      assertThat(failure(sse(HELLO, "x".repeat(9 << 20)))).isEqualTo(FailureKind.PROTOCOL);
    }

    @Test
    @DisplayName("as unavailable when it is cut, in time when it is silent")
    void cut() throws IOException {
      assertThat(failure(sse(HELLO).cutBy(new IOException("reset"))))
          .isEqualTo(FailureKind.UNAVAILABLE);
      assertThat(failure(sse(HELLO).cutBy(new SocketTimeoutException("silent"))))
          .isEqualTo(FailureKind.TIMEOUT);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        textBlock =
            """
            {'error':{'message':'x','code':429}}                                | RATE_LIMITED
            {'error':{'message':'x','type':'overloaded_error'}}                 | OVERLOADED
            {'error':'x'}                                                       | UNAVAILABLE
            {'object':'error','message':'x','code':503}                         | OVERLOADED
            {'choices':[{'index':0,'delta':{},'finish_reason':'error'}]}        | UNAVAILABLE
            {'error':{'code':500},'choices':[{'delta':{'content':''},'finish_reason':'error'}]} | UNAVAILABLE
            {'error':{'code':'content_filter','message':'x'}}                   | CONTENT_POLICY
            """)
    @DisplayName("as the upstream says when it reports an error in the middle")
    void error(String frame, FailureKind kind) throws IOException {
      assertThat(failure(sse(frame))).isEqualTo(kind);
      assertThat(failure(sse(ROLE, HELLO, frame, DONE))).isEqualTo(kind);
    }

    @Test
    @DisplayName("when the event is named an error, whatever is in it")
    void namedError() throws IOException {
      var transport = new CannedTransport(200, "event: error\ndata: {\"message\":\"x\"}\n\n");
      assertThat(failure(transport)).isEqualTo(FailureKind.UNAVAILABLE);
    }

    @Test
    @DisplayName("and ends its exchange at once, not in good order")
    void ended() throws IOException {
      CannedTransport transport = sse(HELLO, "nonsense");
      read(transport);
      assertThat(transport.finished()).isZero();
      assertThat(transport.closed()).isPositive();
    }
  }

  @Test
  @DisplayName("passes over empty data and comments")
  void quiet() throws IOException {
    var transport =
        new CannedTransport(
            200,
            ": ping\n\ndata:\n\n"
                + ("data: " + HELLO + "\n\ndata: " + FINISH + "\n\n").replace('\'', '"'));
    assertThat(kinds(read(transport))).containsExactly("TextDelta", "Finished");
  }

  @Test
  @DisplayName("is ready while events wait and again at its end")
  void ready() throws IOException {
    try (EventStream stream = open(sse(chunk("'delta':{'reasoning':'r','content':'c'}", "")))) {
      stream.next();
      assertThat(stream.ready()).isTrue();
      stream.next();
      stream.next();
      assertThat(stream.ready()).isTrue();
    }
  }

  @Test
  @DisplayName("shares one shape among frames that differ in their text only")
  void shapes() throws IOException {
    List<Event> events = read(HELLO, text("a"), text("b \\u00e4"), FINISH);
    var first = (Event.TextDelta) events.get(0);
    for (Event event : events.subList(1, 3)) {
      assertThat(((Event.TextDelta) event).shape()).isSameAs(first.shape());
    }
    assertThat(((Event.TextDelta) events.get(2)).text().text()).isEqualTo("b \u00e4");
  }
}
