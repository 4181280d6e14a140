package io.strowger.providers.translate;

import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.List;

/**
 * A turn of a conversation: everything that one side says before the other answers. Immutable.
 *
 * @param role {@link Message.Role#USER}, whose tool results come before its other parts, {@link
 *     Message.Role#ASSISTANT}, or {@link Message.Role#SYSTEM} if the upstream's dialect accepts
 *     system messages among the others
 * @param parts the parts; never empty, and no text among them is blank
 */
public record ConversationTurn(Message.Role role, List<Part> parts) {
  public ConversationTurn {
    parts = List.copyOf(parts);
  }
}
