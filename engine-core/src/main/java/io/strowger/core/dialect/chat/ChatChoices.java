package io.strowger.core.dialect.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.StopReason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the {@code choices} of chat answers and chunks, and their finish reasons. */
final class ChatChoices {
  private static final List<String> FINISH_REASONS =
      List.of("tool_calls", "stop", "length", "content_filter", "error");

  private ChatChoices() {}

  /** Returns the contract's finish reason for a stop reason. */
  static String finishReason(StopReason reason) {
    return switch (reason) {
      case END, STOP_SEQUENCE, PAUSE, COMPACTION -> "stop";
      case LENGTH, CONTEXT_WINDOW -> "length";
      case TOOL_CALLS -> "tool_calls";
      case CONTENT_FILTER, REFUSAL -> "content_filter";
      case ERROR -> "error";
    };
  }

  /**
   * Returns the stop reason shown to the caller: END when the model refused in words, since that is
   * an answer like any other.
   */
  static StopReason callerStopReason(StopReason reason, boolean hasRefusalText) {
    return reason == StopReason.REFUSAL && hasRefusalText ? StopReason.END : reason;
  }

  /**
   * Returns an upstream's choices with the contract's finish reasons, and the upstream's own as
   * {@code native_finish_reason}.
   *
   * @param reason the stop reason of the first choice, the only one the engine interprets
   * @param nativeReason the upstream's reason for the first choice; null when it gave none
   */
  static Json.Arr withFinishReason(
      Json.Arr choices, StopReason reason, @Nullable String nativeReason) {
    var rewritten = new ArrayList<Json>(choices.size());
    for (int i = 0; i < choices.size(); i++) {
      Json choice = choices.get(i);
      if (!(choice instanceof Json.Obj object)) {
        rewritten.add(choice);
      } else if (i == 0) {
        String upstreamReason = object.text("finish_reason");
        rewritten.add(
            withFinishReason(
                object,
                upstreamReason != null && FINISH_REASONS.contains(upstreamReason)
                    ? upstreamReason
                    : finishReason(reason),
                nativeReason == null ? upstreamReason : nativeReason));
      } else {
        rewritten.add(withKnownFinishReason(object));
      }
    }
    return Json.array(rewritten);
  }

  private static Json.Obj withKnownFinishReason(Json.Obj choice) {
    String upstreamReason = choice.text("finish_reason");
    if (upstreamReason == null) {
      return choice;
    }
    String reason =
        FINISH_REASONS.contains(upstreamReason)
            ? upstreamReason
            : upstreamReason.equals("function_call") ? "tool_calls" : "stop";
    return withFinishReason(choice, reason, upstreamReason);
  }

  private static Json.Obj withFinishReason(
      Json.Obj choice, String reason, @Nullable String nativeReason) {
    Json.Obj result = choice;
    if (!reason.equals(choice.text("finish_reason"))) {
      result = result.with("finish_reason", Json.of(reason));
    }
    return result.with(
        "native_finish_reason", nativeReason == null ? Json.NULL : Json.of(nativeReason));
  }

  /** Returns a chunk with one choice. */
  static Json.Obj chunk(Json.Obj choice) {
    return Json.object().put("choices", Json.array(choice)).build();
  }

  /** Returns a choice that only has the log probabilities of the tokens before it. */
  static Json.Obj logprobs(Json.Arr content) {
    return Json.object()
        .put("index", 0)
        .put("delta", Json.Obj.EMPTY)
        .put("logprobs", Json.object().put("content", content).build())
        .put("finish_reason", Json.NULL)
        .build();
  }

  /** Returns a choice that is a piece of an answer. */
  static Json.Obj delta(int index, Json.Obj delta) {
    return Json.object()
        .put("index", index)
        .put("delta", delta)
        .put("finish_reason", Json.NULL)
        .build();
  }

  /** Returns a choice that ends an answer. */
  static Json.Obj end(int index, StopReason reason, @Nullable String nativeReason) {
    return Json.object()
        .put("index", index)
        .put("delta", Json.Obj.EMPTY)
        .put("finish_reason", finishReason(reason))
        .putOrNull("native_finish_reason", nativeReason)
        .build();
  }

  /**
   * Returns the message with {@code reasoning_content}, the name some upstreams use, renamed to
   * {@code reasoning}.
   */
  static Json.Obj renameReasoning(Json.Obj message) {
    int at = message.indexOf("reasoning_content");
    if (at < 0 || message.has("reasoning")) {
      return message;
    }
    Json.Obj.Builder renamed = Json.object();
    for (int i = 0; i < message.size(); i++) {
      renamed.put(i == at ? "reasoning" : message.name(i), message.value(i));
    }
    return renamed.build();
  }

  /**
   * Returns a whole message with its reasoning as plain text too, as in a stream: some upstreams
   * send only {@code reasoning_details}.
   */
  static Json.Obj withReadableReasoning(Json.Obj message) {
    Json.Obj result = renameReasoning(message);
    Json.Arr details = result.list("reasoning_details");
    if (details == null
        || result.get("reasoning") instanceof Json.Str reasoning && !reasoning.isEmpty()) {
      return result;
    }
    var text = new StringBuilder();
    for (Json detail : details) {
      if (detail instanceof Json.Obj item) {
        text.append(ReasoningDetailsWriter.readable(item));
      }
    }
    return text.isEmpty() ? result : result.with("reasoning", Json.of(text.toString()));
  }
}
