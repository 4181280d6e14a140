package io.strowger.core.dialect.responses;

import static io.strowger.core.dialect.responses.WrittenResponses.events;
import static io.strowger.core.dialect.responses.WrittenResponses.items;
import static io.strowger.core.dialect.responses.WrittenResponses.json;
import static io.strowger.core.dialect.responses.WrittenResponses.last;
import static io.strowger.core.dialect.responses.WrittenResponses.lines;
import static io.strowger.core.dialect.responses.WrittenResponses.member;
import static io.strowger.core.dialect.responses.WrittenResponses.object;
import static io.strowger.core.dialect.responses.WrittenResponses.request;
import static io.strowger.core.dialect.responses.WrittenResponses.type;
import static io.strowger.core.inference.Replies.answered;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.Replies;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A responses stream")
class ResponsesStreamTest {
  private static final Event END = new Event.Finished(StopReason.END, "stop", null);
  private static final String MESSAGE_PLACE = "'item_id':'msg_1700000000-abc_0','output_index':0";
  private static final String CALL_MEMBERS =
      "'type':'function_call','status':'in_progress','call_id':'%s','name':'%s','arguments':''";

  private static Event call(int index, String id, String name, String arguments) {
    return new Event.ToolCallDelta(index, id, name, Json.of(arguments), null);
  }

  private static Event moreArguments(int index, String arguments) {
    return new Event.ToolCallDelta(index, null, null, Json.of(arguments), null);
  }

  @Proves("responses.member.stream")
  @Test
  @DisplayName("of text has the item, its part, the deltas and their ends, in order")
  void text() {
    String item = "'id':'msg_1700000000-abc_0','type':'message'";
    assertThat(
            items(
                new Event.Started(null),
                new Event.TextDelta("Hel"),
                new Event.TextDelta("lo\n"),
                END))
        .containsExactly(
            "{'type':'response.output_item.added','sequence_number':2,'output_index':0,'item':{"
                + item
                + ",'status':'in_progress','role':'assistant','content':[]}}",
            "{'type':'response.content_part.added','sequence_number':3,"
                + MESSAGE_PLACE
                + ",'content_index':0,'part':{'type':'output_text','text':'','annotations':[],"
                + "'logprobs':[]}}",
            "{'type':'response.output_text.delta','sequence_number':4,"
                + MESSAGE_PLACE
                + ",'content_index':0,'delta':'Hel','logprobs':[]}",
            "{'type':'response.output_text.delta','sequence_number':5,"
                + MESSAGE_PLACE
                + ",'content_index':0,'delta':'lo\\n','logprobs':[]}",
            "{'type':'response.output_text.done','sequence_number':6,"
                + MESSAGE_PLACE
                + ",'content_index':0,'text':'Hello\\n','logprobs':[]}",
            "{'type':'response.content_part.done','sequence_number':7,"
                + MESSAGE_PLACE
                + ",'content_index':0,'part':{'type':'output_text','text':'Hello\\n',"
                + "'annotations':[],'logprobs':[]}}",
            "{'type':'response.output_item.done','sequence_number':8,'output_index':0,'item':{"
                + item
                + ",'status':'completed','role':'assistant','content':[{'type':'output_text',"
                + "'text':'Hello\\n','annotations':[],'logprobs':[]}]}}");
  }

  @Proves("responses.member.stream")
  @Test
  @DisplayName("begins with the response in progress, in two events, and ends with it completed")
  void frame() {
    List<Json.Obj> events = events(new Event.TextDelta("hi"), END);
    Json.Obj created = events.get(0);
    assertThat(created.text("type")).isEqualTo("response.created");
    assertThat(events.get(1).text("type")).isEqualTo("response.in_progress");
    assertThat(object(events.get(1), "response")).isEqualTo(object(created, "response"));
    assertThat(object(created, "response").text("status")).isEqualTo("in_progress");
    assertThat(member(object(created, "response"), "output")).isEqualTo("[]");
    assertThat(object(created, "response").get("usage")).isEqualTo(Json.NULL);
    Json.Obj last = events.get(events.size() - 1);
    assertThat(last.text("type")).isEqualTo("response.completed");
    assertThat(object(last, "response").text("id")).isEqualTo(Replies.ID);
    assertThat(object(last, "response").text("output_text")).isEqualTo("hi");
    assertThat(object(object(last, "response"), "usage").longValue("input_tokens", 0))
        .isEqualTo(10);
  }

  @Test
  @DisplayName("has nothing after the completed response, not even [DONE]")
  void end() {
    assertThat(lines(new Event.TextDelta("a"), END)).noneMatch(line -> line.contains("DONE"));
    List<String> lines = lines(new Event.TextDelta("a"), END);
    assertThat(lines.get(lines.size() - 1)).startsWith("{'type':'response.completed'");
  }

  @Test
  @DisplayName("has the deltas of parallel calls as they arrive, each with the index of its item")
  void interleaved() {
    assertThat(
            items(
                new Event.TextDelta("x"),
                call(0, "c0", "f", ""),
                call(1, "c1", "g", "{'b'".replace('\'', '"')),
                moreArguments(0, "{}"),
                moreArguments(1, ":1}"),
                new Event.Finished(StopReason.TOOL_CALLS, null, null)))
        .map(WrittenResponses::json)
        .map(event -> type(event) + " " + event.longValue("output_index", -1))
        .containsExactly(
            "output_item.added 0",
            "content_part.added 0",
            "output_text.delta 0",
            "output_text.done 0",
            "content_part.done 0",
            "output_item.done 0",
            "output_item.added 1",
            "output_item.added 2",
            "function_call_arguments.delta 2",
            "function_call_arguments.delta 1",
            "function_call_arguments.delta 2",
            "function_call_arguments.done 1",
            "output_item.done 1",
            "function_call_arguments.done 2",
            "output_item.done 2");
  }

  @Test
  @DisplayName("of a call has its name and call_id first, and its complete arguments last")
  void oneCall() {
    String item = "'id':'fc_1700000000-abc_0',";
    assertThat(items(call(0, "c0", "f", "{\"a\""), moreArguments(0, ":1}"), END))
        .containsExactly(
            "{'type':'response.output_item.added','sequence_number':2,'output_index':0,'item':{"
                + item
                + CALL_MEMBERS.formatted("c0", "f")
                + "}}",
            "{'type':'response.function_call_arguments.delta','sequence_number':3,"
                + "'item_id':'fc_1700000000-abc_0','output_index':0,'delta':'{\\'a\\''}",
            "{'type':'response.function_call_arguments.delta','sequence_number':4,"
                + "'item_id':'fc_1700000000-abc_0','output_index':0,'delta':':1}'}",
            "{'type':'response.function_call_arguments.done','sequence_number':5,"
                + "'item_id':'fc_1700000000-abc_0','output_index':0,"
                + "'arguments':'{\\'a\\':1}','name':'f'}",
            "{'type':'response.output_item.done','sequence_number':6,'output_index':0,'item':{"
                + item
                + "'type':'function_call','status':'completed','call_id':'c0','name':'f',"
                + "'arguments':'{\\'a\\':1}'}}");
  }

  @Test
  @DisplayName("Case 19: has {} as the arguments of a call without arguments, also in a delta")
  void noArguments() {
    assertThat(items(call(0, "c0", "f", ""), END))
        .anyMatch(line -> line.contains("arguments.delta") && line.contains("'delta':'{}'"))
        .anyMatch(line -> line.contains("arguments.done") && line.contains("'arguments':'{}'"));
  }

  @Test
  @DisplayName("ends a call when the upstream stops it, before the next one begins")
  void blocks() {
    assertThat(
            items(
                new Event.BlockStart(Event.BlockStart.Kind.TOOL_CALL, null),
                call(0, "c0", "f", "{}"),
                new Event.BlockStop(null),
                call(1, "c1", "g", "{}"),
                END))
        .map(line -> type(line))
        .containsExactly(
            "output_item.added",
            "function_call_arguments.delta",
            "function_call_arguments.done",
            "output_item.done",
            "output_item.added",
            "function_call_arguments.delta",
            "function_call_arguments.done",
            "output_item.done");
  }

  @Test
  @DisplayName("has a refusal as a part of that type, and ends as completed")
  void refusal() {
    List<String> items =
        items(
            new Event.RefusalDelta(Json.of("no"), null),
            new Event.Finished(StopReason.REFUSAL, null, null));
    assertThat(items.get(1)).contains("'part':{'type':'refusal','refusal':''}");
    assertThat(items.get(2)).contains("'response.refusal.delta'").endsWith("'delta':'no'}");
    assertThat(items.get(3)).contains("'response.refusal.done'").endsWith("'refusal':'no'}");
    assertThat(
            last(
                    new Event.RefusalDelta(Json.of("no"), null),
                    new Event.Finished(StopReason.REFUSAL, null, null))
                .text("status"))
        .isEqualTo("completed");
  }

  @Test
  @DisplayName("has citations without an inner object, with indexes into the part they belong to")
  void citations() {
    Event cited =
        new Event.Annotation(
            json(
                "{'type':'url_citation','url_citation':{'url':'u','title':'t','start_index':2,"
                    + "'end_index':3}}"),
            null);
    String flat = "{'type':'url_citation','url':'u','title':'t','start_index':%d,'end_index':%d}";
    assertThat(items(new Event.TextDelta("abc"), cited, END).get(3))
        .isEqualTo(
            "{'type':'response.output_text.annotation.added','sequence_number':5,"
                + MESSAGE_PLACE
                + ",'content_index':0,'annotation_index':0,'annotation':"
                + flat.formatted(2, 3)
                + "}");
    assertThat(
            member(
                last(
                    new Event.TextDelta("a"),
                    call(0, "c", "f", "{}"),
                    new Event.TextDelta("abc"),
                    cited,
                    END),
                "output"))
        .contains("'annotations':[" + flat.formatted(1, 2) + "]");
  }

  @Test
  @DisplayName("has log probabilities that arrived after their text where the text ends")
  void logprobs() {
    String likely = "{'token':'a','logprob':-1.0,'bytes':null,'top_logprobs':[]}";
    assertThat(
            items(new Event.TextDelta("a"), new Event.Logprobs(Json.array(json(likely))), END)
                .get(3))
        .endsWith("'text':'a','logprobs':[" + likely + "]}");
  }

  @Proves("responses.member.stream.tools")
  @Test
  @DisplayName("has the run of a gateway tool as an item that a caller can send back")
  void run() {
    var run =
        new Part.ServerToolRun(
            "c1", "router:datetime", new Arguments.Text(Json.of("{}")), Json.of("noon"), null);
    assertThat(items(new Event.ServerToolRun(run), END))
        .containsExactly(
            "{'type':'response.output_item.added','sequence_number':2,'output_index':0,'item':{"
                + "'id':'st_1700000000-abc_0','type':'router:datetime','status':'in_progress',"
                + "'call_id':'c1','arguments':'{}'}}",
            "{'type':'response.output_item.done','sequence_number':3,'output_index':0,'item':{"
                + "'id':'st_1700000000-abc_0','type':'router:datetime','status':'completed',"
                + "'call_id':'c1','arguments':'{}','output':'noon'}}");
  }

  @Proves("responses.member.stream.debug")
  @Test
  @DisplayName("begins with the body that each upstream was sent, and only on request")
  void debug() {
    Event[] events = {
      new Event.UpstreamBodyEcho(json("{'a':\n1}")),
      new Event.UpstreamBodyEcho(json("{'b':2}")),
      new Event.TextDelta("x"),
      END
    };
    assertThat(lines(answered(events), request("{'input':'hi'}"), true))
        .startsWith(
            "{'type':'response.debug','sequence_number':0,'debug':{'echo_upstream_body':{'a':1}}}",
            "{'type':'response.debug','sequence_number':1,'debug':{'echo_upstream_body':{'b':2}}}")
        .element(2)
        .asString()
        .startsWith("{'type':'response.created','sequence_number':2,");
    assertThat(lines(events).get(0)).startsWith("{'type':'response.created','sequence_number':0,");
  }

  @Test
  @DisplayName("of an answer that was not streamed has deltas all the same")
  void notStreamed() {
    var answer =
        new Answer(
            List.of(
                new Part.Text("hi"),
                new Part.ToolCall("c0", "f", Json.of("{}"), Json.Obj.EMPTY, null)),
            StopReason.TOOL_CALLS,
            "tool_calls",
            Replies.USAGE,
            Dialect.CHAT,
            null);
    assertThat(items(new Event.CompleteAnswer(answer)))
        .map(line -> type(line))
        .containsExactly(
            "output_item.added",
            "content_part.added",
            "output_text.delta",
            "output_text.done",
            "content_part.done",
            "output_item.done",
            "output_item.added",
            "function_call_arguments.delta",
            "function_call_arguments.done",
            "output_item.done");
  }
}
