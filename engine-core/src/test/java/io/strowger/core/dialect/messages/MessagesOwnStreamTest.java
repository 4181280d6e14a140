package io.strowger.core.dialect.messages;

import static io.strowger.core.dialect.EncodedAnswers.json;
import static io.strowger.core.dialect.EncodedAnswers.template;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.COST;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.HEAD;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.START;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.STOP;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.call;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.end;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.inputDelta;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.start;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.stop;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.stream;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.text;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.textDelta;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.Replies;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Event.BlockStart.Kind;
import io.strowger.spi.model.FrameTemplate;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A messages stream of an upstream of the same format")
class MessagesOwnStreamTest {
  private static final String UPSTREAM_START =
      "{'type':'message_start','message':{'id':'msg_1','type':'message','role':'assistant',"
          + "'model':'up','content':[],'stop_reason':null,'stop_sequence':null,'x':1.0,"
          + "'usage':{'input_tokens':99,'output_tokens':1,'speed':'fast',"
          + "'service_tier':'priority'}}}";
  private static final Event STARTED = new Event.Started(json(UPSTREAM_START));

  private static FrameTemplate textTemplate(int index, String more) {
    return template(
        Dialect.MESSAGES,
        "{'type':'content_block_delta','index':"
            + index
            + ",'delta':{'type':'text_delta','text':'TEXT'"
            + more
            + "}}");
  }

  private static Event blockStart(Kind kind, String frame) {
    return new Event.BlockStart(kind, json(frame));
  }

  private static Event blockStop(int index) {
    return new Event.BlockStop(
        json("{'type':'content_block_stop','index':" + index + ",'z':true}"));
  }

  private static String upstreamStop(int index) {
    return "{'type':'content_block_stop','index':" + index + ",'z':true}";
  }

  @Test
  @DisplayName("keeps everything except the members that the gateway writes itself")
  void kept() {
    FrameTemplate template = textTemplate(0, ",'y':1.50");
    String start = "'type':'text','text':'','citations':[],'w':1";
    assertThat(
            stream(
                STARTED,
                blockStart(Kind.TEXT, start(0, start)),
                new Event.OtherContent(json("{'type':'ping','at':1}")),
                new Event.TextDelta(Json.of("a"), template),
                new Event.TextDelta(Json.of("b"), template),
                blockStop(0),
                new Event.UsageReport(
                    Replies.USAGE,
                    json("{'type':'message_delta','usage':{'output_tokens':77,'iterations':[]}}")),
                new Event.Finished(
                    StopReason.STOP_SEQUENCE,
                    "stop_sequence",
                    json(
                        "{'type':'message_delta','delta':{'stop_reason':'stop_sequence',"
                            + "'stop_sequence':'###','v':2},'context_management':"
                            + "{'applied_edits':[]}}"))))
        .containsExactly(
            "{'type':'message_start','message':{"
                + HEAD
                + ",'content':[],'stop_reason':null,'stop_sequence':null,'x':1.0,"
                + "'stop_details':null,'container':null,'usage':{'input_tokens':0,"
                + "'output_tokens':0,'speed':'fast','service_tier':'priority',"
                + "'cache_creation_input_tokens':0,'cache_read_input_tokens':0,"
                + "'cache_creation':null,'output_tokens_details':null,'server_tool_use':null,"
                + "'inference_geo':null}}}",
            start(0, start),
            "{'type':'ping','at':1}",
            "{'type':'content_block_delta','index':0,'delta':{'type':'text_delta','text':'a',"
                + "'y':1.50}}",
            "{'type':'content_block_delta','index':0,'delta':{'type':'text_delta','text':'b',"
                + "'y':1.50}}",
            upstreamStop(0),
            "{'type':'message_delta','delta':{'stop_reason':'stop_sequence','stop_sequence':'###',"
                + "'v':2,'stop_details':null,'container':null},'context_management':"
                + "{'applied_edits':[]},'usage':{'input_tokens':8,'output_tokens':5,"
                + "'speed':'fast','service_tier':'priority','iterations':[],"
                + "'cache_creation_input_tokens':0,'cache_read_input_tokens':2,"
                + "'cache_creation':null,'output_tokens_details':{'thinking_tokens':1},"
                + "'server_tool_use':null,'inference_geo':null,"
                + COST
                + "}}",
            STOP);
  }

  @Test
  @DisplayName("renumbers the upstream's blocks after a block that the upstream did not send")
  void renumbered() {
    assertThat(
            stream(
                new Event.TextDelta("ours"),
                blockStart(Kind.TEXT, start(0, "'type':'text','text':'','citations':null")),
                new Event.TextDelta(Json.of("a"), textTemplate(0, "")),
                blockStop(0),
                blockStart(
                    Kind.TOOL_CALL,
                    start(1, "'type':'tool_use','id':'t','name':'f','input':{},'u':1")),
                call(0, "t", "f", "{}"),
                blockStop(1),
                new Event.Finished(StopReason.TOOL_CALLS, "tool_use", null)))
        .containsExactly(
            START,
            text(0),
            textDelta(0, "ours"),
            stop(0),
            text(1),
            textDelta(1, "a"),
            upstreamStop(1),
            start(
                2,
                "'type':'tool_use','id':'t','name':'f','input':{},'u':1,"
                    + "'caller':{'type':'direct'}"),
            inputDelta(2, "{}"),
            upstreamStop(2),
            end("tool_use"),
            STOP);
  }

  @Test
  @DisplayName("keeps calls, thinking and unmodelled blocks unchanged")
  void otherBlocks() {
    String thinking = start(0, "'type':'thinking','thinking':'','signature':''");
    String signature =
        "{'type':'content_block_delta','index':0,'delta':{'type':'signature_delta',"
            + "'signature':'s','k':1}}";
    String redacted = start(1, "'type':'redacted_thinking','data':'d','k':2");
    String server = start(2, "'type':'server_tool_use','id':'s','name':'web_search','input':{}");
    String serverInput =
        "{'type':'content_block_delta','index':2,'delta':{'type':'input_json_delta',"
            + "'partial_json':'{'}}";
    String toolUse =
        start(
            3,
            "'type':'tool_use','id':'t','name':'f','input':{},'caller':"
                + "{'type':'code_execution_20260120','tool_id':'s'}");
    String empty =
        "{'type':'content_block_delta','index':3,'delta':{'type':'input_json_delta',"
            + "'partial_json':''}}";
    assertThat(
            stream(
                blockStart(Kind.REASONING, thinking),
                new Event.ReasoningSignature(Json.of("s"), "anthropic-claude-v1", json(signature)),
                blockStop(0),
                new Event.EncryptedReasoning(
                    Json.of("d"), "anthropic-claude-v1", null, json(redacted)),
                blockStop(1),
                new Event.OtherContent(json(server)),
                new Event.OtherContent(json(serverInput)),
                new Event.OtherContent(json(upstreamStop(2))),
                new Event.ToolCallDelta(0, "t", "f", Json.of(""), json(toolUse)),
                new Event.ToolCallDelta(0, null, null, Json.of(""), json(empty)),
                blockStop(3),
                new Event.Finished(StopReason.TOOL_CALLS, "tool_use", null)))
        .containsExactly(
            START,
            thinking,
            signature,
            upstreamStop(0),
            redacted,
            upstreamStop(1),
            server,
            serverInput,
            upstreamStop(2),
            toolUse,
            empty,
            upstreamStop(3),
            end("tool_use"),
            STOP);
  }

  @Proves("translation.case.8")
  @Test
  @DisplayName(
      "Case 8: ends with tool_use when there were calls, whatever reason the upstream gave")
  void reasonFromCalls() {
    Json.Obj frame =
        json("{'type':'message_delta','delta':{'stop_reason':'end_turn','stop_sequence':null}}");
    assertThat(
            stream(
                call(0, "a", "f", "{}"),
                new Event.Finished(StopReason.TOOL_CALLS, "end_turn", frame)))
        .contains(end("tool_use"));
  }

  @Test
  @DisplayName("keeps the upstream's details of a refusal")
  void stopDetails() {
    Json.Obj frame =
        json(
            "{'type':'message_delta','delta':{'stop_reason':'refusal','stop_details':"
                + "{'type':'refusal','category':'bio','explanation':'e'}}}");
    assertThat(stream(new Event.Finished(StopReason.REFUSAL, "refusal", frame)).get(1))
        .contains("'stop_details':{'type':'refusal','category':'bio','explanation':'e'}");
  }

  @Test
  @DisplayName("has one data line for each event, also when the upstream's event has several")
  void lineBreaks() {
    FrameTemplate template =
        template(
            Dialect.MESSAGES,
            "{'type':'content_block_delta',\r\n'index':0,'delta':{\n'text':'TEXT'}}");
    assertThat(
            stream(
                new Event.Started(json(UPSTREAM_START.replace("'x'", "\n'x'"))),
                blockStart(
                    Kind.TEXT,
                    "{'type':'content_block_start',\n'index':0,'content_block':{\n"
                        + "'type':'text','text':'','citations':null}}"),
                new Event.TextDelta(Json.of("a"), template),
                new Event.Finished(
                    StopReason.END,
                    "end_turn",
                    json("{'type':'message_delta',\n'delta':{\n'stop_reason':'end_turn'}}"))))
        .hasSize(6)
        .contains("{'type':'content_block_delta','index':0,'delta':{'text':'a'}}");
  }

  @Test
  @DisplayName("of an answer that was not streamed has the events of each of its blocks")
  void notStreamed() {
    var source =
        json(
            "{'id':'msg','type':'message','role':'assistant','model':'up','x':1,'content':["
                + "{'type':'thinking','thinking':'hm','signature':'s'},"
                + "{'type':'text','text':'hi','citations':[{'type':'char_location'}]},"
                + "{'type':'tool_use','id':'t','name':'f','input':{'a':1}},"
                + "{'type':'tool_use','id':'u','name':'g','input':{}},"
                + "{'type':'web_search_tool_result','tool_use_id':'w','content':[]}],"
                + "'stop_reason':'tool_use','stop_sequence':null,'usage':{'input_tokens':1,"
                + "'speed':'fast'}}");
    var answer =
        new Answer(
            List.of(new Part.Text("hi")),
            StopReason.TOOL_CALLS,
            "tool_use",
            Replies.USAGE,
            Dialect.MESSAGES,
            source);
    List<String> events = stream(new Event.CompleteAnswer(answer));
    assertThat(events.getFirst()).contains(HEAD + ",'x':1,'content':[],'stop_reason':null");
    assertThat(events.subList(1, events.size() - 2))
        .containsExactly(
            MessagesFormatTexts.thinking(0),
            MessagesFormatTexts.delta(0, "thinking_delta", "thinking", "hm"),
            MessagesFormatTexts.delta(0, "signature_delta", "signature", "s"),
            stop(0),
            text(1),
            textDelta(1, "hi"),
            "{'type':'content_block_delta','index':1,'delta':{'type':'citations_delta',"
                + "'citation':{'type':'char_location'}}}",
            stop(1),
            MessagesFormatTexts.toolUse(2, "t", "f"),
            inputDelta(2, "{\\'a\\':1}"),
            stop(2),
            MessagesFormatTexts.toolUse(3, "u", "g"),
            inputDelta(3, "{}"),
            stop(3),
            start(4, "'type':'web_search_tool_result','tool_use_id':'w','content':[]"),
            stop(4));
    assertThat(events.get(events.size() - 2))
        .contains("'stop_reason':'tool_use'", "'speed':'fast'", COST);
  }
}
