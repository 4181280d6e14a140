package io.strowger.core.dialect.chat;

import io.strowger.core.dialect.AnswerHeader;
import io.strowger.core.dialect.ObjectWriter;
import io.strowger.spi.json.Json;
import java.util.Set;

/** The members of answers and chunks that the gateway sets. Chat fact sheet, section 7. */
final class ChatDocument {
  /** The members of an upstream's document that are never passed on. */
  static final Set<String> OWNED =
      Set.of("id", "object", "created", "model", "provider", "usage", "router_metadata");

  private ChatDocument() {}

  /** Writes the gateway's members, with which a document begins. */
  static void write(AnswerHeader header, String object, ObjectWriter body) {
    body.put("id", header.id())
        .put("object", object)
        .put("created", header.createdSeconds())
        .put("model", header.model())
        .put("provider", header.provider());
  }

  /** Returns a document that begins with the gateway's members. */
  static Json.Obj.Builder of(AnswerHeader header, String object) {
    return Json.object()
        .put("id", header.id())
        .put("object", object)
        .put("created", header.createdSeconds())
        .put("model", header.model())
        .put("provider", header.provider());
  }
}
