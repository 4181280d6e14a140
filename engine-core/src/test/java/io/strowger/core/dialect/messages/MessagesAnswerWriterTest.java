package io.strowger.core.dialect.messages;

import static io.strowger.core.dialect.EncodedAnswers.json;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.COST;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.END;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.HEAD;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.USAGE;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.call;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.document;
import static io.strowger.core.inference.Replies.answered;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.Replies;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A message that is not streamed")
class MessagesAnswerWriterTest {
  private static final String END_MEMBERS =
      ",'stop_reason':'%s','stop_sequence':null,'stop_details':%s,'container':null," + USAGE + "}";

  private static String documentOf(Answer answer) {
    return document(answered(new Event.CompleteAnswer(answer)), false);
  }

  private static Answer answer(StopReason reason, Part... parts) {
    return new Answer(List.of(parts), reason, "native", null, Dialect.CHAT, null);
  }

  private static String message(String content, String reason, String details) {
    return "{" + HEAD + ",'content':[" + content + "]" + END_MEMBERS.formatted(reason, details);
  }

  private static Part.ToolCall toolCall(String arguments) {
    return new Part.ToolCall("c", "f", Json.of(arguments), Json.Obj.EMPTY, null);
  }

  private static String toolUse(String input) {
    return "{'type':'tool_use','id':'c','name':'f','input':"
        + input
        + ",'caller':{'type':'direct'}}";
  }

  @Proves({"message.container", "message.usage", "messages.answer.blocks", "messages.answer.usage"})
  @Test
  @DisplayName(
      "keeps the upstream's document except for the members that the gateway writes itself")
  void sameDialect() {
    var source =
        json(
            "{'id':'msg_1','type':'message','role':'assistant','model':'up','x':{'y':1.50},"
                + "'content':[{'type':'text','text':'hi'},{'type':'tool_use','id':'t','name':'f',"
                + "'input':{'a':1.0},'z':1},{'type':'container_upload','file_id':'f'}],"
                + "'stop_reason':'end_turn','stop_sequence':null,'container':{'id':'k'},"
                + "'usage':{'input_tokens':99,'output_tokens':1,'inference_geo':'us',"
                + "'service_tier':'priority','output_tokens_details':{'q':1}}}");
    var answer =
        new Answer(List.of(), StopReason.TOOL_CALLS, "end_turn", null, Dialect.MESSAGES, source);
    assertThat(documentOf(answer))
        .isEqualTo(
            "{"
                + HEAD
                + ",'x':{'y':1.50},'content':[{'type':'text','text':'hi','citations':null},"
                + "{'type':'tool_use','id':'t','name':'f','input':{'a':1.0},'z':1,"
                + "'caller':{'type':'direct'}},{'type':'container_upload','file_id':'f'}],"
                + "'stop_reason':'tool_use','stop_sequence':null,'container':{'id':'k'},"
                + "'stop_details':null,'usage':{'input_tokens':8,'output_tokens':5,"
                + "'inference_geo':'us','service_tier':'priority',"
                + "'output_tokens_details':{'q':1,'thinking_tokens':1},"
                + "'cache_creation_input_tokens':0,'cache_read_input_tokens':2,"
                + "'cache_creation':null,'server_tool_use':null,"
                + COST
                + "}}");
  }

  @Proves({
    "message.type",
    "message.role",
    "message.model",
    "message.content",
    "message.stop_sequence",
    "message.stop_details",
    "message.container",
    "message.usage",
    "routing.tier.served",
    "messages.answer.members",
    "messages.answer.blocks",
    "translation.case.22"
  })
  @Test
  @DisplayName("Case 22: has thinking, text and calls in their order")
  void fromParts() {
    assertThat(
            documentOf(
                answer(
                    StopReason.TOOL_CALLS,
                    new Part.Thinking(Json.of("hm"), null, Json.Obj.EMPTY, null),
                    new Part.Text("so"),
                    toolCall("{\"a\":1}"))))
        .isEqualTo(
            message(
                "{'type':'thinking','thinking':'hm','signature':''},"
                    + "{'type':'text','text':'so','citations':null},"
                    + toolUse("{'a':1}"),
                "tool_use",
                "null"));
  }

  @Proves("translation.case.19")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' |{}",
        "' '|{}",
        "null|{}",
        "{}|{}",
        "[1]|{'unparsed':'[1]'}",
        "5|{'unparsed':'5'}",
        "true|{'unparsed':'true'}",
        "{\"a\"|{'unparsed':'{\\'a\\''}"
      })
  @DisplayName("Case 19: has an object for the input of a call, whatever the model wrote")
  void inputs(String arguments, String input) {
    String given = arguments.replace("'", "").strip();
    assertThat(documentOf(answer(StopReason.TOOL_CALLS, toolCall(given)))).contains(toolUse(input));
  }

  @Proves("messages.answer.blocks")
  @Test
  @DisplayName("has thinking of every kind, except thinking that is empty and unsigned")
  void thinking() {
    var kind = Part.Thinking.Kind.SUMMARY;
    assertThat(
            documentOf(
                answer(
                    StopReason.END,
                    new Part.Thinking(Json.of(""), null, Json.Obj.EMPTY, null),
                    new Part.Thinking(Json.of(""), Json.of("s"), Json.Obj.EMPTY, null),
                    new Part.Thinking(kind, Json.of("sum"), null, null, null, Json.Obj.EMPTY, null),
                    new Part.Thinking(
                        Part.Thinking.Kind.ENCRYPTED,
                        Json.of("e"),
                        null,
                        "openai-responses-v1",
                        "rs",
                        Json.Obj.EMPTY,
                        null))))
        .isEqualTo(
            message(
                "{'type':'thinking','thinking':'','signature':'s'},"
                    + "{'type':'thinking','thinking':'sum','signature':''},"
                    + "{'type':'redacted_thinking','data':'openai-responses-v1:rs:e'}",
                "end_turn",
                "null"));
  }

  @Proves("message.content")
  @Test
  @DisplayName(
      "has citations in the block of the text they belong to, and one block for texts with only "
          + "log probabilities between them")
  void citations() {
    Json.Obj cited = json("{'type':'url_citation','url_citation':{'url':'u','title':'t'}}");
    assertThat(
            documentOf(
                answer(
                    StopReason.END,
                    new Part.Text("a"),
                    new Part.Logprobs(Json.array()),
                    new Part.Text("b"),
                    new Part.Citation(cited, null),
                    new Part.Text("c"))))
        .isEqualTo(
            message(
                "{'type':'text','text':'ab','citations':[{'type':'web_search_result_location',"
                    + "'cited_text':'','url':'u','title':'t','encrypted_index':''}]},"
                    + "{'type':'text','text':'c','citations':null}",
                "end_turn",
                "null"));
  }

  @Test
  @DisplayName("leaves out parts for which there is no block, and unknown parts of other dialects")
  void lost() {
    assertThat(
            documentOf(
                answer(
                    StopReason.END,
                    new Part.Text("a"),
                    new Part.Image(new Media.FileId("f"), Json.Obj.EMPTY, null),
                    new Part.Unknown("audio", json("{'id':'a'}")))))
        .isEqualTo(message("{'type':'text','text':'a','citations':null}", "end_turn", "null"));
  }

  @Proves({"message.stop_details", "translation.stop.REFUSAL"})
  @Test
  @DisplayName(
      "has the text of a model's refusal in stop_details, and ends as refused after a content "
          + "filter")
  void refusals() {
    assertThat(documentOf(answer(StopReason.END, new Part.Refusal(Json.of("no"), null))))
        .isEqualTo(message("", "refusal", "{'type':'refusal','category':null,'explanation':'no'}"));
    assertThat(documentOf(answer(StopReason.CONTENT_FILTER)))
        .isEqualTo(message("", "refusal", "{'type':'refusal','category':null,'explanation':null}"));
  }

  @Test
  @DisplayName("is assembled from the events when the provider streamed")
  void collected() {
    assertThat(
            document(
                answered(
                    new Event.Started(null),
                    new Event.TextDelta("Hel"),
                    new Event.TextDelta("lo"),
                    call(0, "c", "f", "{}"),
                    new Event.UsageReport(
                        Replies.USAGE, json("{'choices':[],'usage':{'prompt_tokens':1}}")),
                    END),
                false))
        .isEqualTo(
            message(
                "{'type':'text','text':'Hello','citations':null}," + toolUse("{}"),
                "end_turn",
                "null"));
  }

  @Proves("message.router_metadata")
  @Test
  @DisplayName("carries router metadata only on request")
  void metadata() {
    Event.CompleteAnswer completeAnswer =
        new Event.CompleteAnswer(answer(StopReason.END, new Part.Text("a")));
    assertThat(document(answered(completeAnswer), true))
        .contains("'router_metadata':{'requested':");
    assertThat(document(answered(completeAnswer), false)).doesNotContain("router_metadata");
  }
}
