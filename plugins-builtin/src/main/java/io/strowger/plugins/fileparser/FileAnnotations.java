package io.strowger.plugins.fileparser;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Contents of files that were read before, as annotations of assistant messages: {@code
 * {"type":"file","file":{"hash","name","content":[...]}}}. They are meant for the gateway only and
 * not sent to models.
 */
final class FileAnnotations {
  private static final String MEMBER = "annotations";

  private final Map<String, Json.Arr> byHash = new HashMap<>();

  /** Returns the content of the file with this hash; null when it is not known. */
  Json.@Nullable Arr content(String hash) {
    return byHash.get(hash);
  }

  /**
   * Takes the annotations out of a conversation, keeps them here, and returns the messages without
   * them; the same list when there are none.
   */
  List<Message> extractFrom(List<Message> messages) {
    var remaining = new ArrayList<Message>(messages.size());
    boolean changed = false;
    for (Message message : messages) {
      Message stripped =
          message.role() == Message.Role.ASSISTANT ? withoutAnnotations(message) : message;
      changed |= stripped != message;
      remaining.add(stripped);
    }
    return changed ? List.copyOf(remaining) : messages;
  }

  private Message withoutAnnotations(Message message) {
    Json.Obj extras = withoutAnnotations(message.extras());
    var parts = new ArrayList<Part>(message.parts().size());
    boolean changed = extras != message.extras();
    for (Part part : message.parts()) {
      Part stripped = withoutAnnotations(part);
      changed |= stripped != part;
      if (stripped != null) {
        parts.add(stripped);
      }
    }
    return changed
        ? new Message(message.role(), List.copyOf(parts), message.contentForm(), extras, null)
        : message;
  }

  private @Nullable Part withoutAnnotations(Part part) {
    if (part instanceof Part.Citation citation && collect(citation.body())) {
      return null;
    }
    if (part instanceof Part.Text text) {
      Json.Obj extras = withoutAnnotations(text.extras());
      return extras == text.extras() ? text : new Part.Text(text.text(), extras, null);
    }
    return part;
  }

  private Json.Obj withoutAnnotations(Json.Obj extras) {
    Json.Arr annotations = extras.list(MEMBER);
    if (annotations == null) {
      return extras;
    }
    List<Json> remaining = annotations.stream().filter(annotation -> !collect(annotation)).toList();
    return remaining.size() == annotations.size()
        ? extras
        : remaining.isEmpty() ? extras.without(MEMBER) : extras.with(MEMBER, Json.array(remaining));
  }

  private boolean collect(Json annotation) {
    if (!(annotation instanceof Json.Obj object)
        || !"file".equals(object.text("type"))
        || !(object.object("file") instanceof Json.Obj file)) {
      return false;
    }
    String hash = file.text("hash");
    Json.Arr content = file.list("content");
    if (hash != null && content != null) {
      byHash.putIfAbsent(hash, content);
    }
    return true;
  }

  /** Returns the annotation of a file. */
  static Json.Obj of(String hash, @Nullable String name, Json.Arr content) {
    Json.Obj.Builder file = Json.object().put("hash", hash);
    if (name != null) {
      file.put("name", name);
    }
    return Json.object()
        .put("type", "file")
        .put("file", file.put("content", content).build())
        .build();
  }
}
