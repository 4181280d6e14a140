package io.strowger.core.dialect.messages;

import io.strowger.core.decode.Members;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Message.Role;
import io.strowger.spi.model.Part;

/**
 * {@code system} and the items of {@code messages}. A message of role system among the others is
 * one of its own kind: it speaks in the middle of a conversation. Messages fact sheet, section 2.
 */
final class Turns {
  static final Rule<Message> MESSAGE =
      Union.<Message>on("role")
          .when("user", of(Role.USER, Blocks.SPOKEN))
          .when("assistant", of(Role.ASSISTANT, Blocks.SPOKEN))
          .when("system", of(Role.SYSTEM, Blocks.SYSTEM));

  private static final Rule<Said> SYSTEM =
      Said.in(
          "must be a string or an array of text blocks",
          Union.<Part>on("type").when("text", TextBlock.RULE));

  static final Rule<Message> INSTRUCTIONS =
      (given, reading) -> {
        Said said = SYSTEM.read(given, reading);
        return said == null
            ? null
            : new Message(Role.SYSTEM, said.parts(), said.form(), Json.Obj.EMPTY, given);
      };

  private static final class Draft {
    private Said content = Said.NOTHING;

    void content(Said said) {
      content = said;
    }
  }

  private Turns() {}

  private static Rule<Message> of(Role role, Rule<Part> block) {
    return Members.<Draft>table()
        .required(
            "content", Said.in("must be a string or an array of blocks", block), Draft::content)
        .build()
        .keeping(Draft::new, (message, draft) -> message(role, message, draft.content));
  }

  private static Message message(Role role, Json.Obj message, Said said) {
    Json.Obj extras =
        message.size() == 2 ? Json.Obj.EMPTY : message.without("role").without("content");
    return new Message(role, said.parts(), said.form(), extras, message);
  }
}
