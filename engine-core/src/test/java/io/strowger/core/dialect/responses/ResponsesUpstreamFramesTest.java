package io.strowger.core.dialect.responses;

import static io.strowger.core.dialect.responses.WrittenResponses.items;
import static io.strowger.core.dialect.responses.WrittenResponses.json;
import static io.strowger.core.dialect.responses.WrittenResponses.last;
import static io.strowger.core.dialect.responses.WrittenResponses.lines;
import static io.strowger.core.dialect.responses.WrittenResponses.list;
import static io.strowger.core.dialect.responses.WrittenResponses.member;
import static io.strowger.core.dialect.responses.WrittenResponses.template;
import static io.strowger.core.dialect.responses.WrittenResponses.type;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.FrameTemplate;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A responses stream of a responses upstream")
class ResponsesUpstreamFramesTest {
  private static final String PLACE = "'item_id':'up_1','output_index':0,'content_index':0";
  private static final String ADDED =
      "{'type':'response.output_item.added','sequence_number':%d,'output_index':%d,'item':{"
          + "'id':'up_1','type':'message','phase':'final_answer','status':'in_progress',"
          + "'content':[],'role':'assistant'},'x':1.50}";
  private static final String PART =
      "{'type':'response.content_part.added','sequence_number':%d,"
          + PLACE
          + ",'part':{'type':'output_text','annotations':[],'logprobs':[],'text':''}}";
  private static final String DELTA =
      "{'type':'response.output_text.delta','sequence_number':%d,"
          + PLACE
          + ",'delta':'%s','logprobs':[],'obfuscation':'zz'}";
  private static final String TEXT_DONE =
      "{'type':'response.output_text.done','sequence_number':%d,"
          + PLACE
          + ",'text':'%s','logprobs':[]}";
  private static final String PART_DONE =
      "{'type':'response.content_part.done','sequence_number':%d,"
          + PLACE
          + ",'part':{'type':'output_text','annotations':[],'logprobs':[],'text':'%s'}}";
  private static final String ITEM_DONE =
      "{'type':'response.output_item.done','sequence_number':%d,'output_index':%d,'item':%s}";
  private static final String ITEM =
      "{'id':'up_1','type':'message','phase':'final_answer','status':'completed','content':"
          + "[{'type':'output_text','annotations':[],'logprobs':[],'text':'%s'}],"
          + "'role':'assistant'}";
  private static final FrameTemplate TEMPLATE = template(DELTA.formatted(9, "TEXT"));
  private static final Event END =
      new Event.Finished(
          StopReason.END,
          "completed",
          json(
              "{'type':'response.completed','sequence_number':99,'response':{'id':'up','model':'m',"
                  + "'temperature':0.7,'safety_identifier':'hash','billing':{'payer':'d'},"
                  + "'service_tier':'flex','output':[],'usage':{'input_tokens':1,"
                  + "'input_tokens_details':{'cached_tokens':0,'x':1},'output_tokens':1,"
                  + "'output_tokens_details':{'reasoning_tokens':0},'total_tokens':2,'y':2}}}"));

  private static Event unchanged(String frame) {
    return new Event.OtherContent(json(frame));
  }

  private static Event start(String frame) {
    return new Event.BlockStart(Event.BlockStart.Kind.TEXT, json(frame));
  }

  private static Event stop(String frame) {
    return new Event.BlockStop(json(frame));
  }

  /** Returns the events of one message with these deltas. Its final frames have the text Hello. */
  private static List<Event> message(Event... deltas) {
    var events = new ArrayList<Event>();
    events.add(
        new Event.Started(json("{'type':'response.created','response':{},'sequence_number':0}")));
    events.add(new Event.Started(json("{'type':'response.in_progress','response':{}}")));
    events.add(new Event.Started(json(ADDED.formatted(2, 0))));
    events.add(start(PART.formatted(3)));
    events.addAll(List.of(deltas));
    events.add(unchanged(TEXT_DONE.formatted(6, "Hello")));
    events.add(stop(PART_DONE.formatted(7, "Hello")));
    events.add(stop(ITEM_DONE.formatted(8, 0, ITEM.formatted("Hello"))));
    return events;
  }

  private static Event text(String text) {
    return new Event.TextDelta(Json.of(text), TEMPLATE);
  }

  private static Event[] withEnd(List<Event> events) {
    var all = new ArrayList<>(events);
    all.add(END);
    return all.toArray(new Event[0]);
  }

  @Test
  @DisplayName("is the upstream's, byte for byte, when nothing was changed")
  void same() {
    assertThat(items(withEnd(message(text("Hel"), text("lo")))))
        .containsExactly(
            ADDED.formatted(2, 0),
            PART.formatted(3),
            DELTA.formatted(4, "Hel"),
            DELTA.formatted(5, "lo"),
            TEXT_DONE.formatted(6, "Hello"),
            PART_DONE.formatted(7, "Hello"),
            ITEM_DONE.formatted(8, 0, ITEM.formatted("Hello")));
  }

  @Test
  @DisplayName(
      "ends with the upstream's items and members, except those that the gateway writes itself")
  void terminal() {
    Json.Obj last = last(withEnd(message(text("Hel"), text("lo"))));
    assertThat(member(last, "output")).isEqualTo("[" + ITEM.formatted("Hello") + "]");
    assertThat(last.text("id")).isEqualTo("gen-1700000000-abc");
    assertThat(last.text("model")).isEqualTo("acme/large");
    assertThat(member(last, "temperature")).isEqualTo("0.7");
    assertThat(last.text("service_tier")).isEqualTo("flex");
    assertThat(member(last, "billing")).isEqualTo("{'payer':'d'}");
    assertThat(last.has("safety_identifier")).isFalse();
    assertThat(member(last, "usage"))
        .startsWith(
            "{'input_tokens':10,'input_tokens_details':{'cached_tokens':2,'x':1,"
                + "'cache_write_tokens':0},"
                + "'output_tokens':5,'output_tokens_details':{'reasoning_tokens':1},"
                + "'total_tokens':15,'y':2,'cost':0.000021");
  }

  @Test
  @DisplayName("never has the upstream's text when that was changed on its way")
  void changed() {
    List<String> lines = lines(withEnd(message(text("Hel"), new Event.TextDelta("p"))));
    assertThat(lines).noneMatch(line -> line.contains("Hello"));
    assertThat(lines.get(5))
        .isEqualTo(
            "{'type':'response.output_text.delta','sequence_number':5,"
                + PLACE
                + ",'delta':'p','logprobs':[]}");
    assertThat(lines.subList(6, 9))
        .containsExactly(
            TEXT_DONE.formatted(6, "Help"),
            PART_DONE.formatted(7, "Help"),
            ITEM_DONE.formatted(8, 0, ITEM.formatted("Help")));
    assertThat(last(withEnd(message(text("Hel"), new Event.TextDelta("p")))).text("output_text"))
        .isEqualTo("Help");
  }

  @Test
  @DisplayName("adds the final events of an item that the upstream left open")
  void brokenOff() {
    List<Event> started = message(text("Hel")).subList(0, 5);
    List<String> items = items(withEnd(started));
    assertThat(items.subList(3, items.size()))
        .map(line -> json(line).text("type"))
        .containsExactly(
            "response.output_text.done", "response.content_part.done", "response.output_item.done");
    assertThat(items.get(items.size() - 1))
        .contains("'phase':'final_answer','status':'completed'")
        .contains("'text':'Hel'");
  }

  @Test
  @DisplayName("numbers the items of several turns without a gap")
  void turns() {
    var events = new ArrayList<>(message(text("Hello")));
    events.addAll(message(text("Hello")));
    List<Json.Obj> items = items(withEnd(events)).stream().map(WrittenResponses::json).toList();
    assertThat(items).hasSize(12);
    assertThat(items.subList(0, 6)).allMatch(event -> event.longValue("output_index", -1) == 0);
    assertThat(items.subList(6, 12)).allMatch(event -> event.longValue("output_index", -1) == 1);
    assertThat(list(last(withEnd(events)), "output")).hasSize(2);
  }

  @Test
  @DisplayName("leaves out the remaining events of an item whose first event was withheld")
  void withheld() {
    var events = new ArrayList<Event>();
    events.add(
        unchanged(
            "{'type':'response.function_call_arguments.done','output_index':0,'arguments':'{}'}"));
    events.add(stop(ITEM_DONE.formatted(3, 0, "{'id':'fc','type':'function_call'}")));
    events.add(new Event.Started(json(ADDED.formatted(4, 1))));
    List<String> items = items(withEnd(events));
    assertThat(items.get(0)).isEqualTo(ADDED.formatted(2, 0));
    assertThat(items).hasSize(2);
  }

  @Test
  @DisplayName("passes on unmodelled events and items")
  void others() {
    String search = "{'id':'ws_1','type':'web_search_call','status':'%s'}";
    String added =
        "{'type':'response.output_item.added','sequence_number':%d,'output_index':0,'item':%s}";
    String searching =
        "{'type':'response.web_search_call.searching','sequence_number':%d,'output_index':0,"
            + "'item_id':'ws_1'}";
    String unplaced = "{'type':'response.fusion_call.in_progress','sequence_number':%d,'a':[1 ,2]}";
    assertThat(
            items(
                unchanged(unplaced.formatted(77)),
                unchanged(added.formatted(5, search.formatted("in_progress"))),
                unchanged(searching.formatted(6)),
                stop(ITEM_DONE.formatted(7, 0, search.formatted("completed"))),
                END))
        .containsExactly(
            unplaced.formatted(2),
            added.formatted(3, search.formatted("in_progress")),
            searching.formatted(4),
            ITEM_DONE.formatted(5, 0, search.formatted("completed")));
  }

  @Test
  @DisplayName("has calls, reasoning and their ends as the upstream wrote them")
  void callsAndReasoning() {
    String reasoning = "{'id':'rs_1','type':'reasoning','summary':[%s]}";
    String summary = "'item_id':'rs_1','output_index':0,'summary_index':0";
    String text = "{'type':'summary_text','text':'%s'}";
    List<String> frames =
        List.of(
            "{'type':'response.output_item.added','sequence_number':2,'output_index':0,'item':"
                + reasoning.formatted("")
                + "}",
            "{'type':'response.reasoning_summary_part.added','sequence_number':3,"
                + summary
                + ",'part':"
                + text.formatted("")
                + "}",
            "{'type':'response.reasoning_summary_text.delta','sequence_number':4,"
                + summary
                + ",'delta':'sum'}",
            "{'type':'response.reasoning_summary_text.done','sequence_number':5,"
                + summary
                + ",'text':'sum'}",
            "{'type':'response.reasoning_summary_part.done','sequence_number':6,"
                + summary
                + ",'part':"
                + text.formatted("sum")
                + "}",
            "{'type':'response.output_item.done','sequence_number':7,'output_index':0,'item':"
                + "{'id':'rs_1','type':'reasoning','encrypted_content':'e','summary':["
                + text.formatted("sum")
                + "]}}",
            "{'type':'response.output_item.added','sequence_number':8,'output_index':1,'item':"
                + "{'id':'fc_1','type':'function_call','call_id':'c','name':'f','arguments':''}}",
            "{'type':'response.function_call_arguments.delta','sequence_number':9,"
                + "'item_id':'fc_1','output_index':1,'delta':'{}'}",
            "{'type':'response.function_call_arguments.done','sequence_number':10,"
                + "'item_id':'fc_1','output_index':1,'arguments':'{}'}",
            "{'type':'response.output_item.done','sequence_number':11,'output_index':1,'item':"
                + "{'id':'fc_1','type':'function_call','call_id':'c','name':'f',"
                + "'arguments':'{}'}}");
    List<Json.Obj> frame = frames.stream().map(WrittenResponses::json).toList();
    assertThat(
            items(
                new Event.BlockStart(Event.BlockStart.Kind.REASONING, frame.get(0)),
                new Event.BlockStart(Event.BlockStart.Kind.REASONING, frame.get(1)),
                new Event.ReasoningDelta(
                    Json.of("sum"),
                    true,
                    "openai-responses-v1",
                    "rs_1",
                    template(
                        "{'type':'response.reasoning_summary_text.delta','sequence_number':4,"
                            + summary
                            + ",'delta':'TEXT'}")),
                new Event.BlockStop(frame.get(3)),
                new Event.BlockStop(frame.get(4)),
                new Event.EncryptedReasoning(
                    Json.of("e"), "openai-responses-v1", "rs_1", frame.get(5)),
                new Event.ToolCallDelta(0, "c", "f", Json.of(""), frame.get(6)),
                new Event.ToolCallDelta(0, null, null, Json.of("{}"), frame.get(7)),
                new Event.OtherContent(frame.get(8)),
                new Event.BlockStop(frame.get(9)),
                END))
        .containsExactlyElementsOf(frames);
  }

  @Test
  @DisplayName("has one data line for each event, also when the upstream's frame has several")
  void lineBreaks() {
    String broken = ADDED.replace(",'x':1.50", ",\n 'x':1.50").formatted(2, 0);
    assertThat(items(new Event.Started(json(broken)), END).get(0)).isEqualTo(ADDED.formatted(2, 0));
  }

  @Test
  @DisplayName("of an answer that was not streamed ends with the upstream's own items")
  void notStreamed() {
    Json.Obj source =
        json(
            "{'id':'up','status':'completed','output':["
                + "{'id':'rs','type':'reasoning','summary':[{'type':'summary_text','text':'s'}]},"
                + ITEM.formatted("Hello")
                + ",{'id':'ws_1','type':'web_search_call','status':'completed'}],'z':1.0}");
    var answer =
        new Answer(
            List.of(new Part.Text("Hello")),
            StopReason.END,
            "completed",
            Usage.NONE,
            Dialect.RESPONSES,
            source);
    Json.Obj last = last(new Event.CompleteAnswer(answer));
    assertThat(last.get("output")).isEqualTo(source.get("output"));
    assertThat(member(last, "z")).isEqualTo("1.0");
    assertThat(items(new Event.CompleteAnswer(answer)))
        .map(line -> type(line))
        .containsExactly(
            "output_item.added",
            "reasoning_summary_part.added",
            "reasoning_summary_text.delta",
            "reasoning_summary_text.done",
            "reasoning_summary_part.done",
            "output_item.done",
            "output_item.added",
            "content_part.added",
            "output_text.delta",
            "output_text.done",
            "content_part.done",
            "output_item.done",
            "output_item.added",
            "output_item.done");
  }
}
