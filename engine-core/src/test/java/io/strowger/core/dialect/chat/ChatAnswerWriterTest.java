package io.strowger.core.dialect.chat;

import static io.strowger.core.dialect.EncodedAnswers.json;
import static io.strowger.core.dialect.chat.Chunks.USAGE;
import static io.strowger.core.dialect.chat.Chunks.document;
import static io.strowger.core.inference.Replies.answered;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A chat answer that is not streamed")
class ChatAnswerWriterTest {
  private static final String HEAD =
      "{'id':'gen-1700000000-abc','object':'chat.completion','created':1700000000,"
          + "'model':'acme/large','provider':'alpha'";
  private static final Event END = new Event.Finished(StopReason.END, "stop", null);

  @Proves({
    "chat.answer.head",
    "chat.answer.choices",
    "chat.answer.provider",
    "chat.answer.service_tier",
    "chat.answer.usage"
  })
  @Test
  @DisplayName(
      "keeps the upstream's document except for the members that the gateway writes itself")
  void sameDialect() {
    var source =
        json(
            "{'id':'up','object':'o','created':1,'model':'up-m','x':{'y':1.50},"
                + "'system_fingerprint':'fp','service_tier':'default','choices':[{'index':0,"
                + "'message':{'role':'assistant','content':'hi','z':[]},'finish_reason':'eos'},"
                + "{'index':1,'message':{'role':'assistant','content':'ho'},"
                + "'finish_reason':'length'}],'usage':{'prompt_tokens':1,'extra':true}}");
    var answer =
        new Answer(
            List.of(new Part.Text("hi")), StopReason.END, "eos", Usage.NONE, Dialect.CHAT, source);
    assertThat(document(answered(new Event.CompleteAnswer(answer)), false))
        .isEqualTo(
            HEAD
                + ",'x':{'y':1.50},'system_fingerprint':'fp','service_tier':'default','choices':["
                + "{'index':0,'message':{'role':'assistant','content':'hi','z':[]},"
                + "'finish_reason':'stop','native_finish_reason':'eos'},{'index':1,'message':"
                + "{'role':'assistant','content':'ho'},'finish_reason':'length',"
                + "'native_finish_reason':'length'}],'usage':{'prompt_tokens':10,"
                + "'completion_tokens':5,'total_tokens':15,'extra':true,'cost':0.000021,'is_byok':false,"
                + "'cost_details':{'upstream_inference_cost':0.00002,"
                + "'upstream_inference_prompt_cost':0.00001,"
                + "'upstream_inference_completions_cost':0.00001}}}");
  }

  @Test
  @DisplayName("renames reasoning_content to reasoning")
  void reasoningContent() {
    var source =
        json(
            "{'choices':[{'index':0,'message':{'content':'hi','reasoning_content':'hm'},"
                + "'finish_reason':'stop'}]}");
    var answer = new Answer(List.of(), StopReason.END, "stop", null, Dialect.CHAT, source);
    assertThat(document(answered(new Event.CompleteAnswer(answer)), false))
        .contains("'message':{'content':'hi','reasoning':'hm'}");
  }

  @Proves("chat.answer.head")
  @Test
  @DisplayName("is made from its parts when there is no document of this format")
  void fromParts() {
    var answer =
        new Answer(
            List.of(
                new Part.ToolCall("c", "f", Json.of("{}"), Json.Obj.EMPTY, null),
                new Part.Unknown("refusal", Json.of("no"))),
            StopReason.TOOL_CALLS,
            "tool_use",
            null,
            Dialect.MESSAGES,
            json("{'type':'message','usage':{'input_tokens':1}}"));
    assertThat(document(answered(new Event.CompleteAnswer(answer)), false))
        .isEqualTo(
            HEAD
                + ",'system_fingerprint':null,'choices':[{'index':0,'logprobs':null,'message':"
                + "{'role':'assistant','content':null,'tool_calls':[{'id':'c',"
                + "'type':'function','function':{'name':'f','arguments':'{}'}}],'refusal':'no'},"
                + "'finish_reason':'tool_calls','native_finish_reason':'tool_use'}],"
                + USAGE
                + "}");
  }

  @Test
  @DisplayName("keeps unknown parts beside its text and citations, which they never replace")
  void unknownParts() {
    var answer =
        new Answer(
            List.of(
                new Part.Text("hi"),
                new Part.Unknown("content", json("{'type':'output_new'}")),
                new Part.Citation(json("{'type':'url_citation'}"), null),
                new Part.Unknown("annotations", json("{'type':'file_citation','file_id':'f1'}")),
                new Part.Unknown("annotations", json("{'type':'file_citation','file_id':'f2'}")),
                new Part.Unknown("", json("{'a':1}")),
                new Part.Unknown("tool_calls", Json.of("none")),
                new Part.Unknown("mood", Json.of("good"))),
            StopReason.END,
            "completed",
            null,
            Dialect.RESPONSES,
            json("{'object':'response'}"));
    assertThat(document(answered(new Event.CompleteAnswer(answer)), false))
        .contains(
            "'message':{'role':'assistant','content':'hi','annotations':[{'type':'url_citation'},"
                + "{'type':'file_citation','file_id':'f1'},{'type':'file_citation','file_id':'f2'}],"
                + "'tool_calls':'none','mood':'good'}");
  }

  @Test
  @DisplayName("is assembled from the events when the provider streamed")
  void collected() {
    assertThat(
            document(
                answered(
                    new Event.Started(null),
                    new Event.ReasoningDelta(Json.of("h"), null),
                    new Event.ReasoningDelta(Json.of("m"), null),
                    new Event.TextDelta("Hel"),
                    new Event.TextDelta("lo"),
                    new Event.ToolCallDelta(1, "d", "g", Json.of("2"), null),
                    new Event.ToolCallDelta(0, "c", "f", Json.of("{"), null),
                    new Event.ToolCallDelta(0, null, null, Json.of("}"), null),
                    new Event.Annotation(json("{'a':1}"), null),
                    END),
                false))
        .isEqualTo(
            HEAD
                + ",'system_fingerprint':null,'choices':[{'index':0,'logprobs':null,'message':"
                + "{'role':'assistant','content':'Hello','reasoning':'hm','reasoning_details':[{"
                + "'type':'reasoning.text','text':'hm','format':'unknown','index':0}],"
                + "'tool_calls':[{'id':'c','type':'function',"
                + "'function':{'name':'f','arguments':'{}'}},{'id':'d','type':'function',"
                + "'function':{'name':'g','arguments':'2'}}],"
                + "'annotations':[{'a':1}]},'finish_reason':'stop',"
                + "'native_finish_reason':'stop'}],"
                + USAGE
                + "}");
  }

  @Proves({"resources.error.interrupted", "chat.answer.error.whole"})
  @Test
  @DisplayName("keeps its content and carries the error when the provider failed after content")
  void failedLate() {
    Event failed = Event.Failed.upstream(new Failure(FailureKind.TIMEOUT, 0, -1, "late"));
    assertThat(document(answered(new Event.TextDelta("Hel"), failed), false))
        .startsWith(
            HEAD
                + ",'system_fingerprint':null,'choices':[{'index':0,'logprobs':null,'message':"
                + "{'role':'assistant','content':'Hel'},'finish_reason':'error',"
                + "'native_finish_reason':null,'error':{'code':524,'message':'Request timed out."
                + " Please try again later.','metadata':{'error_type':'timeout'}}}]");
  }

  @Proves("chat.answer.router_metadata")
  @Test
  @DisplayName("carries router metadata only on request")
  void metadata() {
    assertThat(document(answered(new Event.TextDelta("a"), END), true))
        .contains("'router_metadata':{'requested':'acme/large'");
    assertThat(document(answered(new Event.TextDelta("a"), END), false))
        .doesNotContain("router_metadata");
  }
}
