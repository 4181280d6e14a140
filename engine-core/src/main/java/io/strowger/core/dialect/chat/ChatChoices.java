package io.strowger.core.dialect.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.StopReason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The {@code choices} of chat answers and chunks, and the words they end with. */
final class ChatChoices {
  private static final List<String> REASONS =
      List.of("tool_calls", "stop", "length", "content_filter", "error");

  private ChatChoices() {}

  /** The contract's word for why an answer ended. */
  static String finishReason(StopReason reason) {
    return switch (reason) {
      case END, STOP_SEQUENCE, PAUSE, COMPACTION -> "stop";
      case LENGTH, CONTEXT_WINDOW -> "length";
      case TOOL_CALLS -> "tool_calls";
      case CONTENT_FILTER, REFUSAL -> "content_filter";
      case ERROR -> "error";
    };
  }

  /** A refusal the caller can read is an answer like any other, one without words is a filter's. */
  static StopReason callerStopReason(StopReason reason, boolean refusalSaid) {
    return reason == StopReason.REFUSAL && refusalSaid ? StopReason.END : reason;
  }

  /**
   * An upstream's choices with the contract's words for their ends, the upstream's beside them.
   *
   * @param reason of the first choice, which is the one the engine follows
   * @param nativeReason the upstream's word for it; null when it gave none
   */
  static Json.Arr ended(Json.Arr choices, StopReason reason, @Nullable String nativeReason) {
    var rewritten = new ArrayList<Json>(choices.size());
    for (int i = 0; i < choices.size(); i++) {
      Json choice = choices.get(i);
      if (!(choice instanceof Json.Obj object)) {
        rewritten.add(choice);
      } else if (i == 0) {
        String said = object.text("finish_reason");
        rewritten.add(
            ended(
                object,
                said != null && REASONS.contains(said) ? said : finishReason(reason),
                nativeReason == null ? said : nativeReason));
      } else {
        rewritten.add(otherChoice(object));
      }
    }
    return Json.array(rewritten);
  }

  private static Json.Obj otherChoice(Json.Obj choice) {
    String word = choice.text("finish_reason");
    if (word == null) {
      return choice;
    }
    String known =
        REASONS.contains(word) ? word : word.equals("function_call") ? "tool_calls" : "stop";
    return ended(choice, known, word);
  }

  private static Json.Obj ended(Json.Obj choice, String reason, @Nullable String nativeReason) {
    Json.Obj named = choice;
    if (!reason.equals(choice.text("finish_reason"))) {
      named = named.with("finish_reason", Json.of(reason));
    }
    return named.with(
        "native_finish_reason", nativeReason == null ? Json.NULL : Json.of(nativeReason));
  }

  /** A chunk of one choice. */
  static Json.Obj chunk(Json.Obj choice) {
    return Json.object().put("choices", Json.array(choice)).build();
  }

  /** One choice that says nothing but how likely the tokens before it were. */
  static Json.Obj logprobs(Json.Arr content) {
    return Json.object()
        .put("index", 0)
        .put("delta", Json.Obj.EMPTY)
        .put("logprobs", Json.object().put("content", content).build())
        .put("finish_reason", Json.NULL)
        .build();
  }

  /** One choice that is a piece of an answer. */
  static Json.Obj delta(int index, Json.Obj delta) {
    return Json.object()
        .put("index", index)
        .put("delta", delta)
        .put("finish_reason", Json.NULL)
        .build();
  }

  /** One choice that ends an answer. */
  static Json.Obj end(int index, StopReason reason, @Nullable String nativeReason) {
    return Json.object()
        .put("index", index)
        .put("delta", Json.Obj.EMPTY)
        .put("finish_reason", finishReason(reason))
        .putOrNull("native_finish_reason", nativeReason)
        .build();
  }

  /**
   * The same members with reasoning under the contract's name; some upstreams have their own for
   * it.
   */
  static Json.Obj namedReasoning(Json.Obj message) {
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
   * A whole message with its reasoning as plain text too, as a stream has it: some upstreams give
   * nothing but the items.
   */
  static Json.Obj readableReasoning(Json.Obj message) {
    Json.Obj named = namedReasoning(message);
    Json.Arr details = named.list("reasoning_details");
    if (details == null || named.get("reasoning") instanceof Json.Str said && !said.isEmpty()) {
      return named;
    }
    var text = new StringBuilder();
    for (Json detail : details) {
      if (detail instanceof Json.Obj item) {
        text.append(ReasoningDetailsWriter.readable(item));
      }
    }
    return text.isEmpty() ? named : named.with("reasoning", Json.of(text.toString()));
  }
}
