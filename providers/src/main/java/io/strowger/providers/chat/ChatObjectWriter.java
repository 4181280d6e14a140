package io.strowger.providers.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;

/** Writes one JSON object member by member. */
final class ChatObjectWriter {
  private final JsonOutput out;
  private boolean hasMembers;

  ChatObjectWriter(JsonOutput out) {
    this.out = out;
    out.raw('{');
  }

  /** Writes a member's name; the caller writes its value next. */
  JsonOutput name(String name) {
    comma();
    out.string(name);
    out.raw(':');
    return out;
  }

  ChatObjectWriter put(String name, Json value) {
    value.writeTo(name(name));
    return this;
  }

  ChatObjectWriter put(String name, String value) {
    name(name).string(value);
    return this;
  }

  /** Copies one member of another object, with its original bytes. */
  void copy(Json.Obj from, int index) {
    comma();
    from.writeMember(index, out);
  }

  /** Copies all members of another object except the named one. */
  ChatObjectWriter copyAllExcept(Json.Obj from, String excluded) {
    for (int i = 0; i < from.size(); i++) {
      if (!from.name(i).equals(excluded)) {
        copy(from, i);
      }
    }
    return this;
  }

  void end() {
    out.raw('}');
  }

  private void comma() {
    if (hasMembers) {
      out.raw(',');
    }
    hasMembers = true;
  }
}
