package io.strowger.core.dialect.responses;

import static io.strowger.core.dialect.responses.WrittenResponses.COMPLETED;
import static io.strowger.core.dialect.responses.WrittenResponses.document;
import static io.strowger.core.dialect.responses.WrittenResponses.json;
import static io.strowger.core.dialect.responses.WrittenResponses.list;
import static io.strowger.core.dialect.responses.WrittenResponses.member;
import static io.strowger.core.dialect.responses.WrittenResponses.object;
import static io.strowger.core.dialect.responses.WrittenResponses.text;
import static io.strowger.core.inference.Replies.answered;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.Replies;
import io.strowger.core.meter.Bill;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.EventStream;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A response")
class ResponsesDocumentTest {
  private static final Event END = new Event.Finished(StopReason.END, "stop", null);

  private static Event completeAnswer(StopReason reason, Json.@Nullable Obj source, Part... parts) {
    return new Event.CompleteAnswer(
        new Answer(List.of(parts), reason, "native", Replies.USAGE, Dialect.RESPONSES, source));
  }

  private static Part thinking(Part.Thinking.Kind kind, String text, @Nullable String id) {
    return new Part.Thinking(
        kind, Json.of(text), null, "openai-responses-v1", id, Json.Obj.EMPTY, null);
  }

  @Proves("responses.member.answer")
  @Test
  @DisplayName("has the answer, the defaults of the request and the cost")
  void all() {
    assertThat(text(answered(new Event.TextDelta("hi"), END), "{'input':'x'}", false))
        .isEqualTo(
            "{'id':'gen-1700000000-abc','object':'response','created_at':1700000000,"
                + "'completed_at':"
                + COMPLETED
                + ",'status':'completed','error':null,'incomplete_details':null,"
                + "'model':'acme/large','provider':'alpha',"
                + "'output':[{'id':'msg_1700000000-abc_0','type':'message','status':'completed',"
                + "'role':'assistant','content':[{'type':'output_text','text':'hi',"
                + "'annotations':[],'logprobs':[]}]}],'output_text':'hi',"
                + "'background':false,'instructions':null,'max_output_tokens':null,'metadata':{},"
                + "'parallel_tool_calls':true,'previous_response_id':null,"
                + "'frequency_penalty':0,'presence_penalty':0,"
                + "'reasoning':{'effort':null,'summary':null},'store':false,'temperature':1,"
                + "'text':{'format':{'type':'text'}},'tool_choice':'auto','tools':[],'top_p':1,"
                + "'truncation':'disabled','service_tier':'default',"
                + "'usage':{'input_tokens':10,'input_tokens_details':{'cached_tokens':2,"
                + "'cache_write_tokens':0},"
                + "'output_tokens':5,'output_tokens_details':{'reasoning_tokens':1},"
                + "'total_tokens':15,'cost':0.000021,'is_byok':false,"
                + "'cost_details':{'upstream_inference_cost':0.00002,"
                + "'upstream_inference_input_cost':0.00001,"
                + "'upstream_inference_output_cost':0.00001}}}");
  }

  @Proves("responses.member.answer")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "instructions|'be kind'",
        "metadata|{'a':'b'}",
        "temperature|0.50",
        "top_p|0.9",
        "frequency_penalty|-1",
        "presence_penalty|2",
        "tool_choice|{'type':'function','name':'f'}",
        "tools|[{'type':'function','name':'f','parameters':null}]",
        "parallel_tool_calls|false",
        "max_output_tokens|100",
        "max_tool_calls|7",
        "reasoning|{'effort':'high'}",
        "text|{'verbosity':'low'}",
        "truncation|'auto'",
        "top_logprobs|3",
        "prompt_cache_key|'k'",
        "safety_identifier|'s'",
        "user|'u'",
      })
  @DisplayName("repeats the members of the request as the caller wrote them")
  void echoed(String name, String value) {
    String body = "{'input':'x','" + name + "':" + value + "}";
    assertThat(member(document(answered(END), body, false), name)).isEqualTo(value);
  }

  @Test
  @DisplayName("treats a null in the request as absent")
  void nulls() {
    String body = "{'input':'x','temperature':null,'tools':null,'text':null,'user':null}";
    Json.Obj response = document(answered(END), body, false);
    assertThat(member(response, "temperature")).isEqualTo("1");
    assertThat(member(response, "tools")).isEqualTo("[]");
    assertThat(response.has("user")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "END|completed|null",
        "STOP_SEQUENCE|completed|null",
        "TOOL_CALLS|completed|null",
        "PAUSE|completed|null",
        "COMPACTION|completed|null",
        "LENGTH|incomplete|{'reason':'max_output_tokens'}",
        "CONTEXT_WINDOW|incomplete|{'reason':'max_output_tokens'}",
        "CONTENT_FILTER|incomplete|{'reason':'content_filter'}",
        "REFUSAL|incomplete|{'reason':'content_filter'}",
        "ERROR|failed|null",
      })
  @DisplayName("has a status for every stop reason")
  void stopReasons(StopReason reason, String status, String details) {
    Event.Finished end = new Event.Finished(reason, null, null);
    for (Json.Obj response :
        List.of(
            document(new Event.TextDelta("a"), end),
            WrittenResponses.last(new Event.TextDelta("a"), end))) {
      assertThat(response.text("status")).isEqualTo(status);
      assertThat(member(response, "incomplete_details")).isEqualTo(details);
      assertThat(Json.NULL.equals(response.get("completed_at")))
          .isNotEqualTo(status.equals("completed"));
      assertThat(response.has("error_type")).isEqualTo(status.equals("failed"));
    }
  }

  @Proves("responses.member.error-code")
  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  @DisplayName("has a code of this dialect for every error, and the error's own type")
  void errors(ErrorCode code) {
    Event failed = new Event.Failed(GatewayError.of(code), null);
    Json.Obj response = document(new Event.TextDelta("a"), failed);
    if (code == ErrorCode.CONTEXT_LENGTH_EXCEEDED) {
      assertThat(response.text("status")).isEqualTo("incomplete");
      return;
    }
    String expected =
        switch (code.type()) {
          case "rate_limit_exceeded" -> "rate_limit_exceeded";
          case "invalid_request" -> "invalid_prompt";
          case "content_policy_violation" -> "image_content_policy_violation";
          default -> "server_error";
        };
    assertThat(response.text("status")).isEqualTo("failed");
    assertThat(response.text("error_type")).isEqualTo(code.type());
    Json.Obj error = object(response, "error");
    assertThat(error.text("code")).isEqualTo(expected);
    assertThat(error.text("message")).isEqualTo(code.message());
    assertThat(response.text("output_text")).isEqualTo("a");
  }

  @Test
  @DisplayName(
      "keeps the items and members of a responses upstream, except those that the gateway writes "
          + "itself")
  void sameDialect() {
    String output =
        "[{'id':'ws_1','type':'web_search_call','x':1.0 },{'id':'m','type':'message',"
            + "'content':[ {'type':'output_text','text':'a\\u0062','annotations':[]}]}]";
    Json.Obj source =
        json(
            "{'id':'up','object':'x','created_at':1,'model':'up','status':'completed','output':"
                + output
                + ",'metadata':{'up':'1'},'max_output_tokens':55,'user':'hash','z':[1 ],"
                + "'usage':{'input_tokens':1,'y':2}}");
    String written =
        text(
            answered(completeAnswer(StopReason.END, source, new Part.Text("ab"))),
            "{'input':'x'}",
            false);
    Json.Obj response = json(written);
    assertThat(written).contains("'output':" + output).contains("'z':[1 ]");
    assertThat(response.text("output_text")).isEqualTo("ab");
    assertThat(response.text("id")).isEqualTo(Replies.ID);
    assertThat(member(response, "metadata")).isEqualTo("{}");
    assertThat(member(response, "max_output_tokens")).isEqualTo("55");
    assertThat(response.has("user")).isFalse();
    assertThat(member(response, "usage")).startsWith("{'input_tokens':10,'y':2,");
  }

  @Test
  @DisplayName("has each item that parts were read from, once, when the answer was changed")
  void changed() {
    Json.Obj reasoning = json("{'id':'rs_1','type':'reasoning','summary':[],'x':1}");
    Json.Obj call =
        json("{'id':'fc_1','type':'function_call','call_id':'c','name':'f','arguments':'{}'}");
    Json.Obj response =
        document(
            completeAnswer(
                StopReason.TOOL_CALLS,
                null,
                new Part.Thinking(
                    Part.Thinking.Kind.SUMMARY,
                    Json.of("a"),
                    null,
                    null,
                    "rs_1",
                    Json.Obj.EMPTY,
                    reasoning),
                new Part.Thinking(
                    Part.Thinking.Kind.ENCRYPTED,
                    Json.of("b"),
                    null,
                    null,
                    "rs_1",
                    Json.Obj.EMPTY,
                    reasoning),
                new Part.Text("other"),
                new Part.ToolCall("c", "f", Json.of("{}"), Json.Obj.EMPTY, call)));
    List<Json.Obj> output = list(response, "output");
    assertThat(output).hasSize(3);
    assertThat(output.get(0)).isEqualTo(reasoning);
    assertThat(response.text("output_text")).isEqualTo("other");
    assertThat(output.get(2)).isEqualTo(call);
  }

  @Test
  @DisplayName("puts reasoning parts with the same id into one item with that id")
  void reasoningItems() {
    List<Json.Obj> output =
        list(
            document(
                completeAnswer(
                    StopReason.END,
                    null,
                    thinking(Part.Thinking.Kind.SUMMARY, "a", "rs_1"),
                    thinking(Part.Thinking.Kind.SUMMARY, "b", "rs_1"),
                    thinking(Part.Thinking.Kind.ENCRYPTED, "e", "rs_1"),
                    thinking(Part.Thinking.Kind.ENCRYPTED, "f", "rs_2"))),
            "output");
    assertThat(output).hasSize(2);
    assertThat(output.get(0).text("id")).isEqualTo("rs_1");
    assertThat(list(output.get(0), "summary"))
        .extracting(p -> p.text("text"))
        .containsExactly("a", "b");
    assertThat(output.get(0).text("encrypted_content")).isEqualTo("e");
    assertThat(output.get(1).text("id")).isEqualTo("rs_2");
  }

  @Test
  @DisplayName("Case 22: has reasoning, text and calls, in their order")
  void everything() {
    assertThat(
            list(
                document(
                    new Event.ReasoningDelta(Json.of("hm"), null),
                    new Event.TextDelta("hi"),
                    new Event.ToolCallDelta(0, "c", "f", Json.of(""), null),
                    new Event.Finished(StopReason.TOOL_CALLS, null, null)),
                "output"))
        .extracting(item -> item.text("type"))
        .containsExactly("reasoning", "message", "function_call");
  }

  @Test
  @DisplayName("has generated images as base64 data, without the rest of a data URL")
  void images() {
    Part inline =
        new Part.Image(new Media.Inline("image/png", Json.of("AAAA")), Json.Obj.EMPTY, null);
    assertThat(list(document(completeAnswer(StopReason.END, null, inline)), "output"))
        .singleElement()
        .isEqualTo(
            json(
                "{'id':'ig_1700000000-abc_0','type':'image_generation_call',"
                    + "'status':'completed','result':'AAAA'}"));
  }

  @Test
  @DisplayName("has, for a BYOK key, the cost that its owner pays the upstream, searches included")
  void byokCost() {
    var bill =
        new Bill(
            Usage.builder().searches(1).build(),
            new Usd(1_500),
            new Usd(10_000),
            new Usd(10_000),
            true,
            new Usd(30_000));
    Json.Obj response =
        document(answered(bill, EventStream.of(List.of(END))), "{'input':'x'}", false);
    assertThat(member(response, "usage"))
        .contains(
            "'cost':0.0000015,'is_byok':true,'cost_details':{'upstream_inference_cost':0.00003,"
                + "'upstream_inference_input_cost':0.00001,"
                + "'upstream_inference_output_cost':0.00001}");
  }

  @Test
  @DisplayName("counts the calls of the gateway's tools in the usage, if there were any")
  void serverTools() {
    Usage used = Usage.builder().searches(1).toolCallsRequested(3).toolCallsExecuted(2).build();
    var bill = new Bill(used, new Usd(0), new Usd(0), new Usd(0), true, new Usd(0));
    Json.Obj response =
        document(answered(bill, EventStream.of(List.of(END))), "{'input':'x'}", false);
    assertThat(member(response, "usage"))
        .contains("'is_byok':true")
        .endsWith(
            "'server_tool_use_details':{'web_search_requests':1,'tool_calls_requested':3,"
                + "'tool_calls_executed':2}}");
  }

  @Test
  @DisplayName("carries router metadata only on request")
  void metadata() {
    Json.Obj response = document(answered(END), "{'input':'x'}", true);
    assertThat(member(response, "router_metadata")).startsWith("{'requested':'acme/large'");
    assertThat(document(END).has("router_metadata")).isFalse();
  }
}
