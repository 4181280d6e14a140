package io.strowger.core.dialect.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import java.util.ArrayList;
import java.util.List;

/** A whole answer as the chunks it would have been. */
final class ChatPieces {
  private ChatPieces() {}

  /** For each choice one chunk that says everything and one that ends it. */
  static List<Json.Obj> of(Answer answer) {
    var chunks = new ArrayList<Json.Obj>();
    Json.Arr choices = ChatAnswerWriter.choices(answer);
    for (int i = 0; i < choices.size(); i++) {
      if (choices.get(i) instanceof Json.Obj choice && choice.object("message") != null) {
        pieces(i, choice, chunks);
      }
    }
    return chunks;
  }

  private static void pieces(int index, Json.Obj choice, List<Json.Obj> chunks) {
    Json.Obj message = choice.object("message");
    if (message == null) {
      return;
    }
    chunks.add(ChatChoices.chunk(ChatChoices.delta(index, delta(message))));
    Json.Obj.Builder end = Json.object().put("index", index).put("delta", Json.Obj.EMPTY);
    for (int i = 0; i < choice.size(); i++) {
      if (!choice.name(i).equals("index") && !choice.name(i).equals("message")) {
        end.put(choice.name(i), choice.value(i));
      }
    }
    chunks.add(ChatChoices.chunk(end.build()));
  }

  /** A message as a delta: the same members, tool calls numbered. */
  private static Json.Obj delta(Json.Obj message) {
    Json.Arr calls = message.list("tool_calls");
    if (calls == null) {
      return message;
    }
    var numbered = new ArrayList<Json>(calls.size());
    for (int i = 0; i < calls.size(); i++) {
      numbered.add(
          calls.get(i) instanceof Json.Obj call && !call.has("index")
              ? Json.object().put("index", i).putAll(call).build()
              : calls.get(i));
    }
    return message.with("tool_calls", Json.array(numbered));
  }
}
