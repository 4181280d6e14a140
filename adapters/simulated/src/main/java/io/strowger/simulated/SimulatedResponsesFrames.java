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
  private int outputIndex;

  SimulatedResponsesFrames(Script script, UpstreamProtocol.ParsedRequest parsedRequest) {
    this.script = script;
    this.model = parsedRequest.model();
    this.opening = openingFrames();
    this.text = textFrames();
    this.calls = callFrames();
    this.ending = endingFrames();
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
  public List<byte[]> betweenTextAndEnding() {
    return calls;
  }

  @Override
  public List<byte[]> ending() {
    return ending;
  }

  private List<byte[]> openingFrames() {
    var frames = new ArrayList<byte[]>();
    Json.Obj response = response("in_progress", List.of(), false);
    frames.add(frame(typed("response.created").put("response", response)));
    frames.add(frame(typed("response.in_progress").put("response", response)));
    if (script.reasoning() != null) {
      addReasoning(Objects.requireNonNull(script.reasoning()), frames);
    }
    if (!script.text().isEmpty()) {
      frames.add(frame(itemEvent("added", message("in_progress", List.of()))));
      frames.add(frame(partEvent("added", textPart(""))));
    }
    return frames;
  }

  private void addReasoning(String reasoning, List<byte[]> frames) {
    frames.add(frame(itemEvent("added", reasoningItem(List.of()))));
    frames.add(frame(summaryEvent("part.added").put("part", summaryText(""))));
    frames.add(frame(summaryEvent("text.delta").put("delta", reasoning)));
    frames.add(frame(summaryEvent("text.done").put("text", reasoning)));
    frames.add(frame(summaryEvent("part.done").put("part", summaryText(reasoning))));
    frames.add(frame(itemEvent("done", reasoningItem(List.of(summaryText(reasoning))))));
    outputIndex++;
  }

  private List<byte[]> textFrames() {
    return SimulatedChatFrames.pieces(script.text(), script.chunks()).stream()
        .map(
            piece ->
                frame(
                    script.isRefusal()
                        ? messageEvent("refusal.delta").put("delta", piece)
                        : messageEvent("output_text.delta")
                            .put("delta", piece)
                            .put("logprobs", Json.array())))
        .toList();
  }

  private List<byte[]> callFrames() {
    var frames = new ArrayList<byte[]>();
    if (!script.text().isEmpty()) {
      frames.add(
          frame(
              script.isRefusal()
                  ? messageEvent("refusal.done").put("refusal", script.text())
                  : messageEvent("output_text.done")
                      .put("text", script.text())
                      .put("logprobs", Json.array())));
      frames.add(frame(partEvent("done", textPart(script.text()))));
      frames.add(frame(itemEvent("done", message("completed", List.of(textPart(script.text()))))));
      outputIndex++;
    }
    for (Script.ToolCall call : script.toolCalls()) {
      frames.add(frame(itemEvent("added", call(call, "in_progress", ""))));
      for (String piece : SimulatedChatFrames.pieces(call.arguments(), 2)) {
        frames.add(frame(argumentsEvent(call, "delta").put("delta", piece)));
      }
      frames.add(frame(argumentsEvent(call, "done").put("arguments", call.arguments())));
      frames.add(frame(itemEvent("done", call(call, "completed", call.arguments()))));
      outputIndex++;
    }
    return frames;
  }

  private List<byte[]> endingFrames() {
    return List.of(
        frame(typed("response." + status()).put("response", response(status(), output(), true))));
  }

  private String status() {
    return switch (script.finishReason()) {
      case "length", "content_filter" -> "incomplete";
      default -> "completed";
    };
  }

  private Json incompleteDetails(String status) {
    if (!status.equals("incomplete")) {
      return Json.NULL;
    }
    boolean isLengthLimit = script.finishReason().equals("length");
    return Json.object()
        .put("reason", isLengthLimit ? "max_output_tokens" : "content_filter")
        .build();
  }

  private List<Json> output() {
    var output = new ArrayList<Json>();
    if (script.reasoning() != null) {
      output.add(reasoningItem(List.of(summaryText(script.reasoning()))));
    }
    if (!script.text().isEmpty()) {
      output.add(message("completed", List.of(textPart(script.text()))));
    }
    script.toolCalls().forEach(call -> output.add(call(call, "completed", call.arguments())));
    return output;
  }

  private Json.Obj response(String status, List<Json> output, boolean ended) {
    Json.Obj.Builder response =
        Json.object()
            .put("id", "resp_simulated")
            .put("object", "response")
            .put("created_at", CREATED)
            .put("status", status)
            .put("error", Json.NULL)
            .put("incomplete_details", incompleteDetails(status))
            .put("model", model)
            .put("output", Json.array(output));
    boolean reportsUsage = ended && script.usage() != Script.UsageStyle.NEVER;
    return response
        .put("usage", reportsUsage ? usage() : Json.NULL)
        .putAll(script.extras())
        .build();
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

  private static Json.Obj reasoningItem(List<Json> summary) {
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

  private Json.Obj textPart(String text) {
    if (script.isRefusal()) {
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

  private Json.Obj.Builder itemEvent(String event, Json.Obj item) {
    return typed("response.output_item." + event)
        .put("output_index", outputIndex)
        .put("item", item);
  }

  private Json.Obj.Builder partEvent(String event, Json.Obj part) {
    return messageEvent("content_part." + event).put("part", part);
  }

  private Json.Obj.Builder messageEvent(String event) {
    return typed("response." + event)
        .put("item_id", MESSAGE_ID)
        .put("output_index", outputIndex)
        .put("content_index", 0);
  }

  private Json.Obj.Builder summaryEvent(String event) {
    return typed("response.reasoning_summary_" + event)
        .put("item_id", REASONING_ID)
        .put("output_index", outputIndex)
        .put("summary_index", 0);
  }

  private Json.Obj.Builder argumentsEvent(Script.ToolCall call, String event) {
    return typed("response.function_call_arguments." + event)
        .put("item_id", "fc_" + call.id())
        .put("output_index", outputIndex);
  }

  private static Json.Obj.Builder typed(String type) {
    return Json.object().put("type", type);
  }

  private byte[] frame(Json.Obj.Builder event) {
    Json.Obj numbered = event.put("sequence_number", sequence++).build();
    return UpstreamProtocol.frame(numbered.text("type"), numbered);
  }
}
