package io.strowger.destinations;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;

/** Reads the content of a call: messages and choices of the chat dialect. */
final class ChatMessages {
  private ChatMessages() {}

  /** Returns the message of each choice. */
  static Json.Arr ofChoices(Json.Arr choices) {
    var messages = new ArrayList<Json>();
    for (Json choice : choices) {
      if (choice instanceof Json.Obj object
          && object.object("message") instanceof Json.Obj message) {
        messages.add(message);
      }
    }
    return Json.array(messages);
  }

  /** Returns the text of each message that has one. */
  static List<String> texts(Json.Arr messages) {
    var texts = new ArrayList<String>();
    for (Json message : messages) {
      String text = message instanceof Json.Obj object ? object.text("content") : null;
      if (text != null && !text.isEmpty()) {
        texts.add(text);
      }
    }
    return texts;
  }
}
