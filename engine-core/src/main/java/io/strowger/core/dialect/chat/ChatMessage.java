package io.strowger.core.dialect.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the parts of an answer as the message of one choice. Chat fact sheet, section 3: text,
 * refusal, thinking, calls, images and citations each have a member of their own, in whatever order
 * the parts came. Confined to one thread.
 */
public final class ChatMessage {
  private final StringBuilder text = new StringBuilder();
  private final StringBuilder refusal = new StringBuilder();
  private final StringBuilder reasoning = new StringBuilder();
  private final List<Json> details = new ArrayList<>();
  private final List<Json> calls = new ArrayList<>();
  private final List<Json> images = new ArrayList<>();
  private final List<Json> annotations = new ArrayList<>();
  private final List<Json> tokens = new ArrayList<>();
  private final Json.Obj.Builder extras = Json.object(); // members without a typed form
  private boolean hasTokens;

  public ChatMessage(List<Part> parts) {
    parts.forEach(this::add);
  }

  private void add(Part part) {
    switch (part) {
      case Part.Text t -> text.append(t.text().text());
      case Part.Refusal r -> refusal.append(r.text().text());
      case Part.Thinking t -> addThinking(t);
      case Part.ServerToolRun r -> details.add(ReasoningDetailsWriter.ofRun(details.size(), r));
      case Part.ToolCall call -> calls.add(toolCall(call));
      case Part.Image image -> images.add(image(image));
      case Part.Citation c -> annotations.add(c.body());
      case Part.Logprobs l -> {
        hasTokens = true;
        tokens.addAll(l.content());
      }
      case Part.Audio a ->
          extras.put("audio", Json.object().putAll(a.extras()).put("data", a.data()).build());
      case Part.Unknown unknown -> addUnknown(unknown);
      case Part.Video v -> {} // a model does not answer with these
      case Part.File f -> {}
      case Part.ToolResult r -> {}
    }
  }

  /**
   * Adds what a provider of some dialect sent and no part describes: an item to the list it comes
   * from, anything else as a member of its own, unless {@link #message} writes a member of that
   * name from other parts. What has no name cannot be written in this dialect.
   */
  private void addUnknown(Part.Unknown unknown) {
    List<Json> list =
        switch (unknown.type()) {
          case "annotations" -> annotations;
          case "images" -> images;
          case "reasoning_details" -> details;
          case "tool_calls" -> calls;
          default -> null;
        };
    if (list != null && unknown.source() instanceof Json.Obj) {
      list.add(unknown.source());
    } else if (!unknown.type().isEmpty()) {
      extras.put(unknown.type(), unknown.source());
    }
  }

  private void addThinking(Part.Thinking thinking) {
    if (thinking.text().isEmpty() && thinking.signature() == null) {
      return;
    }
    if (thinking.kind() != Part.Thinking.Kind.ENCRYPTED) {
      reasoning.append(thinking.text().text());
    }
    details.add(ReasoningDetailsWriter.of(details.size(), thinking));
  }

  private static Json.Obj image(Part.Image image) {
    return Json.object()
        .put("type", "image_url")
        .put("image_url", Json.object().put("url", image.media().asUrl()).build())
        .build();
  }

  private static Json.Obj toolCall(Part.ToolCall call) {
    return Json.object()
        .put("id", call.id())
        .put("type", "function")
        .put(
            "function",
            Json.object()
                .put("name", call.name())
                .put("arguments", CallArguments.of(call.arguments()))
                .build())
        .build();
  }

  /** Returns the message of the choice; it can be sent back as an item of {@code messages}. */
  public Json.Obj message() {
    boolean hasOtherContent = !calls.isEmpty() || !refusal.isEmpty();
    Json.Obj.Builder message =
        Json.object()
            .put("role", "assistant")
            .putOrNull("content", text.isEmpty() && hasOtherContent ? null : text.toString());
    putUnlessEmpty("refusal", refusal, message);
    putUnlessEmpty("reasoning", reasoning, message);
    putUnlessEmpty("reasoning_details", details, message);
    putUnlessEmpty("tool_calls", calls, message);
    putUnlessEmpty("images", images, message);
    putUnlessEmpty("annotations", annotations, message);
    Json.Obj typed = message.build();
    var result = Json.object().putAll(typed);
    Json.Obj others = extras.build();
    for (int i = 0; i < others.size(); i++) {
      if (typed.get(others.name(i)) == null) { // the typed members are a handful
        result.put(others.name(i), others.value(i));
      }
    }
    return result.build();
  }

  private static void putUnlessEmpty(String name, StringBuilder value, Json.Obj.Builder message) {
    if (!value.isEmpty()) {
      message.put(name, value.toString());
    }
  }

  private static void putUnlessEmpty(String name, List<Json> items, Json.Obj.Builder message) {
    if (!items.isEmpty()) {
      message.put(name, Json.array(items));
    }
  }

  /** Returns the choice's {@code logprobs}; JSON null when there are none. */
  Json logprobs() {
    return hasTokens ? Json.object().put("content", Json.array(tokens)).build() : Json.NULL;
  }
}
