package io.strowger.providers.chat;

import static io.strowger.providers.chat.ChatFixtures.json;
import static io.strowger.providers.chat.ChatStreams.DONE;
import static io.strowger.providers.chat.ChatStreams.ENVELOPE;
import static io.strowger.providers.chat.ChatStreams.FINISH;
import static io.strowger.providers.chat.ChatStreams.HELLO;
import static io.strowger.providers.chat.ChatStreams.ROLE;
import static io.strowger.providers.chat.ChatStreams.USAGE;
import static io.strowger.providers.chat.ChatStreams.USAGE_JSON;
import static io.strowger.providers.chat.ChatStreams.chunk;
import static io.strowger.providers.chat.ChatStreams.frame;
import static io.strowger.providers.chat.ChatStreams.kinds;
import static io.strowger.providers.chat.ChatStreams.sse;
import static io.strowger.providers.chat.ChatStreams.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.upstream.CannedTransport;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A streamed answer")
class ChatStreamTest {
  private final ChatStreams streams = new ChatStreams();

  @Nested
  @DisplayName("that is complete")
  class Complete {
    @Test
    @DisplayName("gives its start, texts, usage and end, each with its own frame")
    void plain() throws IOException {
      List<Event> events = streams.read(ROLE, HELLO, text(" you"), FINISH, USAGE, DONE);
      assertThat(kinds(events))
          .containsExactly("Started", "TextDelta", "TextDelta", "UsageReport", "Finished");
      assertThat(events.stream().map(ChatStreams::frame).toList())
          .containsExactly(json(ROLE), json(HELLO), json(text(" you")), json(USAGE), json(FINISH));
      assertThat(((Event.UsageReport) events.get(3)).usage().promptTokens()).isEqualTo(3);
      assertThat(((Event.Finished) events.get(4)).reason()).isEqualTo(StopReason.END);
    }

    @Test
    @DisplayName("needs neither [DONE] nor usage, nor anything else after its finish reason")
    void endings() throws IOException {
      for (CannedTransport transport :
          List.of(
              sse(HELLO, FINISH, DONE),
              sse(HELLO, FINISH),
              sse(HELLO, FINISH, USAGE),
              sse(HELLO, FINISH).cutBy(new IOException("reset")),
              sse(HELLO, FINISH).cutBy(new SocketTimeoutException("silent")))) {
        assertThat(streams.read(transport).getLast()).isInstanceOf(Event.Finished.class);
        assertThat(transport.finished()).isEqualTo(1);
      }
    }

    @Test
    @DisplayName("stays complete when a deadline passes while it waits for the usage")
    void deadline() throws IOException {
      var transport =
          sse(HELLO, FINISH)
              .cutBy(new IOException("aborted"))
              .atEnd(() -> streams.cancellation().cancel(Cancellation.Cause.GAP));
      assertThat(streams.read(transport).getLast()).isInstanceOf(Event.Finished.class);
    }

    @Test
    @DisplayName("is cancelled when its caller disconnects while it waits for the usage")
    void callerGone() throws IOException {
      var transport =
          sse(HELLO, FINISH)
              .cutBy(new IOException("aborted"))
              .atEnd(() -> streams.cancellation().cancel(Cancellation.Cause.CALLER_GONE));
      assertThat(streams.failure(transport)).isEqualTo(FailureKind.CANCELLED);
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
    @DisplayName("has the engine's stop reason and the upstream's")
    void reasons(String finishReason, StopReason reason) throws IOException {
      var finished =
          (Event.Finished)
              streams
                  .read(HELLO, chunk("'delta':{},'finish_reason':'" + finishReason + "'", ""))
                  .getLast();
      assertThat(finished.reason()).isEqualTo(reason);
      assertThat(finished.nativeReason()).isEqualTo(finishReason);
    }

    @Test
    @DisplayName("has the native finish reason if the upstream sends one")
    void nativeWord() throws IOException {
      String finish = "'delta':{},'finish_reason':'stop','native_finish_reason':'eos'";
      var finished = (Event.Finished) streams.read(HELLO, chunk(finish, "")).getLast();
      assertThat(finished.nativeReason()).isEqualTo("eos");
    }

    @Test
    @DisplayName(
        "has the stop reason TOOL_CALLS if it has tool calls, unless its finish reason is length")
    void calls() throws IOException {
      String call =
          chunk("'delta':{'tool_calls':[{'index':0,'id':'t','function':{'name':'f'}}]}", "");
      assertThat(((Event.Finished) streams.read(call, FINISH).getLast()).reason())
          .isEqualTo(StopReason.TOOL_CALLS);
      String full = chunk("'delta':{},'finish_reason':'length'", "");
      assertThat(((Event.Finished) streams.read(call, full).getLast()).reason())
          .isEqualTo(StopReason.LENGTH);
    }

    @Test
    @DisplayName("ends with a refusal when it refused")
    void refusal() throws IOException {
      List<Event> events = streams.read(chunk("'delta':{'refusal':'no'}", ""), FINISH);
      assertThat(kinds(events)).containsExactly("RefusalDelta", "Finished");
      assertThat(((Event.Finished) events.getLast()).reason()).isEqualTo(StopReason.REFUSAL);
    }
  }

  @Nested
  @DisplayName("with a frame that holds several things")
  class Mixed {
    @Test
    @DisplayName("has one frame for each of them, with every unknown member in exactly one")
    void everything() throws IOException {
      String all =
          chunk(
              "'logprobs':{'x':1},'delta':{'role':'assistant','reasoning':'R','content':'C',"
                  + "'tool_calls':[{'index':0,'id':'a','function':{'name':'f','arguments':'1'}},"
                  + "{'index':1,'id':'b','function':{'name':'g','arguments':'2'}}],"
                  + "'x_delta':{'y':2}},'finish_reason':'stop','native_finish_reason':'eos'",
              ",'x_frame':3," + USAGE_JSON);
      List<Event> events = streams.read(all, DONE);
      assertThat(kinds(events))
          .containsExactly(
              "ReasoningDelta",
              "TextDelta",
              "ToolCallDelta",
              "ToolCallDelta",
              "OtherContent",
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
    @DisplayName("gives text and finish separately, so that the text may be changed")
    void textAndFinish() throws IOException {
      List<Event> events =
          streams.read(chunk("'delta':{'content':'secret'},'finish_reason':'stop'", ""), DONE);
      assertThat(kinds(events)).containsExactly("TextDelta", "Finished");
      assertThat(frame(events.get(0))).isEqualTo(json(text("secret")));
      assertThat(String.valueOf(frame(events.get(1))))
          .doesNotContain("secret")
          .contains("\"finish_reason\":\"stop\"");
    }

    @Test
    @DisplayName("gives the usage of a finish frame as a frame of its own, without choices")
    void usageOnFinish() throws IOException {
      List<Event> events =
          streams.read(HELLO, chunk("'delta':{},'finish_reason':'stop'", "," + USAGE_JSON), DONE);
      assertThat(kinds(events)).containsExactly("TextDelta", "UsageReport", "Finished");
      assertThat(frame(events.get(1))).isEqualTo(json(USAGE));
      assertThat(frame(events.get(2))).isEqualTo(json(FINISH));
    }

    @Test
    @DisplayName("gives the usage of every frame that has one, in order")
    void runningUsage() throws IOException {
      String running = chunk("'delta':{'content':'a'}", ",'usage':{'completion_tokens':1}");
      List<Event> events = streams.read(running, running, FINISH, USAGE, DONE);
      assertThat(kinds(events))
          .containsExactly(
              "TextDelta", "UsageReport", "TextDelta", "UsageReport", "UsageReport", "Finished");
    }

    @Test
    @DisplayName("gives reasoning once when it has both of its names")
    void doubleReasoning() throws IOException {
      List<Event> events =
          streams.read(chunk("'delta':{'reasoning':'R','reasoning_content':'R'}", ""), FINISH);
      assertThat(kinds(events)).containsExactly("ReasoningDelta", "Finished");
      assertThat(String.valueOf(frame(events.get(0)))).containsOnlyOnce("\"R\"");
    }

    @Test
    @DisplayName("gives further choices unchanged; the first one decides the end")
    void choices() throws IOException {
      String two =
          "{"
              + ENVELOPE
              + ",'choices':[{'index':0,'delta':{'content':'a'}},"
              + "{'index':1,'delta':{'content':'b'}}]}";
      String second =
          "{" + ENVELOPE + ",'choices':[{'index':1,'delta':{},'finish_reason':'stop'}]}";
      assertThat(kinds(streams.read(two, second, FINISH, DONE)))
          .containsExactly("TextDelta", "OtherContent", "OtherContent", "Finished");
      assertThat(streams.failure(sse(two, second, DONE))).isEqualTo(FailureKind.PROTOCOL);
    }
  }

  @Nested
  @DisplayName("with frames other than text, reasoning and tool calls")
  class Unmodelled {
    @Test
    @DisplayName("gives no content event for empty frames")
    void noContent() throws IOException {
      List<Event> events =
          streams.read(
              "{'choices':[],'prompt_filter_results':[]}",
              ROLE,
              chunk("'delta':{}", ",'usage':null"),
              FINISH);
      assertThat(events.subList(0, 3)).allMatch(event -> event instanceof Event.Started);
      assertThat(events.subList(0, 3)).noneMatch(Event::isContent);
    }

    @Test
    @DisplayName("keeps unknown kinds of content unchanged")
    void unknown() throws IOException {
      String audio = chunk("'delta':{'audio':{'data':'AA'}}", ",'x':1");
      List<Event> events = streams.read(audio, FINISH);
      assertThat(events.get(0)).isEqualTo(new Event.OtherContent(json(audio)));
    }

    @Test
    @DisplayName("gives annotations one by one")
    void annotations() throws IOException {
      String notes = chunk("'delta':{'annotations':[{'type':'a'},{'type':'b'}]}", "");
      assertThat(kinds(streams.read(notes, FINISH)))
          .containsExactly("Annotation", "Annotation", "Finished");
    }
  }

  @Test
  @DisplayName("skips empty data and comments")
  void skipped() throws IOException {
    var transport =
        new CannedTransport(
            200,
            ": ping\n\ndata:\n\n"
                + ("data: " + HELLO + "\n\ndata: " + FINISH + "\n\n").replace('\'', '"'));
    assertThat(kinds(streams.read(transport))).containsExactly("TextDelta", "Finished");
  }

  @Test
  @DisplayName("is ready while events are queued, and at its end")
  void ready() throws IOException {
    try (EventStream stream =
        streams.open(sse(chunk("'delta':{'reasoning':'r','content':'c'}", "")))) {
      stream.next();
      assertThat(stream.ready()).isTrue();
      stream.next();
      stream.next();
      assertThat(stream.ready()).isTrue();
    }
  }

  @Test
  @DisplayName("shares one template among frames that differ only in their text")
  void templates() throws IOException {
    List<Event> events = streams.read(HELLO, text("a"), text("b \\u00e4"), FINISH);
    var first = (Event.TextDelta) events.get(0);
    for (Event event : events.subList(1, 3)) {
      assertThat(((Event.TextDelta) event).template()).isSameAs(first.template());
    }
    assertThat(((Event.TextDelta) events.get(2)).text().text()).isEqualTo("b \u00e4");
  }
}
