package io.strowger.simulated;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The responses dialect's documents for one script: its reasoning, its text and its calls as output
 * items in that order. Frames are numbered consecutively, so a script always gives the same ones.
 */
final class SimulatedResponsesFrames implements UpstreamProtocol.AnswerFrames {
  private static final long CREATED = 1_700_000_000L;
  private static final String ENCRYPTED = "c2ltdWxhdGVk";
  private static final String REASONING_ID = "rs_simulated";
  private static final String MESSAGE_ID = "msg_simulated";

  private final Script script;
  private final String model;
  private final List<byte[]> opening;
  private final List<byte[]> text;
  private final List<byte[]> calls;
  private final List<byte[]> ending;
  private int sequence;
  private int place;

  SimulatedResponsesFrames(Script script, UpstreamProtocol.ParsedRequest parsedRequest) {
    this.script = script;
    this.model = parsedRequest.model();
    this.opening = begin();
    this.text = say();
    this.calls = call();
    this.ending = end();
  }

  @Override
  public Json.Obj document() {
    return response(status(), output(), true);
  }

  @Override
  public List<byte[]> opening() {
    return opening;
  }

  @Override
  public List<byte[]> text() {
    return text;
  }

  @Override
  public List<byte[]> calls() {
    return calls;
  }

  @Override
  public List<byte[]> ending() {
    return ending;
  }

  private List<byte[]> begin() {
    var frames = new ArrayList<byte[]>();
    Json.Obj begun = response("in_progress", List.of(), false);
    frames.add(frame(typed("response.created").put("response", begun)));
    frames.add(frame(typed("response.in_progress").put("response", begun)));
    if (script.reasoning() != null) {
      think(Objects.requireNonNull(script.reasoning()), frames);
    }
    if (!script.text().isEmpty()) {
      frames.add(frame(item("added", message("in_progress", List.of()))));
      frames.add(frame(part("added", said(""))));
    }
    return frames;
  }

  private void think(String reasoning, List<byte[]> frames) {
    frames.add(frame(item("added", thought(List.of()))));
    frames.add(frame(summary("part.added").put("part", summaryText(""))));
    frames.add(frame(summary("text.delta").put("delta", reasoning)));
    frames.add(frame(summary("text.done").put("text", reasoning)));
    frames.add(frame(summary("part.done").put("part", summaryText(reasoning))));
    frames.add(frame(item("done", thought(List.of(summaryText(reasoning))))));
    place++;
  }

  private List<byte[]> say() {
    return SimulatedChatFrames.pieces(script.text(), script.chunks()).stream()
        .map(
            piece ->
                frame(
                    script.refused()
                        ? ofMessage("refusal.delta").put("delta", piece)
                        : ofMessage("output_text.delta")
                            .put("delta", piece)
                            .put("logprobs", Json.array())))
        .toList();
  }

  private List<byte[]> call() {
    var frames = new ArrayList<byte[]>();
    if (!script.text().isEmpty()) {
      frames.add(
          frame(
              script.refused()
                  ? ofMessage("refusal.done").put("refusal", script.text())
                  : ofMessage("output_text.done")
                      .put("text", script.text())
                      .put("logprobs", Json.array())));
      frames.add(frame(part("done", said(script.text()))));
      frames.add(frame(item("done", message("completed", List.of(said(script.text()))))));
      place++;
    }
    for (Script.ToolCall call : script.toolCalls()) {
      frames.add(frame(item("added", call(call, "in_progress", ""))));
      for (String piece : SimulatedChatFrames.pieces(call.arguments(), 2)) {
        frames.add(frame(arguments(call, "delta").put("delta", piece)));
      }
      frames.add(frame(arguments(call, "done").put("arguments", call.arguments())));
      frames.add(frame(item("done", call(call, "completed", call.arguments()))));
      place++;
    }
    return frames;
  }

  private List<byte[]> end() {
    return List.of(
        frame(typed("response." + status()).put("response", response(status(), output(), true))));
  }

  private String status() {
    return switch (script.finishReason()) {
      case "length", "content_filter" -> "incomplete";
      default -> "completed";
    };
  }

  private Json incomplete(String status) {
    if (!status.equals("incomplete")) {
      return Json.NULL;
    }
    boolean length = script.finishReason().equals("length");
    return Json.object().put("reason", length ? "max_output_tokens" : "content_filter").build();
  }

  private List<Json> output() {
    var output = new ArrayList<Json>();
    if (script.reasoning() != null) {
      output.add(thought(List.of(summaryText(script.reasoning()))));
    }
    if (!script.text().isEmpty()) {
      output.add(message("completed", List.of(said(script.text()))));
    }
    script.toolCalls().forEach(call -> output.add(call(call, "completed", call.arguments())));
    return output;
  }

  private Json.Obj response(String status, List<Json> output, boolean over) {
    Json.Obj.Builder response =
        Json.object()
            .put("id", "resp_simulated")
            .put("object", "response")
            .put("created_at", CREATED)
            .put("status", status)
            .put("error", Json.NULL)
            .put("incomplete_details", incomplete(status))
            .put("model", model)
            .put("output", Json.array(output));
    boolean counted = over && script.usage() != Script.UsageStyle.NEVER;
    return response.put("usage", counted ? usage() : Json.NULL).putAll(script.extras()).build();
  }

  private Json.Obj usage() {
    return Json.object()
        .put("input_tokens", script.promptTokens())
        .put(
            "input_tokens_details",
            Json.object().put("cached_tokens", script.cachedTokens()).build())
        .put("output_tokens", script.completionTokens())
        .put(
            "output_tokens_details",
            Json.object().put("reasoning_tokens", script.reasoningTokens()).build())
        .put("total_tokens", (long) script.promptTokens() + script.completionTokens())
        .build();
  }

  private static Json.Obj thought(List<Json> summary) {
    return typed("reasoning")
        .put("id", REASONING_ID)
        .put("summary", Json.array(summary))
        .put("encrypted_content", ENCRYPTED)
        .build();
  }

  private static Json.Obj summaryText(String text) {
    return typed("summary_text").put("text", text).build();
  }

  private static Json.Obj message(String status, List<Json> content) {
    return typed("message")
        .put("id", MESSAGE_ID)
        .put("status", status)
        .put("role", "assistant")
        .put("content", Json.array(content))
        .build();
  }

  private Json.Obj said(String text) {
    if (script.refused()) {
      return typed("refusal").put("refusal", text).build();
    }
    return typed("output_text").put("annotations", Json.array()).put("text", text).build();
  }

  private static Json.Obj call(Script.ToolCall call, String status, String arguments) {
    return typed("function_call")
        .put("id", "fc_" + call.id())
        .put("status", status)
        .put("call_id", call.id())
        .put("name", call.name())
        .put("arguments", arguments)
        .build();
  }

  private Json.Obj.Builder item(String what, Json.Obj item) {
    return typed("response.output_item." + what).put("output_index", place).put("item", item);
  }

  private Json.Obj.Builder part(String what, Json.Obj part) {
    return ofMessage("content_part." + what).put("part", part);
  }

  private Json.Obj.Builder ofMessage(String what) {
    return typed("response." + what)
        .put("item_id", MESSAGE_ID)
        .put("output_index", place)
        .put("content_index", 0);
  }

  private Json.Obj.Builder summary(String what) {
    return typed("response.reasoning_summary_" + what)
        .put("item_id", REASONING_ID)
        .put("output_index", place)
        .put("summary_index", 0);
  }

  private Json.Obj.Builder arguments(Script.ToolCall call, String what) {
    return typed("response.function_call_arguments." + what)
        .put("item_id", "fc_" + call.id())
        .put("output_index", place);
  }

  private static Json.Obj.Builder typed(String type) {
    return Json.object().put("type", type);
  }

  private byte[] frame(Json.Obj.Builder event) {
    Json.Obj numbered = event.put("sequence_number", sequence++).build();
    return UpstreamProtocol.frame(numbered.text("type"), numbered);
  }
}
