package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Message.Content;
import io.strowger.spi.model.Message.Role;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one item of {@code messages}. Chat fact sheet, section 3. */
final class MessageDecoder {
  private final Checks checks;
  private final PartDecoder parts;

  MessageDecoder(Checks checks) {
    this.checks = checks;
    this.parts = new PartDecoder(checks);
  }

  /** The message; null when not even its role can be told. */
  @Nullable Message decode(JsonPointer at, Json item) {
    if (!(item instanceof Json.Obj message)) {
      checks.problems().add(at, "must be an object", item);
      return null;
    }
    Role role = role(at, message);
    if (role == null) {
      return null;
    }
    int modelled = 0;
    Json content = null;
    Json toolCalls = null;
    Json callId = null;
    for (int i = 0; i < message.size(); i++) {
      Json value = message.value(i);
      switch (message.name(i)) {
        case "role" -> modelled++;
        case "content" -> {
          modelled++;
          content = value;
        }
        case "tool_calls" -> {
          if (role == Role.ASSISTANT) {
            modelled++;
            toolCalls = value;
          }
        }
        case "tool_call_id" -> {
          if (role == Role.TOOL) {
            modelled++;
            callId = value;
          }
        }
        default -> other(at, role, message.name(i), value);
      }
    }
    Json.Obj extras = modelled == message.size() ? Json.Obj.EMPTY : extras(message, role);
    List<Part> read =
        role == Role.TOOL
            ? toolResult(at, content, callId)
            : withToolCalls(at, content(at, role, content), toolCalls);
    return new Message(role, read, form(content), extras, message);
  }

  private @Nullable Role role(JsonPointer at, Json.Obj message) {
    Json given = message.get("role");
    if (given == null) {
      checks.missing(at, "role");
      return null;
    }
    if (given instanceof Json.Str str) {
      switch (str.text()) {
        case "system":
          return Role.SYSTEM;
        case "developer":
          return Role.DEVELOPER;
        case "user":
          return Role.USER;
        case "assistant":
          return Role.ASSISTANT;
        case "tool":
          return Role.TOOL;
        default:
          break;
      }
    }
    checks.wrong(at, "role", "must be one of system, user, developer, assistant, tool", given);
    return null;
  }

  private static Content form(@Nullable Json content) {
    if (content == null) {
      return Content.ABSENT;
    }
    return switch (content) {
      case Json.Str s -> Content.STRING;
      case Json.Null n -> Content.NULL;
      default -> Content.LIST;
    };
  }

  private static Json.Obj extras(Json.Obj message, Role role) {
    Json.Obj rest = message.without("role").without("content");
    return switch (role) {
      case ASSISTANT -> rest.without("tool_calls");
      case TOOL -> rest.without("tool_call_id");
      case SYSTEM, DEVELOPER, USER -> rest;
    };
  }

  /** The members that are kept as they come, but have a type. */
  private void other(JsonPointer at, Role role, String name, Json value) {
    switch (name) {
      case "name" -> checks.string(at, name, value);
      case "model" -> {
        if (role == Role.ASSISTANT) {
          checks.string(at, name, value);
        }
      }
      case "refusal", "reasoning" -> {
        if (role == Role.ASSISTANT && !(value instanceof Json.Null)) {
          checks.string(at, name, value);
        }
      }
      case "reasoning_details", "images" -> {
        if (role == Role.ASSISTANT && !(value instanceof Json.Null)) {
          checks.array(at, name, value);
        }
      }
      case "audio" -> {
        if (role == Role.ASSISTANT && !(value instanceof Json.Null)) {
          checks.object(at, name, value);
        }
      }
      default -> {
        // unknown members are passed on
      }
    }
  }

  private List<Part> content(JsonPointer at, Role role, @Nullable Json content) {
    if (role == Role.ASSISTANT && (content == null || content instanceof Json.Null)) {
      return List.of();
    }
    return parts.content(at, content, role == Role.SYSTEM || role == Role.DEVELOPER);
  }

  private List<Part> toolResult(JsonPointer at, @Nullable Json content, @Nullable Json callId) {
    List<Part> said = parts.content(at, content, false);
    if (callId == null) {
      checks.missing(at, "tool_call_id");
      return List.of();
    }
    String id = checks.text(at, "tool_call_id", callId, 0, Integer.MAX_VALUE);
    return id == null
        ? List.of()
        : List.of(new Part.ToolResult(id, said, content instanceof Json.Str));
  }

  private List<Part> withToolCalls(JsonPointer at, List<Part> said, @Nullable Json toolCalls) {
    if (toolCalls == null || toolCalls instanceof Json.Null) {
      return said;
    }
    Json.Arr items = checks.array(at, "tool_calls", toolCalls);
    if (items == null || items.isEmpty()) {
      return said;
    }
    var all = new ArrayList<Part>(said.size() + items.size());
    all.addAll(said);
    JsonPointer list = at.child("tool_calls");
    for (int i = 0; i < items.size(); i++) {
      Part call = parts.toolCall(list.child(i), items.get(i));
      if (call != null) {
        all.add(call);
      }
    }
    return all;
  }
}
