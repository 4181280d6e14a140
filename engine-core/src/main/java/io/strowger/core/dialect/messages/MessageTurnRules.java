package io.strowger.core.dialect.messages;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Message.Role;
import io.strowger.spi.model.Part;

/**
 * The rules for {@code system} and the items of {@code messages}. A system message among the
 * messages has block types of its own, since it occurs within a conversation. Messages fact sheet,
 * section 2.
 */
final class MessageTurnRules {
  static final Rule<Message> MESSAGE =
      Union.<Message>on("role")
          .when("user", messageRule(Role.USER, ContentBlockRules.USER_OR_ASSISTANT))
          .when("assistant", messageRule(Role.ASSISTANT, ContentBlockRules.USER_OR_ASSISTANT))
          .when("system", messageRule(Role.SYSTEM, ContentBlockRules.SYSTEM));

  private static final Rule<StringOrBlocks> SYSTEM =
      StringOrBlocks.rule(
          "must be a string or an array of text blocks",
          Union.<Part>on("type").when("text", BlockRules.TEXT));

  static final Rule<Message> INSTRUCTIONS =
      (value, context) -> {
        StringOrBlocks content = SYSTEM.read(value, context);
        return content == null
            ? null
            : new Message(Role.SYSTEM, content.parts(), content.form(), Json.Obj.EMPTY, value);
      };

  private static final class Draft {
    private StringOrBlocks content = StringOrBlocks.ABSENT;
  }

  private MessageTurnRules() {}

  private static Rule<Message> messageRule(Role role, Rule<Part> block) {
    return MemberTable.<Draft>table()
        .required(
            "content",
            StringOrBlocks.rule("must be a string or an array of blocks", block),
            (draft, content) -> draft.content = content)
        .build()
        .withSource(Draft::new, (message, draft) -> message(role, message, draft.content));
  }

  private static Message message(Role role, Json.Obj message, StringOrBlocks content) {
    Json.Obj extras =
        message.size() == 2 ? Json.Obj.EMPTY : message.without("role").without("content");
    return new Message(role, content.parts(), content.form(), extras, message);
  }
}
