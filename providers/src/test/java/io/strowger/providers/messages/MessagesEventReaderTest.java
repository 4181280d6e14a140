package io.strowger.providers.messages;

import static io.strowger.providers.messages.MessagesTestRequest.HI;
import static io.strowger.providers.messages.MessagesTestRequest.chat;
import static io.strowger.providers.messages.MessagesTestRequest.messages;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.upstream.CannedTransport;
import io.strowger.providers.upstream.UpstreamStream;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.AnswerCollector;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import io.strowger.tck.conformance.Proves;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A messages stream")
class MessagesEventReaderTest {
  private static final String MESSAGE_START =
      "{'type':'message_start','message':{'id':'m1','content':[],'usage':{'input_tokens':10,"
          + "'cache_read_input_tokens':90,'cache_creation_input_tokens':7,'output_tokens':1}}}";
  private static final String MESSAGE_STOP = "{'type':'message_stop'}";
  private static final String MESSAGE_DELTA =
      "{'type':'message_delta','delta':{'stop_reason':'end_turn','stop_sequence':null},"
          + "'usage':{'output_tokens':12}}";
  private static final String[] RECORDED = {
    MESSAGE_START,
    "{'type':'ping'}",
    start(0, "'type':'thinking','thinking':'','signature':''"),
    delta(0, "'type':'thinking_delta','thinking':'Hm\u00e4'"),
    delta(0, "'type':'thinking_delta','thinking':', so'"),
    delta(0, "'type':'signature_delta','signature':'c2ln'"),
    stop(0),
    start(1, "'type':'text','text':''"),
    delta(1, "'type':'text_delta','text':'Hello \u20ac'"),
    delta(1, "'type':'text_delta','text':' you'"),
    delta(
        1,
        "'type':'citations_delta','citation':{'type':'web_search_result_location',"
            + "'url':'https:\\/\\/x','title':'T','cited_text':'c'}"),
    stop(1),
    start(2, "'type':'server_tool_use','id':'s1','name':'web_search','input':{}"),
    delta(2, "'type':'input_json_delta','partial_json':'{}'"),
    stop(2),
    start(3, "'type':'tool_use','id':'t1','name':'look','input':{}"),
    start(4, "'type':'tool_use','id':'t2','name':'go','input':{}"),
    delta(3, "'type':'input_json_delta','partial_json':'{\\'a\\''"),
    stop(4),
    delta(3, "'type':'input_json_delta','partial_json':':1}'"),
    stop(3),
    MESSAGE_DELTA.replace("end_turn", "tool_use"),
    MESSAGE_STOP
  };

  private final Cancellation cancellation = new Cancellation();

  private static String start(int index, String block) {
    return "{'type':'content_block_start','index':" + index + ",'content_block':{" + block + "}}";
  }

  private static String delta(int index, String delta) {
    return "{'type':'content_block_delta','index':" + index + ",'delta':{" + delta + "}}";
  }

  private static String stop(int index) {
    return "{'type':'content_block_stop','index':" + index + "}";
  }

  private static byte[] sse(String... frames) {
    var body = new StringBuilder();
    for (String frame : frames) {
      String json = frame.replace("\\'", "\\\"").replace('\'', '"');
      body.append("event: ").append(MessagesTestRequest.parsed(json).text("type")).append('\n');
      body.append("data: ").append(json).append("\n\n");
    }
    return body.toString().getBytes(StandardCharsets.UTF_8);
  }

  private List<Event> read(MessagesTestRequest request, byte[] body) throws IOException {
    return read(request, new CannedTransport(200, new String(body, StandardCharsets.UTF_8)));
  }

  private List<Event> read(MessagesTestRequest request, CannedTransport transport)
      throws IOException {
    Transport.Response response =
        transport.send(
            new Transport.Request(
                URI.create("http://a/"),
                Map.of(),
                new JsonOutput(0),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                cancellation));
    return read(response, request);
  }

  private List<Event> read(Transport.Response response, MessagesTestRequest request) {
    var events = new ArrayList<Event>();
    try (var stream =
        new UpstreamStream(
            response,
            MessagesTestRequest.CODEC,
            MessagesTestRequest.codec().events(request.call()),
            cancellation,
            AnswerMemory.ofHeap(),
            () -> {})) {
      for (Event event = stream.next(); event != null; event = stream.next()) {
        events.add(event);
      }
    }
    assertThat(events).filteredOn(Event::isTerminal).hasSize(1);
    assertThat(events.getLast().isTerminal()).isTrue();
    return events;
  }

  private List<Event> read(String... frames) throws IOException {
    return read(messages(HI), sse(frames));
  }

  @Test
  @DisplayName("fails when too many blocks are open")
  void openBlocks() throws IOException {
    var frames = new ArrayList<String>();
    for (int i = 0; i < 1_100; i++) {
      frames.add(
          "{\"type\":\"content_block_start\",\"index\":"
              + i
              + ",\"content_block\":{\"type\":\"x\"}}");
    }
    List<Event> events = read(frames.toArray(String[]::new));
    assertThat(((Event.Failed) events.getLast()).kind()).isEqualTo(FailureKind.PROTOCOL);
    assertThat(events).hasSize(1_025);
  }

  private static List<String> kinds(List<Event> events) {
    return events.stream().map(event -> event.getClass().getSimpleName()).toList();
  }

  private static Event.Finished finished(List<Event> events) {
    return (Event.Finished) events.getLast();
  }

  private static List<Part> parts(List<Event> events) {
    var collector = new AnswerCollector();
    events.forEach(collector::add);
    return collector.answer(Dialect.MESSAGES).parts();
  }

  private static Usage usage(List<Event> events) {
    Usage usage = Usage.NONE;
    for (Event event : events) {
      usage = event instanceof Event.UsageReport report ? report.usage() : usage;
    }
    return usage;
  }

  @Proves("messages.answer.2")
  @Test
  @DisplayName("has its blocks as events, each with its frame, and no event for pings")
  void recorded() throws IOException {
    List<Event> events = read(RECORDED);
    assertThat(kinds(events))
        .containsExactly(
            "Started",
            "UsageReport",
            "BlockStart",
            "ReasoningDelta",
            "ReasoningDelta",
            "ReasoningSignature",
            "BlockStop",
            "BlockStart",
            "TextDelta",
            "TextDelta",
            "Annotation",
            "BlockStop",
            "OtherContent",
            "OtherContent",
            "OtherContent",
            "ToolCallDelta",
            "ToolCallDelta",
            "ToolCallDelta",
            "BlockStop",
            "ToolCallDelta",
            "BlockStop",
            "UsageReport",
            "Finished");
    assertThat(finished(events).reason()).isEqualTo(StopReason.TOOL_CALLS);
    assertThat(finished(events).nativeReason()).isEqualTo("tool_use");
    assertThat(String.valueOf(finished(events).frame())).contains("message_delta");
  }

  @Test
  @DisplayName("separates interleaved tool calls, also one without arguments")
  void calls() throws IOException {
    List<Part> parts = parts(read(RECORDED));
    assertThat(parts.get(0))
        .isInstanceOfSatisfying(
            Part.Thinking.class,
            thought -> {
              assertThat(thought.text().text()).isEqualTo("Hmä, so");
              assertThat(String.valueOf(thought.signature())).isEqualTo("\"c2ln\"");
              assertThat(thought.format()).isEqualTo("anthropic-claude-v1");
            });
    assertThat(parts.subList(parts.size() - 2, parts.size()))
        .extracting(part -> ((Part.ToolCall) part).id() + ((Part.ToolCall) part).arguments().text())
        .containsExactly("t1{\"a\":1}", "t2");
  }

  @Tag("full")
  @Test
  @DisplayName("gives the same events wherever its bytes are split")
  void everySplit() throws IOException {
    assertSameWhenSplit(1);
  }

  @Test
  @DisplayName("gives the same events when its bytes are split at some positions")
  void splits() throws IOException {
    assertSameWhenSplit(31);
  }

  private void assertSameWhenSplit(int step) throws IOException {
    byte[] body = sse(RECORDED);
    String unsplit = parts(read(messages(HI), body)).toString();
    List<String> kinds = kinds(read(messages(HI), body));
    for (int at = 0; at <= body.length; at += step) {
      List<Event> events = read(new SplitResponse(body, at), messages(HI));
      assertThat(kinds(events)).as("split at %s", at).isEqualTo(kinds);
      assertThat(parts(events).toString()).as("split at %s", at).isEqualTo(unsplit);
    }
  }

  /** A response whose body arrives in two reads. */
  private record SplitResponse(byte[] bytes, int at) implements Transport.Response {
    @Override
    public int status() {
      return 200;
    }

    @Override
    public @Nullable String header(String name) {
      return null;
    }

    @Override
    public InputStream body() {
      return new SequenceInputStream(
          new ByteArrayInputStream(bytes, 0, at),
          new ByteArrayInputStream(bytes, at, bytes.length - at));
    }

    @Override
    public void finish() {}

    @Override
    public void close() {}
  }

  @Proves("translation.case.11")
  @Test
  @DisplayName("Case 11: replaces its usage by later values, member by member, and adds nothing")
  void usage() throws IOException {
    Usage used = usage(read(MESSAGE_START, MESSAGE_DELTA, MESSAGE_STOP));
    assertThat(used)
        .isEqualTo(
            Usage.builder().freshInput(10).cacheRead(90).cacheWrite5m(7).outputText(12).build());
    String more =
        MESSAGE_DELTA.replace("{'output_tokens':12", "{'input_tokens':11,'output_tokens':12");
    assertThat(usage(read(MESSAGE_START, more, MESSAGE_STOP)).freshInput()).isEqualTo(11);
  }

  @Test
  @DisplayName("is complete after a stop reason or a message_stop")
  void complete() throws IOException {
    assertThat(finished(read(MESSAGE_START, MESSAGE_DELTA)).reason()).isEqualTo(StopReason.END);
    assertThat(finished(read(MESSAGE_START, MESSAGE_STOP)).reason()).isEqualTo(StopReason.END);
  }

  @Test
  @DisplayName("fails when it ends before that, after any frame")
  void cut() throws IOException {
    for (int frames = 0; frames < RECORDED.length - 2; frames++) {
      List<Event> events = read(Arrays.copyOf(RECORDED, frames));
      assertThat(((Event.Failed) events.getLast()).kind())
          .as("after %s frames", frames)
          .isEqualTo(FailureKind.PROTOCOL);
    }
  }

  @Proves("translation.case.8")
  @Test
  @DisplayName("Case 8: ends for tool calls exactly if it has any, whatever its stop_reason")
  void derived() throws IOException {
    String call = start(0, "'type':'tool_use','id':'t','name':'n','input':{}");
    assertThat(finished(read(MESSAGE_START, call, stop(0), MESSAGE_DELTA, MESSAGE_STOP)).reason())
        .isEqualTo(StopReason.TOOL_CALLS);
    assertThat(
            finished(
                    read(
                        MESSAGE_START, MESSAGE_DELTA.replace("end_turn", "tool_use"), MESSAGE_STOP))
                .reason())
        .isEqualTo(StopReason.END);
  }

  @ParameterizedTest
  @CsvSource({
    "overloaded_error,OVERLOADED",
    "rate_limit_error,RATE_LIMITED",
    "api_error,UNAVAILABLE",
    "invalid_request_error,INVALID_REQUEST",
    "authentication_error,CREDENTIAL",
    "timeout_error,TIMEOUT"
  })
  @DisplayName("fails with the kind of the error that it ends with")
  void errors(String type, FailureKind kind) throws IOException {
    String error = "{'type':'error','error':{'type':'" + type + "','message':'no'}}";
    assertThat(((Event.Failed) read(MESSAGE_START, error).getLast()).kind()).isEqualTo(kind);
  }

  @Test
  @DisplayName("fails at a frame that is not a JSON object")
  void malformed() throws IOException {
    for (String frame : new String[] {"{\"type\":\"content_bl", "[]", "1"}) {
      byte[] body = ("data: " + frame + "\n\n").getBytes(StandardCharsets.UTF_8);
      assertThat(((Event.Failed) read(messages(HI), body).getLast()).kind())
          .isEqualTo(FailureKind.PROTOCOL);
    }
  }

  @Test
  @DisplayName("has redacted thinking as encrypted reasoning")
  void redacted() throws IOException {
    List<Event> events =
        read(
            MESSAGE_START,
            start(0, "'type':'redacted_thinking','data':'xyz'"),
            stop(0),
            MESSAGE_DELTA,
            MESSAGE_STOP);
    assertThat(parts(events).getFirst())
        .isInstanceOfSatisfying(
            Part.Thinking.class,
            thought -> {
              assertThat(thought.kind()).isEqualTo(Part.Thinking.Kind.ENCRYPTED);
              assertThat(thought.text().text()).isEqualTo("xyz");
            });
  }

  @Test
  @DisplayName("gives the input of the answer tool as text to a caller of another dialect")
  void answerTool() throws IOException {
    MessagesTestRequest request =
        chat(
                HI,
                "'response_format':{'type':'json_schema','json_schema':{'name':'n',"
                    + "'schema':{'type':'object'}}}")
            .lacking(Parameter.STRUCTURED_OUTPUTS);
    List<Event> events =
        read(
            request,
            sse(
                MESSAGE_START,
                start(0, "'type':'tool_use','id':'t','name':'json_answer','input':{}"),
                delta(0, "'type':'input_json_delta','partial_json':'{\\'a\\''"),
                delta(0, "'type':'input_json_delta','partial_json':':1}'"),
                stop(0),
                MESSAGE_DELTA.replace("end_turn", "tool_use"),
                MESSAGE_STOP));
    assertThat(parts(events))
        .singleElement()
        .isInstanceOfSatisfying(
            Part.Text.class, text -> assertThat(text.text().text()).isEqualTo("{\"a\":1}"));
    assertThat(finished(events).reason()).isEqualTo(StopReason.END);
  }

  @Test
  @DisplayName("has the names that the caller gave the tools")
  void names() throws IOException {
    MessagesTestRequest request = chat(HI).declaring("a.b");
    List<Event> events =
        read(
            request,
            sse(
                MESSAGE_START,
                start(0, "'type':'tool_use','id':'t','name':'a_x2eb','input':{'q':1}"),
                stop(0),
                MESSAGE_DELTA,
                MESSAGE_STOP));
    assertThat(parts(events))
        .singleElement()
        .isInstanceOfSatisfying(
            Part.ToolCall.class,
            call -> {
              assertThat(call.name()).isEqualTo("a.b");
              assertThat(call.arguments().text()).isEqualTo("{\"q\":1}");
            });
  }
}
