package io.strowger.core.dialect.messages;

import static io.strowger.core.dialect.EncodedAnswers.json;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.COST;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.END;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.START;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.STOP;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.blocks;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.call;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.delta;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.end;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.inputDelta;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.moreArguments;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.start;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.stop;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.stream;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.text;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.textDelta;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.thinking;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.toolUse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.strowger.core.inference.Replies;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.EventStream;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A messages stream of another dialect's events")
class MessagesStreamTest {
  private static Event reasoning(String text) {
    return new Event.ReasoningDelta(Json.of(text), null);
  }

  @Proves({"messages.answer.1", "messages.answer.3", "messages.answer.4", "messages.answer.5"})
  @Test
  @DisplayName("has one start, a block for the text, the stop reason with the usage, and one end")
  void order() {
    assertThat(
            stream(
                new Event.Started(null),
                new Event.TextDelta("Hel"),
                new Event.TextDelta("lo\n"),
                END))
        .containsExactly(
            START,
            text(0),
            textDelta(0, "Hel"),
            textDelta(0, "lo\\n"),
            stop(0),
            end("end_turn"),
            STOP);
  }

  @Test
  @DisplayName("of an empty answer has no block")
  void nothing() {
    assertThat(stream(END)).containsExactly(START, end("end_turn"), STOP);
  }

  @Test
  @DisplayName("Case 22: has thinking, text and calls in their order, each in a block")
  void allKinds() {
    assertThat(
            blocks(
                reasoning("h"),
                reasoning("m"),
                new Event.TextDelta("so"),
                call(0, "c1", "f", ""),
                moreArguments(0, "{\"a\":1}"),
                new Event.Finished(StopReason.TOOL_CALLS, "tool_calls", null)))
        .containsExactly(
            thinking(0),
            delta(0, "thinking_delta", "thinking", "h"),
            delta(0, "thinking_delta", "thinking", "m"),
            stop(0),
            text(1),
            textDelta(1, "so"),
            stop(1),
            toolUse(2, "c1", "f"),
            inputDelta(2, "{\\'a\\':1}"),
            stop(2));
  }

  @Proves("translation.case.5")
  @Test
  @DisplayName("Case 5: keeps a signature, also of thinking without a text")
  void signatures() {
    assertThat(
            blocks(
                reasoning("hm"),
                new Event.ReasoningSignature(Json.of("s1"), "anthropic-claude-v1", null),
                new Event.ReasoningSignature(Json.of("s2"), null, null),
                reasoning("more"),
                END))
        .containsExactly(
            thinking(0),
            delta(0, "thinking_delta", "thinking", "hm"),
            delta(0, "signature_delta", "signature", "s1"),
            stop(0),
            thinking(1),
            delta(1, "signature_delta", "signature", "s2"),
            stop(1),
            thinking(2),
            delta(2, "thinking_delta", "thinking", "more"),
            stop(2));
  }

  @Test
  @DisplayName("marks signatures and encrypted reasoning of another vendor as that vendor's")
  void marked() {
    assertThat(
            blocks(
                new Event.ReasoningSignature(Json.of("s"), "google-gemini-v1", null),
                new Event.EncryptedReasoning(Json.of("e"), "openai-responses-v1", "rs_1", null),
                new Event.EncryptedReasoning(Json.of("own"), "anthropic-claude-v1", null, null),
                END))
        .contains(
            delta(0, "signature_delta", "signature", "google-gemini-v1::s"),
            start(1, "'type':'redacted_thinking','data':'openai-responses-v1:rs_1:e'"),
            start(2, "'type':'redacted_thinking','data':'own'"));
  }

  @Test
  @DisplayName("keeps the upstream's blocks apart, and summaries of reasoning apart from reasoning")
  void boundaries() {
    assertThat(
            blocks(
                new Event.ReasoningDelta(Json.of("a"), true, null, null, null),
                reasoning("b"),
                new Event.BlockStart(Event.BlockStart.Kind.TEXT, null),
                new Event.TextDelta("c"),
                new Event.BlockStop(null),
                new Event.BlockStop(null),
                new Event.BlockStart(Event.BlockStart.Kind.TEXT, null),
                new Event.TextDelta("d"),
                END))
        .containsExactly(
            thinking(0),
            delta(0, "thinking_delta", "thinking", "a"),
            stop(0),
            thinking(1),
            delta(1, "thinking_delta", "thinking", "b"),
            stop(1),
            text(2),
            textDelta(2, "c"),
            stop(2),
            text(3),
            textDelta(3, "d"),
            stop(3));
  }

  @Test
  @DisplayName("Case 21: never opens a block for text that is empty")
  void emptyText() {
    assertThat(
            blocks(
                new Event.BlockStart(Event.BlockStart.Kind.TEXT, null),
                new Event.TextDelta(""),
                reasoning(""),
                call(0, "c", "f", "{}"),
                END))
        .containsExactly(toolUse(0, "c", "f"), inputDelta(0, "{}"), stop(0));
  }

  @Test
  @DisplayName("has URL citations in the block of their text, and no other annotations")
  void citations() {
    assertThat(
            blocks(
                new Event.Annotation(json("{'type':'file','file':{}}"), null),
                new Event.TextDelta("x"),
                new Event.Annotation(
                    json(
                        "{'type':'url_citation','url_citation':{'url':'u','title':'t',"
                            + "'content':'c','start_index':0,'end_index':1}}"),
                    null),
                new Event.Annotation(
                    json("{'type':'url_citation','url_citation':{'url':'v'}}"), null),
                END))
        .containsExactly(
            text(0),
            textDelta(0, "x"),
            "{'type':'content_block_delta','index':0,'delta':{'type':'citations_delta',"
                + "'citation':{'type':'web_search_result_location','cited_text':'c','url':'u',"
                + "'title':'t','encrypted_index':''}}}",
            "{'type':'content_block_delta','index':0,'delta':{'type':'citations_delta',"
                + "'citation':{'type':'web_search_result_location','cited_text':'','url':'v',"
                + "'title':null,'encrypted_index':''}}}",
            stop(0));
  }

  @Proves({
    "message.stop_reason",
    "messages.answer.stop_reason",
    "translation.stop.PAUSE",
    "translation.stop.COMPACTION"
  })
  @ParameterizedTest
  @CsvSource({
    "END,end_turn",
    "STOP_SEQUENCE,stop_sequence",
    "LENGTH,max_tokens",
    "CONTEXT_WINDOW,model_context_window_exceeded",
    "TOOL_CALLS,tool_use",
    "PAUSE,pause_turn",
    "COMPACTION,compaction"
  })
  @DisplayName("has the contract's stop reason for every end")
  void stopReasons(StopReason reason, String word) {
    assertThat(stream(new Event.TextDelta("a"), new Event.Finished(reason, "x", null)))
        .contains(end(word));
  }

  @ParameterizedTest
  @CsvSource({"CONTENT_FILTER", "REFUSAL"})
  @DisplayName("has details of a refusal, without an explanation when the refusal had no text")
  void refused(StopReason reason) {
    assertThat(stream(new Event.TextDelta("a"), new Event.Finished(reason, "x", null)))
        .anyMatch(
            event ->
                event.contains(
                    "'delta':{'stop_reason':'refusal','stop_sequence':null,'stop_details':"
                        + "{'type':'refusal','category':null,'explanation':null}"));
  }

  @Test
  @DisplayName("has the text of a model's refusal, also when the answer ended normally")
  void refusal() {
    assertThat(
            stream(
                new Event.RefusalDelta(Json.of("I "), null),
                new Event.RefusalDelta(Json.of("will not"), null),
                END))
        .hasSize(3)
        .anyMatch(
            event ->
                event.contains("'stop_reason':'refusal'")
                    && event.contains("'explanation':'I will not'"));
  }

  @Proves({"messages.answer.4", "translation.case.11"})
  @Test
  @DisplayName("Case 11: has the counts known so far at its start, and the last ones at its end")
  void usage() {
    var first = Usage.builder().freshInput(7).cacheRead(3).cacheWrite5m(2).build();
    var last = first.toBuilder().outputText(9).reasoning(4).searches(1).cacheWrite1h(1).build();
    var reply =
        Replies.answered(
            null,
            EventStream.of(
                List.of(
                    new Event.Started(null),
                    new Event.UsageReport(first, null),
                    new Event.TextDelta("a"),
                    new Event.UsageReport(last, null),
                    END)));
    List<String> events = stream(reply, false);
    assertThat(events.getFirst())
        .contains(
            "'usage':{'input_tokens':7,'output_tokens':0,'cache_creation_input_tokens':2,"
                + "'cache_read_input_tokens':3,'cache_creation':{'ephemeral_5m_input_tokens':2,"
                + "'ephemeral_1h_input_tokens':0},'output_tokens_details':null,"
                + "'server_tool_use':null,'inference_geo':null,'service_tier':'standard'}");
    assertThat(events.get(4))
        .contains(
            "'usage':{'input_tokens':7,'output_tokens':13,'cache_creation_input_tokens':3,"
                + "'cache_read_input_tokens':3,'cache_creation':{'ephemeral_5m_input_tokens':2,"
                + "'ephemeral_1h_input_tokens':1},'output_tokens_details':{'thinking_tokens':4},"
                + "'server_tool_use':{'web_search_requests':1,'web_fetch_requests':0},"
                + "'inference_geo':null,'service_tier':'standard','cost':null,'is_byok':false,"
                + "'cost_details':null}");
  }

  @Proves("translation.case.16")
  @Test
  @DisplayName("Case 16: has the counts and the stop reason, which arrive separately, in one event")
  void usageWithReason() {
    assertThat(stream(new Event.TextDelta("a"), new Event.UsageReport(Replies.USAGE, null), END))
        .filteredOn(event -> event.contains("message_delta"))
        .singleElement(STRING)
        .contains("'stop_reason':'end_turn'", "'output_tokens':5", COST);
  }

  @Proves("translation.case.15")
  @Test
  @DisplayName("Case 15: has nothing for events without content, and does not end with them")
  void keepAlive() {
    assertThat(
            stream(
                new Event.TextDelta("a"),
                new Event.UsageReport(Usage.NONE, null),
                new Event.Logprobs(Json.array(json("{'token':'a'}"))),
                new Event.UpstreamBodyEcho(json("{'model':'up'}")),
                new Event.OtherContent(json("{'choices':[]}")),
                new Event.TextDelta("b"),
                END))
        .containsExactly(
            START, text(0), textDelta(0, "a"), textDelta(0, "b"), stop(0), end("end_turn"), STOP);
  }

  @Proves("messages.answer.error")
  @Test
  @DisplayName(
      "that fails ends with one error event, which has the generation's id, and no message_stop")
  void failed() {
    Event failed =
        Event.Failed.upstream(new Failure(FailureKind.OVERLOADED, 503, -1, "upstream's words"));
    assertThat(stream(new Event.TextDelta("a"), failed))
        .containsExactly(
            START,
            text(0),
            textDelta(0, "a"),
            "{'type':'error','error':{'type':'overloaded_error','message':'Service temporarily"
                + " unavailable','error_type':'provider_overloaded','code':503},"
                + "'request_id':'gen-1700000000-abc',"
                + "'metadata':{'error_type':'provider_overloaded','provider_code':503}}");
  }

  @Test
  @DisplayName("of a request that is refused after the head was sent has only an error event")
  void refusedLate() {
    assertThat(stream(new Event.Failed(GatewayError.of(ErrorCode.RATE_LIMIT_EXCEEDED), null)))
        .containsExactly(
            "{'type':'error','error':{'type':'rate_limit_error','message':'Rate limit exceeded',"
                + "'error_type':'rate_limit_exceeded','code':429},'request_id':'gen-1700000000-abc'}");
  }

  @Test
  @DisplayName("that breaks off, or ends with the stop reason error, ends with an error event")
  void brokenOff() {
    assertThat(stream(new Event.TextDelta("a")).getLast()).contains("'overloaded_error'");
    assertThat(stream(new Event.TextDelta("a"), new Event.Finished(StopReason.ERROR, "x", null)))
        .last(STRING)
        .contains("'type':'api_error'");
  }

  @Proves({"routing.other.metadata.place", "messages.answer.5"})
  @Test
  @DisplayName("carries router metadata in its last event, and only on request")
  void metadata() {
    var requested = stream(Replies.answered(new Event.TextDelta("a"), END), true);
    assertThat(requested.getLast())
        .startsWith("{'type':'message_stop','router_metadata':{'requested'");
    assertThat(requested.subList(0, requested.size() - 1))
        .noneMatch(e -> e.contains("router_metadata"));
    Event failed = new Event.Failed(GatewayError.of(ErrorCode.PROVIDER_ERROR), null);
    assertThat(stream(Replies.answered(new Event.TextDelta("a"), failed), true).getLast())
        .contains("'router_metadata':{");
  }
}
