package io.strowger.providers.translate;

import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.List;

/**
 * All that one side says before the other answers. Immutable.
 *
 * @param role {@link Message.Role#USER}, whose results of tools come before everything else it
 *     says, {@link Message.Role#ASSISTANT}, or {@link Message.Role#SYSTEM} where the upstream takes
 *     that among the others
 * @param parts never empty; no text among them is blank
 */
public record ConversationTurn(Message.Role role, List<Part> parts) {
  public ConversationTurn {
    parts = List.copyOf(parts);
  }
}
