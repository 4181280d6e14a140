package io.strowger.tck;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.routing.ModelRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Requests of every dialect with a text in every place a caller can put one. */
final class ForbiddenTexts {
  private static final List<Dialect> DIALECTS =
      List.of(Dialect.CHAT, Dialect.MESSAGES, Dialect.RESPONSES);

  private ForbiddenTexts() {}

  /** Returns requests that have the text in one place each, by the name of dialect and place. */
  static Map<String, InferenceRequest> requests(String text) {
    var requests = new LinkedHashMap<String, InferenceRequest>();
    for (Dialect dialect : DIALECTS) {
      var places = new LinkedHashMap<String, InferenceRequest>();
      if (dialect == Dialect.CHAT) {
        places.put("a system message", request(dialect, message(Message.Role.SYSTEM, text)));
      } else {
        places.put(
            "the instructions",
            request(dialect).toBuilder()
                .instructions(Message.text(Message.Role.SYSTEM, text))
                .build());
      }
      places.put("a user message", request(dialect, message(Message.Role.USER, text)));
      places.put(
          "the second part of a user message",
          request(dialect, parts(Message.Role.USER, text("Look:"), text(text))));
      places.put("an answer of before", request(dialect, message(Message.Role.ASSISTANT, text)));
      places.put("the arguments of a tool call", request(dialect, call(text)));
      Message.Role results = dialect == Dialect.MESSAGES ? Message.Role.USER : Message.Role.TOOL;
      places.put(
          "a tool result",
          request(
              dialect, parts(results, new Part.ToolResult("call_1", List.of(text(text)), true))));
      places.put(
          "the second part of a tool result",
          request(
              dialect,
              parts(
                  results,
                  new Part.ToolResult("call_1", List.of(text("Found:"), text(text)), false))));
      places.forEach((place, request) -> requests.put(dialect + ", " + place, request));
    }
    return requests;
  }

  private static InferenceRequest request(Dialect dialect, Message... messages) {
    var all = new ArrayList<>(List.of(messages));
    all.add(message(Message.Role.USER, "Go on."));
    Json.Obj members = Json.object().put("model", "acme/one").build();
    return InferenceRequest.builder(dialect, members)
        .models(List.of(ModelRef.parse("acme/one")))
        .messages(all)
        .streaming(true)
        .build();
  }

  private static Message message(Message.Role role, String text) {
    return Message.text(role, text);
  }

  private static Message parts(Message.Role role, Part... parts) {
    return new Message(role, List.of(parts), Message.Content.LIST, Json.Obj.EMPTY, null);
  }

  private static Message call(String text) {
    Json.Str arguments = Json.of(Json.object().put("query", text).build().toString());
    var call = new Part.ToolCall("call_1", "search", arguments, Json.Obj.EMPTY, null);
    return new Message(
        Message.Role.ASSISTANT, List.of(call), Message.Content.ABSENT, Json.Obj.EMPTY, null);
  }

  private static Part.Text text(String text) {
    return new Part.Text(text);
  }

  /** Returns whether an upstream would read the text. */
  static boolean isIn(InferenceRequest request, String text) {
    Message instructions = request.instructions();
    return instructions != null && isIn(instructions.parts(), text)
        || request.messages().stream().anyMatch(message -> isIn(message.parts(), text));
  }

  private static boolean isIn(List<Part> parts, String text) {
    for (Part part : parts) {
      if (part instanceof Part.Text said && said.text().text().contains(text)
          || part instanceof Part.ToolCall call && call.arguments().text().contains(text)
          || part instanceof Part.ToolResult result && isIn(result.content(), text)) {
        return true;
      }
    }
    return false;
  }
}
