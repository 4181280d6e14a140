package io.strowger.core.dialect.chat;

import static io.strowger.core.dialect.EncodedAnswers.json;
import static io.strowger.core.dialect.EncodedAnswers.template;
import static io.strowger.core.dialect.chat.Chunks.END;
import static io.strowger.core.dialect.chat.Chunks.HEAD;
import static io.strowger.core.dialect.chat.Chunks.ROLE;
import static io.strowger.core.dialect.chat.Chunks.USAGE_CHUNK;
import static io.strowger.core.dialect.chat.Chunks.delta;
import static io.strowger.core.dialect.chat.Chunks.document;
import static io.strowger.core.dialect.chat.Chunks.end;
import static io.strowger.core.dialect.chat.Chunks.stream;
import static io.strowger.core.inference.Replies.answered;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.dialect.ObjectWriter;
import io.strowger.core.inference.Replies;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.FrameTemplate;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.tck.conformance.Proves;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An answer of another dialect, written in the chat format,")
class ChatForeignTest {
  private static Event reasoningDelta(Dialect dialect, String text) {
    String format = dialect == Dialect.GEMINI ? "google-gemini-v1" : "anthropic-claude-v1";
    FrameTemplate template = template(dialect, "{'delta':{'thinking':'TEXT'}}");
    return new Event.ReasoningDelta(Json.of(text), false, format, null, template);
  }

  private static String reasoning(String text, String format, int index) {
    return delta(
        "'reasoning':'%s','reasoning_details':[{'type':'reasoning.text','text':'%s',"
                .formatted(text, text)
            + "'format':'%s','index':%d}]".formatted(format, index));
  }

  @Test
  @DisplayName(
      "has reasoning as text and as items, with one index for each thought, and signatures")
  void thinking() {
    assertThat(
            stream(
                answered(
                    reasoningDelta(Dialect.MESSAGES, "a"),
                    reasoningDelta(Dialect.MESSAGES, "b"),
                    new Event.ReasoningSignature(Json.of("s"), "anthropic-claude-v1", null),
                    new Event.EncryptedReasoning(Json.of("e"), "anthropic-claude-v1", null, null),
                    new Event.ReasoningSignature(Json.of("t"), "anthropic-claude-v1", null),
                    reasoningDelta(Dialect.GEMINI, "c"),
                    new Event.BlockStop(null),
                    reasoningDelta(Dialect.GEMINI, "d"),
                    END)))
        .containsExactly(
            ROLE,
            reasoning("a", "anthropic-claude-v1", 0),
            reasoning("b", "anthropic-claude-v1", 0),
            delta(
                "'reasoning_details':[{'type':'reasoning.text','signature':'s',"
                    + "'format':'anthropic-claude-v1','index':0}]"),
            delta(
                "'reasoning_details':[{'type':'reasoning.encrypted','data':'e',"
                    + "'format':'anthropic-claude-v1','index':1}]"),
            delta(
                "'reasoning_details':[{'type':'reasoning.text','signature':'t',"
                    + "'format':'anthropic-claude-v1','index':2}]"),
            reasoning("c", "google-gemini-v1", 3),
            reasoning("d", "google-gemini-v1", 4),
            end("stop", "'stop'"),
            USAGE_CHUNK,
            "[DONE]");
  }

  @Test
  @DisplayName(
      "has reasoning summaries as items of their own type, and encrypted reasoning with its id")
  void summaries() {
    assertThat(
            stream(
                answered(
                    new Event.ReasoningDelta(
                        Json.of("sum"),
                        true,
                        "openai-responses-v1",
                        null,
                        template(Dialect.RESPONSES, "{'delta':'TEXT'}")),
                    new Event.EncryptedReasoning(Json.of("e"), "openai-responses-v1", "rs_1", null),
                    END)))
        .startsWith(
            ROLE,
            delta(
                "'reasoning':'sum','reasoning_details':[{'type':'reasoning.summary',"
                    + "'summary':'sum','format':'openai-responses-v1','index':0}]"),
            delta(
                "'reasoning_details':[{'type':'reasoning.encrypted','data':'e','id':'rs_1',"
                    + "'format':'openai-responses-v1','index':1}]"));
  }

  @Proves({"chat.answer.tool-deltas", "translation.case.17"})
  @Test
  @DisplayName(
      "Case 17: names a tool call only in its first chunk, and has no chunk for empty arguments")
  void fragments() {
    assertThat(
            stream(
                answered(
                    new Event.ToolCallDelta(0, "c", "f", Json.of(""), null),
                    new Event.ToolCallDelta(0, null, null, Json.of(""), null),
                    new Event.ToolCallDelta(0, "c", "f", Json.of("{"), null),
                    new Event.ToolCallDelta(0, null, null, Json.of("}"), null),
                    new Event.Finished(StopReason.TOOL_CALLS, "tool_use", null))))
        .containsExactly(
            ROLE,
            delta(
                "'tool_calls':[{'index':0,'id':'c','type':'function','function':{'name':'f',"
                    + "'arguments':''}}]"),
            delta("'tool_calls':[{'index':0,'function':{'arguments':'{'}}]"),
            delta("'tool_calls':[{'index':0,'function':{'arguments':'}'}}]"),
            end("tool_calls", "'tool_use'"),
            USAGE_CHUNK,
            "[DONE]");
  }

  @Test
  @DisplayName("Case 19: has {} as the arguments of a tool call without arguments")
  void noArguments() {
    assertThat(
            stream(
                answered(
                    new Event.ToolCallDelta(0, "c", "f", Json.of(""), null),
                    new Event.ToolCallDelta(1, "d", "g", Json.of("{}"), null),
                    new Event.Finished(StopReason.TOOL_CALLS, null, null))))
        .hasSize(7)
        .contains(delta("'tool_calls':[{'index':0,'function':{'arguments':'{}'}}]"));
    var answer =
        new Answer(
            List.of(
                new Part.ToolCall(
                    "c", "f", new Arguments.Text(Json.of(" ")), Json.Obj.EMPTY, null)),
            StopReason.TOOL_CALLS,
            null,
            null,
            Dialect.GEMINI,
            null);
    assertThat(document(answered(new Event.CompleteAnswer(answer)), false))
        .contains("'function':{'name':'f','arguments':'{}'}");
  }

  @Test
  @DisplayName(
      "has refusals, log probabilities and runs of the gateway's tools in the members for them")
  void others() {
    var run =
        new Part.ServerToolRun(
            "s1", "router:datetime", new Arguments.Text(Json.of("")), json("{'now':'x'}"), null);
    assertThat(
            stream(
                answered(
                    new Event.ServerToolRun(run),
                    new Event.TextDelta("a"),
                    new Event.Logprobs(Json.array(json("{'token':'a'}"))),
                    new Event.RefusalDelta(Json.of("no"), null),
                    new Event.Finished(StopReason.REFUSAL, "refusal", null))))
        .containsExactly(
            ROLE,
            delta(
                "'reasoning_details':[{'type':'reasoning.server_tool_call',"
                    + "'tool_name':'router:datetime','arguments':'{}','result':{'now':'x'},"
                    + "'tool_call_id':'s1','format':'unknown','index':0}]"),
            delta("'content':'a'"),
            HEAD
                + ",'choices':[{'index':0,'delta':{},'logprobs':{'content':[{'token':'a'}]},"
                + "'finish_reason':null}]}",
            delta("'refusal':'no'"),
            end("stop", "'refusal'"),
            USAGE_CHUNK,
            "[DONE]");
  }

  @Test
  @DisplayName("ends with content_filter when a model refused without a text")
  void silentRefusal() {
    assertThat(stream(answered(new Event.Finished(StopReason.REFUSAL, "refusal", null))))
        .contains(end("content_filter", "'refusal'"));
  }

  @Test
  @DisplayName(
      "has, when it is not streamed, a member of the message for each kind of part, and log "
          + "probabilities in the choice")
  void whole() {
    assertThat(
            document(
                answered(
                    reasoningDelta(Dialect.MESSAGES, "hm"),
                    new Event.ReasoningSignature(Json.of("s"), "anthropic-claude-v1", null),
                    new Event.TextDelta("a"),
                    new Event.Logprobs(Json.array(json("{'token':'a'}"))),
                    new Event.TextDelta("b"),
                    new Event.Logprobs(Json.array(json("{'token':'b'}"))),
                    new Event.RefusalDelta(Json.of("no"), null),
                    END),
                false))
        .contains(
            "'logprobs':{'content':[{'token':'a'},{'token':'b'}]},'message':{'role':'assistant',"
                + "'content':'ab','refusal':'no','reasoning':'hm','reasoning_details':[{"
                + "'type':'reasoning.text','text':'hm','signature':'s',"
                + "'format':'anthropic-claude-v1','index':0}]},'finish_reason':'stop'");
  }

  @Test
  @DisplayName("counts the tools that the gateway ran in the usage, if there were any")
  void serverTools() {
    Usage usage =
        Replies.USAGE.toBuilder().searches(2).toolCallsRequested(3).toolCallsExecuted(1).build();
    assertThat(usage(usage).object("server_tool_use_details"))
        .isEqualTo(
            json("{'web_search_requests':2,'tool_calls_requested':3,'tool_calls_executed':1}"));
    assertThat(usage(Replies.USAGE).has("server_tool_use_details")).isFalse();
  }

  private static Json.Obj usage(Usage usage) {
    var out = new JsonOutput(256);
    ChatUsageWriter.write(usage, null, null, new ObjectWriter(out));
    return json(new String(out.toByteArray(), StandardCharsets.UTF_8));
  }
}
