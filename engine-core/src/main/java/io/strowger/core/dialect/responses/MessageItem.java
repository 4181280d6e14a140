package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rule for a {@code message} item of the caller or of an earlier answer. Only the model sends
 * {@code output_text} and {@code refusal}; a message with these is an output message, which must
 * have an {@code id}. Responses fact sheet, "Input items".
 */
final class MessageItem {
  private static final Rule<List<Part>> CONTENT =
      SharedMembers.content("must be a string or an array of content parts", ContentParts.ANY_PART);

  private static final MemberTable<Draft> TABLE =
      MemberTable.<Draft>table()
          .optional("id", string())
          .required("role", wordAmong("user", "system", "developer", "assistant"), Draft::role)
          .optional("status", string().orNull())
          .required("content", CONTENT, Draft::content)
          .optional("phase", wordAmong("commentary", "final_answer").orNull())
          .addRule(Draft::checkOutputParts)
          .build();

  static final Rule<Message> RULE = MessageItem::read;

  private MessageItem() {}

  private static @Nullable Message read(Json value, DecodingContext context) {
    if (!(value instanceof Json.Obj item)) {
      context.reject("must be an object", value);
      return null;
    }
    int problemsBefore = context.problemCount();
    var draft = new Draft(item);
    TABLE.read(item, context, draft);
    return context.problemCount() == problemsBefore ? draft.message() : null;
  }

  private static final class Draft {
    private final Json.Obj item;
    private Message.@Nullable Role role;
    private @Nullable List<Part> parts;

    private Draft(Json.Obj item) {
      this.item = item;
    }

    void role(String name) {
      role = Message.Role.valueOf(name.toUpperCase(Locale.ROOT));
    }

    void content(List<Part> content) {
      parts = content;
    }

    @Nullable Message message() {
      return role == null || parts == null
          ? null
          : new Message(
              role,
              parts,
              SharedMembers.contentForm(item.get("content")),
              SharedMembers.extras(item, "role", "content"),
              item);
    }

    /** Checks that output parts come only from the assistant, in a message with an id. */
    void checkOutputParts(DecodingContext context) {
      Json.Arr items = item.list("content");
      boolean isAssistant = role == Message.Role.ASSISTANT;
      if (role == null || items == null || isAssistant && item.has("id")) {
        return;
      }
      boolean hasOutputParts = false;
      context.enter("content");
      for (int i = 0; i < items.size(); i++) {
        if (ContentParts.isOutputPart(items.get(i))) {
          hasOutputParts = true;
          if (!isAssistant) {
            rejectOutputPart(i, items.get(i), context);
          }
        }
      }
      context.leave();
      if (hasOutputParts && isAssistant) {
        context.rejectMissing("id");
      }
    }

    private static void rejectOutputPart(int index, Json part, DecodingContext context) {
      context.enter(index);
      if (part instanceof Json.Obj object && object.get("type") instanceof Json.Str type) {
        context.reject("type", ContentParts.INPUT_ONLY_MESSAGE, type);
      }
      context.leave();
    }
  }
}
