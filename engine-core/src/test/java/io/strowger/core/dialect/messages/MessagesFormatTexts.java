package io.strowger.core.dialect.messages;

import io.strowger.core.dialect.CollectedAnswer;
import io.strowger.core.dialect.EncodedAnswers;
import io.strowger.core.inference.Replies;
import io.strowger.core.inference.Reply;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Expected texts and helpers for the tests of the messages writers. */
final class MessagesFormatTexts {
  static final String HEAD =
      "'id':'gen-1700000000-abc','type':'message','role':'assistant','model':'acme/large',"
          + "'provider':'alpha'";

  /** The usage in the first event of a stream, before any counts are known. */
  static final String NO_USAGE =
      "'usage':{'input_tokens':0,'output_tokens':0,'cache_creation_input_tokens':0,"
          + "'cache_read_input_tokens':0,'cache_creation':null,'output_tokens_details':null,"
          + "'server_tool_use':null,'inference_geo':null,'service_tier':'standard'}";

  static final String START =
      "{'type':'message_start','message':{"
          + HEAD
          + ",'content':[],'stop_reason':null,'stop_sequence':null,'stop_details':null,"
          + "'container':null,"
          + NO_USAGE
          + "}}";

  static final String COST =
      "'cost':0.000021,'is_byok':false,'cost_details':{'upstream_inference_cost':0.00002,"
          + "'upstream_inference_prompt_cost':0.00001,"
          + "'upstream_inference_completions_cost':0.00001}";

  /** The usage and the cost of the answers of {@link Replies}. */
  static final String USAGE =
      "'usage':{'input_tokens':8,'output_tokens':5,'cache_creation_input_tokens':0,"
          + "'cache_read_input_tokens':2,'cache_creation':null,"
          + "'output_tokens_details':{'thinking_tokens':1},'server_tool_use':null,"
          + "'inference_geo':null,'service_tier':'standard',"
          + COST
          + "}";

  static final String STOP = "{'type':'message_stop'}";
  static final Event END = new Event.Finished(StopReason.END, "stop", null);

  private MessagesFormatTexts() {}

  static String end(String reason) {
    return "{'type':'message_delta','delta':{'stop_reason':'"
        + reason
        + "','stop_sequence':null,'stop_details':null,'container':null},"
        + USAGE
        + "}";
  }

  static String start(int index, String block) {
    return "{'type':'content_block_start','index':" + index + ",'content_block':{" + block + "}}";
  }

  static String text(int index) {
    return start(index, "'type':'text','text':'','citations':null");
  }

  static String thinking(int index) {
    return start(index, "'type':'thinking','thinking':'','signature':''");
  }

  static String toolUse(int index, String id, String name) {
    return start(
        index,
        "'type':'tool_use','id':'"
            + id
            + "','name':'"
            + name
            + "','input':{},'caller':{'type':'direct'}");
  }

  static String delta(int index, String type, String member, String value) {
    return "{'type':'content_block_delta','index':"
        + index
        + ",'delta':{'type':'"
        + type
        + "','"
        + member
        + "':'"
        + value
        + "'}}";
  }

  static String textDelta(int index, String text) {
    return delta(index, "text_delta", "text", text);
  }

  static String inputDelta(int index, String json) {
    return delta(index, "input_json_delta", "partial_json", json);
  }

  static String stop(int index) {
    return "{'type':'content_block_stop','index':" + index + "}";
  }

  static Event call(int index, String id, String name, String arguments) {
    return new Event.ToolCallDelta(index, id, name, Json.of(arguments), null);
  }

  static Event moreArguments(int index, String arguments) {
    return new Event.ToolCallDelta(index, null, null, Json.of(arguments), null);
  }

  /** Returns the data of each event that a stream of these events writes, in single quotes. */
  static List<String> stream(Event... events) {
    return stream(Replies.answered(events), false);
  }

  static List<String> stream(Reply.Answered reply, boolean metadata) {
    String written = EncodedAnswers.stream(reply, new MessagesStreamWriter(reply, metadata));
    return Arrays.stream(written.split("\n\n")).map(MessagesFormatTexts::data).toList();
  }

  /**
   * Returns what {@link #stream} returns without the first event and the two that end the stream.
   */
  static List<String> blocks(Event... events) {
    List<String> all = stream(events);
    return all.subList(1, all.size() - 2);
  }

  private static String data(String event) {
    String[] lines = event.split("[\r\n]");
    if (lines.length != 2 || !lines[0].startsWith("event: ") || !lines[1].startsWith("data: ")) {
      throw new AssertionError("not a name and one data line: " + event);
    }
    String type = lines[0].substring(7);
    String data = lines[1].substring(6);
    if (!type.equals(EncodedAnswers.json(data).text("type"))) {
      throw new AssertionError("the event name " + type + " is not the type in " + data);
    }
    return data;
  }

  /** Returns the answer as one document, in single quotes. */
  static String document(Reply.Answered reply, boolean metadata) {
    CollectedAnswer collectedAnswer = CollectedAnswer.from(reply.answer());
    return new String(
            MessagesAnswerWriter.write(reply, collectedAnswer, metadata).toByteArray(),
            StandardCharsets.UTF_8)
        .replace('"', '\'');
  }
}
