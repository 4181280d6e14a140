package io.strowger.conformance;

import io.strowger.conformance.dialects.Upstream;
import io.strowger.core.decode.TestJson;
import io.strowger.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A random answer of an upstream, as a document and as a stream of the same content: texts,
 * reasoning in every form of the dialect, refusals and parallel calls.
 *
 * @param whole the body if the answer is not streamed
 * @param stream the body if the answer is streamed
 */
record RandomAnswer(Json.Obj whole, byte[] stream) {

  static RandomAnswer draw(Upstream upstream, Random random) {
    return switch (upstream) {
      case CHAT -> new Chat(random).draw();
      case MESSAGES -> new Messages(random).draw();
      case RESPONSES -> new Responses(random).draw();
      case GEMINI -> new Gemini(random).draw();
    };
  }

  /** The code that the writers of all dialects share. */
  private abstract static class Writer {
    private static final String[] WORDS = {
      "alpha", "Grüße", "日本語", "\"quoted\"", "line\nbreak", "😀", "{}", "tab\t", " "
    };

    final Random random;
    private final StringBuilder stream = new StringBuilder();
    private int idCount;

    Writer(Random random) {
      this.random = random;
    }

    abstract RandomAnswer draw();

    boolean maybe() {
      return random.nextBoolean();
    }

    String text() {
      var text = new StringBuilder();
      int words = 1 + random.nextInt(5);
      for (int i = 0; i < words; i++) {
        text.append(WORDS[random.nextInt(WORDS.length)]).append(random.nextInt(10));
      }
      return text.toString();
    }

    String newId(String kind) {
      return kind + "_" + idCount++;
    }

    String arguments() {
      return maybe() ? "{}" : "{\"q\":[1,{\"a\":\"ü\"}]}";
    }

    /** Cuts a text into one to four pieces, none of them empty. */
    List<String> cut(String text) {
      var pieces = new ArrayList<String>();
      int from = 0;
      int pieceCount = 1 + random.nextInt(4);
      while (pieces.size() < pieceCount - 1 && from < text.length()) {
        int left = text.codePointCount(from, text.length());
        int to = text.offsetByCodePoints(from, 1 + random.nextInt(left));
        pieces.add(text.substring(from, to));
        from = to;
      }
      if (from < text.length()) {
        pieces.add(text.substring(from));
      }
      return pieces;
    }

    void frame(@Nullable String event, Json.Obj data) {
      if (event != null) {
        stream.append("event: ").append(event).append('\n');
      }
      line(new String(data.toBytes(), StandardCharsets.UTF_8)); // toString would shorten it
    }

    void line(String data) {
      stream.append("data: ").append(data).append("\n\n");
    }

    RandomAnswer answerOf(Json.Obj whole) {
      return new RandomAnswer(whole, stream.toString().getBytes(StandardCharsets.UTF_8));
    }

    static Json.Obj.Builder typed(String type) {
      return Json.object().put("type", type);
    }

    static Json parsed(String json) {
      return TestJson.of(json);
    }
  }

  /** The chat dialect: reasoning, then text, then a refusal, then calls. */
  private static final class Chat extends Writer {
    private static final String[] FORMATS = {"anthropic-claude-v1", "openai-responses-v1"};

    private final Json.Obj.Builder message = Json.object().put("role", "assistant");
    private final List<Json> details = new ArrayList<>();
    private final StringBuilder reasoning = new StringBuilder();

    Chat(Random random) {
      super(random);
    }

    @Override
    RandomAnswer draw() {
      delta(Json.object().put("role", "assistant").put("content", "").build());
      reasoning();
      String content = maybe() ? text() : "";
      cut(content).forEach(piece -> delta(Json.object().put("content", piece).build()));
      message.putOrNull("content", content.isEmpty() ? null : content);
      if (random.nextInt(4) == 0) {
        String refusal = text();
        cut(refusal).forEach(piece -> delta(Json.object().put("refusal", piece).build()));
        message.put("refusal", refusal);
      }
      int calls = random.nextInt(3);
      calls(calls);
      String finish = calls > 0 ? "tool_calls" : maybe() ? "stop" : "length";
      frame(null, chunk(Json.Obj.EMPTY, Json.of(finish)).build());
      frame(null, head().put("choices", Json.array()).put("usage", usage()).build());
      line("[DONE]");
      Json.Obj choice =
          Json.object()
              .put("index", 0)
              .put("message", message.build())
              .put("finish_reason", finish)
              .build();
      return answerOf(head().put("choices", Json.array(choice)).put("usage", usage()).build());
    }

    /** Writes reasoning as plain text, as items or as both, or writes none. */
    private void reasoning() {
      switch (random.nextInt(4)) {
        case 0 -> {}
        case 1 -> {
          String text = text();
          cut(text).forEach(piece -> delta(Json.object().put("reasoning", piece).build()));
          message.put("reasoning", text);
        }
        case 2 -> details(false);
        default -> details(true);
      }
    }

    private void details(boolean plain) {
      int items = 1 + random.nextInt(3);
      for (int i = 0; i < items; i++) {
        detail(i, plain);
      }
      message.put("reasoning_details", Json.array(details));
      if (plain && !reasoning.isEmpty()) {
        message.put("reasoning", reasoning.toString());
      }
    }

    private void detail(int index, boolean plain) {
      Json.Obj.Builder rest = Json.object();
      if (maybe()) {
        rest.put("id", newId("thought"));
      }
      Json.Obj common =
          rest.put("format", FORMATS[random.nextInt(FORMATS.length)]).put("index", index).build();
      switch (random.nextInt(3)) {
        case 0 -> {
          Json.Obj item =
              typed("reasoning.encrypted").put("data", newId("c2VhbGVk")).putAll(common).build();
          details.add(item);
          thought(null, item);
        }
        case 1 -> details.add(textDetail("reasoning.summary", "summary", common, plain));
        default -> {
          Json.Obj item = textDetail("reasoning.text", "text", common, plain);
          if (maybe()) {
            String signature = newId("c2lnbmVk");
            item = item.with("signature", Json.of(signature));
            thought(
                null, typed("reasoning.text").put("signature", signature).putAll(common).build());
          }
          details.add(item);
        }
      }
    }

    private Json.Obj textDetail(String type, String member, Json.Obj common, boolean plain) {
      String text = text();
      cut(text)
          .forEach(
              piece ->
                  thought(
                      plain ? piece : null, typed(type).put(member, piece).putAll(common).build()));
      reasoning.append(text);
      return typed(type).put(member, text).putAll(common).build();
    }

    private void thought(@Nullable String plain, Json.Obj item) {
      Json.Obj.Builder delta = Json.object();
      if (plain != null) {
        delta.put("reasoning", plain);
      }
      delta(delta.put("reasoning_details", Json.array(item)).build());
    }

    /** Writes calls; the fragments of one may come after another call was announced. */
    private void calls(int count) {
      var calls = new ArrayList<Json>();
      var fragments = new ArrayList<Json>();
      for (int i = 0; i < count; i++) {
        String id = newId("call");
        String arguments = arguments();
        calls.add(call(null, id, arguments));
        delta(Json.object().put("tool_calls", Json.array(call(i, id, ""))).build());
        for (String piece : cut(arguments)) {
          fragments.add(
              Json.object()
                  .put("index", i)
                  .put("function", Json.object().put("arguments", piece).build())
                  .build());
        }
        if (maybe()) {
          fragments(fragments);
        }
      }
      fragments(fragments);
      if (count > 0) {
        message.put("tool_calls", Json.array(calls));
      }
    }

    private void fragments(List<Json> fragments) {
      fragments.forEach(one -> delta(Json.object().put("tool_calls", Json.array(one)).build()));
      fragments.clear();
    }

    private static Json.Obj call(@Nullable Integer index, String id, String arguments) {
      Json.Obj.Builder call = Json.object();
      if (index != null) {
        call.put("index", index);
      }
      return call.put("id", id)
          .put("type", "function")
          .put("function", Json.object().put("name", "look_up").put("arguments", arguments).build())
          .build();
    }

    private void delta(Json.Obj delta) {
      frame(null, chunk(delta, Json.NULL).build());
    }

    private static Json.Obj.Builder chunk(Json.Obj delta, Json finish) {
      Json.Obj choice =
          Json.object().put("index", 0).put("delta", delta).put("finish_reason", finish).build();
      return head().put("choices", Json.array(choice));
    }

    private static Json.Obj.Builder head() {
      return Json.object().put("id", "chatcmpl-1").put("created", 1).put("model", "their-name");
    }

    private static Json usage() {
      return parsed("{'prompt_tokens':10,'completion_tokens':8,'total_tokens':18}");
    }
  }

  /** The messages dialect: blocks in any order. */
  private static final class Messages extends Writer {
    private static final String USAGE = "{'input_tokens':10,'output_tokens':8}";

    private final List<Json> content = new ArrayList<>();
    private boolean called;

    Messages(Random random) {
      super(random);
    }

    @Override
    RandomAnswer draw() {
      Json.Obj begun = message(List.of(), Json.NULL, Json.NULL);
      event(typed("message_start").put("message", begun).build());
      int blocks = random.nextInt(5);
      for (int i = 0; i < blocks; i++) {
        block(i);
      }
      boolean refused = !called && random.nextInt(4) == 0;
      Json reason = Json.of(called ? "tool_use" : refused ? "refusal" : "end_turn");
      Json details =
          refused
              ? typed("refusal").put("category", Json.NULL).put("explanation", text()).build()
              : Json.NULL;
      Json.Obj delta =
          Json.object()
              .put("stop_reason", reason)
              .put("stop_sequence", Json.NULL)
              .put("stop_details", details)
              .build();
      event(typed("message_delta").put("delta", delta).put("usage", parsed(USAGE)).build());
      event(typed("message_stop").build());
      return answerOf(message(content, reason, details));
    }

    private static Json.Obj message(List<Json> content, Json reason, Json details) {
      return typed("message")
          .put("id", "msg_1")
          .put("role", "assistant")
          .put("model", "their-name")
          .put("content", Json.array(content))
          .put("stop_reason", reason)
          .put("stop_sequence", Json.NULL)
          .put("stop_details", details)
          .put("usage", parsed(USAGE))
          .build();
    }

    private void block(int index) {
      switch (random.nextInt(4)) {
        case 0 -> {
          String thought = text();
          String signature = newId("c2lnbmVk");
          start(index, typed("thinking").put("thinking", "").put("signature", "").build());
          cut(thought)
              .forEach(piece -> delta(index, typed("thinking_delta").put("thinking", piece)));
          delta(index, typed("signature_delta").put("signature", signature));
          content.add(
              typed("thinking").put("thinking", thought).put("signature", signature).build());
        }
        case 1 -> {
          Json.Obj block = typed("redacted_thinking").put("data", newId("c2VhbGVk")).build();
          start(index, block);
          content.add(block);
        }
        case 2 -> {
          String text = text();
          start(index, typed("text").put("text", "").build());
          cut(text).forEach(piece -> delta(index, typed("text_delta").put("text", piece)));
          content.add(typed("text").put("text", text).build());
        }
        default -> {
          called = true;
          String id = newId("call");
          String arguments = arguments();
          start(index, call(id, Json.Obj.EMPTY));
          cut(arguments)
              .forEach(piece -> delta(index, typed("input_json_delta").put("partial_json", piece)));
          content.add(call(id, parsed(arguments)));
        }
      }
      event(typed("content_block_stop").put("index", index).build());
    }

    private static Json.Obj call(String id, Json input) {
      return typed("tool_use").put("id", id).put("name", "look_up").put("input", input).build();
    }

    private void start(int index, Json.Obj block) {
      event(typed("content_block_start").put("index", index).put("content_block", block).build());
    }

    private void delta(int index, Json.Obj.Builder delta) {
      event(typed("content_block_delta").put("index", index).put("delta", delta.build()).build());
    }

    private void event(Json.Obj data) {
      frame(data.text("type"), data);
    }
  }

  /** The responses dialect: items in any order. */
  private static final class Responses extends Writer {
    private static final String USAGE = "{'input_tokens':10,'output_tokens':8,'total_tokens':18}";

    private final List<Json> output = new ArrayList<>();
    private int sequence;

    Responses(Random random) {
      super(random);
    }

    @Override
    RandomAnswer draw() {
      Json.Obj begun = response("in_progress", Json.NULL);
      event(typed("response.created").put("response", begun));
      event(typed("response.in_progress").put("response", begun));
      int items = random.nextInt(5);
      for (int i = 0; i < items; i++) {
        switch (random.nextInt(3)) {
          case 0 -> reasoning();
          case 1 -> message();
          default -> call();
        }
      }
      Json.Obj ended = response("completed", parsed(USAGE));
      event(typed("response.completed").put("response", ended));
      return answerOf(ended);
    }

    private Json.Obj response(String status, Json usage) {
      return Json.object()
          .put("id", "resp_1")
          .put("object", "response")
          .put("created_at", 1)
          .put("status", status)
          .put("model", "their-name")
          .put("output", Json.array(output))
          .put("usage", usage)
          .build();
    }

    private void reasoning() {
      String id = newId("rs");
      Json.Obj begun = typed("reasoning").put("id", id).put("summary", Json.array()).build();
      item("added", begun);
      Json.Obj item = begun;
      int summaries = random.nextInt(3);
      var summary = new ArrayList<Json>();
      for (int i = 0; i < summaries; i++) {
        summary.add(
            part("response.reasoning_summary_part", "response.reasoning_summary_text", id, i));
      }
      item = item.with("summary", Json.array(summary));
      if (maybe()) {
        item =
            item.with(
                "content",
                Json.array(part("response.content_part", "response.reasoning_text", id, 0)));
      }
      if (maybe()) {
        item = item.with("encrypted_content", Json.of(newId("c2VhbGVk")));
      }
      item("done", item);
      output.add(item);
    }

    private void message() {
      String id = newId("msg");
      Json.Obj begun =
          typed("message")
              .put("id", id)
              .put("role", "assistant")
              .put("status", "in_progress")
              .put("content", Json.array())
              .build();
      item("added", begun);
      var content = new ArrayList<Json>();
      int texts = 1 + random.nextInt(2);
      for (int i = 0; i < texts; i++) {
        content.add(part("response.content_part", "response.output_text", id, i));
      }
      if (random.nextInt(4) == 0) {
        content.add(part("response.content_part", "response.refusal", id, texts));
      }
      Json.Obj item =
          begun.with("status", Json.of("completed")).with("content", Json.array(content));
      item("done", item);
      output.add(item);
    }

    /** Writes all events of one part of an item, and returns the part. */
    private Json.Obj part(String around, String events, String id, int index) {
      String text = text();
      String counter = around.endsWith("summary_part") ? "summary_index" : "content_index";
      String member = events.endsWith("refusal") ? "refusal" : "text";
      Json.Obj place =
          Json.object()
              .put("item_id", id)
              .put("output_index", output.size())
              .put(counter, index)
              .build();
      event(typed(around + ".added").putAll(place).put("part", part(events, member, "")));
      cut(text).forEach(piece -> event(typed(events + ".delta").putAll(place).put("delta", piece)));
      event(typed(events + ".done").putAll(place).put(member, text));
      event(typed(around + ".done").putAll(place).put("part", part(events, member, text)));
      return part(events, member, text);
    }

    private static Json.Obj part(String events, String member, String text) {
      String type =
          switch (events) {
            case "response.reasoning_summary_text" -> "summary_text";
            case "response.reasoning_text" -> "reasoning_text";
            case "response.refusal" -> "refusal";
            default -> "output_text";
          };
      Json.Obj.Builder part = typed(type).put(member, text);
      return type.equals("output_text")
          ? part.put("annotations", Json.array()).build()
          : part.build();
    }

    private void call() {
      String id = newId("fc");
      String arguments = arguments();
      String callId = newId("call");
      item("added", call(id, callId, "in_progress", ""));
      for (String piece : cut(arguments)) {
        event(
            typed("response.function_call_arguments.delta")
                .put("item_id", id)
                .put("output_index", output.size())
                .put("delta", piece));
      }
      event(
          typed("response.function_call_arguments.done")
              .put("item_id", id)
              .put("output_index", output.size())
              .put("arguments", arguments));
      Json.Obj item = call(id, callId, "completed", arguments);
      item("done", item);
      output.add(item);
    }

    private static Json.Obj call(String id, String callId, String status, String arguments) {
      return typed("function_call")
          .put("id", id)
          .put("call_id", callId)
          .put("status", status)
          .put("name", "look_up")
          .put("arguments", arguments)
          .build();
    }

    private void item(String change, Json.Obj item) {
      event(
          typed("response.output_item." + change)
              .put("output_index", output.size())
              .put("item", item));
    }

    private void event(Json.Obj.Builder data) {
      Json.Obj numbered = data.put("sequence_number", sequence++).build();
      frame(numbered.text("type"), numbered);
    }
  }

  /**
   * The gemini dialect: parts in any order; a document, too, may have one text in several parts.
   */
  private static final class Gemini extends Writer {
    private final List<Json> parts = new ArrayList<>();
    private final List<Json> waiting = new ArrayList<>();

    Gemini(Random random) {
      super(random);
    }

    @Override
    RandomAnswer draw() {
      int pieces = random.nextInt(6);
      for (int i = 0; i < pieces; i++) {
        piece();
        if (maybe()) {
          flush();
        }
      }
      flush();
      frame(null, answer(List.of(), "STOP"));
      return answerOf(answer(parts, "STOP"));
    }

    private void piece() {
      switch (random.nextInt(4)) {
        case 0 -> addText(Json.object().put("thought", true).build());
        case 1, 2 -> addText(Json.Obj.EMPTY);
        default -> {
          Json.Obj call =
              Json.object()
                  .put("id", newId("call"))
                  .put("name", "look_up")
                  .put("args", parsed(arguments()))
                  .build();
          add(signed(Json.object().put("functionCall", call).build()));
        }
      }
    }

    /** Adds a text: whole and perhaps signed, or in pieces. */
    private void addText(Json.Obj more) {
      if (random.nextInt(4) == 0) {
        add(signed(more.with("text", Json.of(text()))));
      } else {
        List<String> cut = cut(text());
        boolean inOne = maybe();
        cut.forEach(
            piece -> {
              Json.Obj part = more.with("text", Json.of(piece));
              waiting.add(part);
              if (!inOne) {
                parts.add(part);
              }
              if (maybe()) {
                flush();
              }
            });
        if (inOne) {
          parts.add(more.with("text", Json.of(String.join("", cut))));
        }
      }
    }

    private Json.Obj signed(Json.Obj part) {
      return maybe() ? part.with("thoughtSignature", Json.of(newId("c2lnbmVk"))) : part;
    }

    private void add(Json part) {
      parts.add(part);
      waiting.add(part);
    }

    private void flush() {
      if (!waiting.isEmpty()) {
        frame(null, answer(List.copyOf(waiting), null));
        waiting.clear();
      }
    }

    private static Json.Obj answer(List<Json> parts, @Nullable String finish) {
      Json.Obj.Builder candidate = Json.object();
      if (!parts.isEmpty()) {
        candidate.put(
            "content", Json.object().put("role", "model").put("parts", Json.array(parts)).build());
      }
      if (finish != null) {
        candidate.put("finishReason", finish);
      }
      return Json.object()
          .put("candidates", Json.array(candidate.put("index", 0).build()))
          .put(
              "usageMetadata",
              parsed("{'promptTokenCount':10,'candidatesTokenCount':8,'totalTokenCount':18}"))
          .put("responseId", "resp-1")
          .build();
    }
  }
}
