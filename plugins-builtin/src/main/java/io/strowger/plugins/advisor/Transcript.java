package io.strowger.plugins.advisor;

import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;

/** A conversation as text, for a model that was not part of it. Pure. */
final class Transcript {
  private Transcript() {}

  /** What was said, by whom, each in lines of its own; pictures and the like only as their kind. */
  static String of(InferenceRequest request) {
    var text = new StringBuilder();
    Message instructions = request.instructions();
    if (instructions != null) {
      add(instructions, text);
    }
    request.messages().forEach(message -> add(message, text));
    return text.toString();
  }

  private static void add(Message message, StringBuilder to) {
    to.append('[').append(message.role().wireName()).append("]\n");
    for (Part part : message.parts()) {
      switch (part) {
        case Part.Text p -> to.append(p.text().text()).append('\n');
        case Part.Refusal p -> to.append(p.text().text()).append('\n');
        case Part.ToolCall p ->
            to.append("calls ")
                .append(p.name())
                .append(' ')
                .append(p.arguments().asString().text())
                .append('\n');
        case Part.ToolResult p ->
            p.content()
                .forEach(
                    one ->
                        to.append(one instanceof Part.Text t ? t.text().text() : "").append('\n'));
        case Part.ServerToolRun p ->
            to.append("ran ").append(p.tool()).append(": ").append(p.result()).append('\n');
        case Part.Image p -> to.append("(an image)\n");
        case Part.Audio p -> to.append("(sound)\n");
        case Part.Video p -> to.append("(a video)\n");
        case Part.File p -> to.append("(a file)\n");
        case Part.Thinking p -> {}
        case Part.Citation p -> {}
        case Part.Logprobs p -> {}
        case Part.Unknown p -> {}
      }
    }
    to.append('\n');
  }
}
