package io.strowger.core.dialect.chat;

import io.strowger.core.dialect.AnswerHeader;
import io.strowger.core.dialect.ObjectWriter;
import io.strowger.spi.json.Json;
import java.util.Set;

/**
 * Writes the members that answers and chunks of the chat dialect begin with. Chat fact sheet,
 * section 7.
 */
final class ChatHeaderMembers {
  /** The members that the gateway sets itself, so those of an upstream are dropped. */
  static final Set<String> GATEWAY_MEMBERS =
      Set.of("id", "object", "created", "model", "provider", "usage", "router_metadata");

  private ChatHeaderMembers() {}

  /** Writes the members that a document begins with. */
  static void write(AnswerHeader header, String object, ObjectWriter body) {
    body.put("id", header.id())
        .put("object", object)
        .put("created", header.createdSeconds())
        .put("model", header.model())
        .put("provider", header.provider());
  }

  /** Returns a document that begins with these members. */
  static Json.Obj.Builder of(AnswerHeader header, String object) {
    return Json.object()
        .put("id", header.id())
        .put("object", object)
        .put("created", header.createdSeconds())
        .put("model", header.model())
        .put("provider", header.provider());
  }
}
