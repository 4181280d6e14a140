package io.strowger.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The content of an answer, in the same form for all dialects of callers. Usage is split into
 * classes so that no token is counted twice.
 *
 * @param stop the finish reason, in the chat dialect's words
 */
record DialectContent(
    String text, String reasoning, List<Call> calls, String stop, Tokens tokens, double cost) {
  /** A function call that the model asks for. */
  record Call(String id, String name, JsonNode arguments) {}

  /** The numbers of tokens of an answer. */
  record Tokens(long freshInput, long cachedInput, long text, long reasoning) {}

  static DialectContent of(DialectClient client, JsonNode answer) {
    return switch (client) {
      case CHAT -> chat(answer);
      case MESSAGES -> messages(answer);
      case RESPONSES -> responses(answer);
    };
  }

  private static DialectContent chat(JsonNode answer) {
    JsonNode choice = answer.at("/choices/0");
    JsonNode message = choice.path("message");
    var calls = new ArrayList<Call>();
    for (JsonNode call : message.path("tool_calls")) {
      JsonNode function = call.path("function");
      calls.add(
          new Call(call.path("id").asText(), function.path("name").asText(), arguments(function)));
    }
    JsonNode usage = answer.path("usage");
    long cached = usage.at("/prompt_tokens_details/cached_tokens").asLong();
    long reasoned = usage.at("/completion_tokens_details/reasoning_tokens").asLong();
    return new DialectContent(
        message.path("content").asText(""),
        message.path("reasoning").asText(""),
        calls,
        choice.path("finish_reason").asText(),
        new Tokens(
            usage.path("prompt_tokens").asLong() - cached,
            cached,
            usage.path("completion_tokens").asLong() - reasoned,
            reasoned),
        usage.path("cost").asDouble(-1));
  }

  /**
   * Parses the arguments of a call; an upstream of the caller's own dialect may send none for an
   * empty object.
   */
  private static JsonNode arguments(JsonNode call) {
    String written = call.path("arguments").asText();
    return DialectClient.parse(written.isEmpty() ? "{}" : written);
  }

  private static DialectContent messages(JsonNode answer) {
    var text = new StringBuilder();
    var reasoning = new StringBuilder();
    var calls = new ArrayList<Call>();
    for (JsonNode block : answer.path("content")) {
      switch (block.path("type").asText()) {
        case "text" -> text.append(block.path("text").asText());
        case "thinking" -> reasoning.append(block.path("thinking").asText());
        case "tool_use" ->
            calls.add(
                new Call(
                    block.path("id").asText(), block.path("name").asText(), block.path("input")));
        default -> {}
      }
    }
    JsonNode usage = answer.path("usage");
    long reasoned = usage.at("/output_tokens_details/thinking_tokens").asLong();
    return new DialectContent(
        text.toString(),
        reasoning.toString(),
        calls,
        switch (answer.path("stop_reason").asText()) {
          case "end_turn" -> "stop";
          case "max_tokens" -> "length";
          case "tool_use" -> "tool_calls";
          case "refusal" -> "content_filter";
          default -> answer.path("stop_reason").toString();
        },
        new Tokens(
            usage.path("input_tokens").asLong(),
            usage.path("cache_read_input_tokens").asLong(),
            usage.path("output_tokens").asLong() - reasoned,
            reasoned),
        usage.path("cost").asDouble(-1));
  }

  private static DialectContent responses(JsonNode answer) {
    var text = new StringBuilder();
    var reasoning = new StringBuilder();
    var calls = new ArrayList<Call>();
    for (JsonNode item : answer.path("output")) {
      switch (item.path("type").asText()) {
        case "message" ->
            item.path("content").forEach(part -> text.append(part.path("text").asText("")));
        case "reasoning" -> {
          item.path("summary").forEach(part -> reasoning.append(part.path("text").asText("")));
          item.path("content").forEach(part -> reasoning.append(part.path("text").asText("")));
        }
        case "function_call" ->
            calls.add(
                new Call(
                    item.path("call_id").asText(), item.path("name").asText(), arguments(item)));
        default -> {}
      }
    }
    JsonNode usage = answer.path("usage");
    long cached = usage.at("/input_tokens_details/cached_tokens").asLong();
    long reasoned = usage.at("/output_tokens_details/reasoning_tokens").asLong();
    return new DialectContent(
        text.toString(),
        reasoning.toString(),
        calls,
        stop(answer, !calls.isEmpty()),
        new Tokens(
            usage.path("input_tokens").asLong() - cached,
            cached,
            usage.path("output_tokens").asLong() - reasoned,
            reasoned),
        usage.path("cost").asDouble(-1));
  }

  private static String stop(JsonNode answer, boolean hasCalls) {
    if (answer.path("status").asText().equals("completed")) {
      return hasCalls ? "tool_calls" : "stop";
    }
    String reason = answer.at("/incomplete_details/reason").asText();
    return reason.equals("max_output_tokens") ? "length" : reason;
  }
}
