package io.strowger.core.dialect;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;

/**
 * Writes one JSON object member by member, for documents that are not needed as a tree. The caller
 * must name each member only once. For one thread.
 */
public final class ObjectWriter {
  private final JsonOutput out;
  private boolean hasMembers;

  /** Begins an object. */
  public ObjectWriter(JsonOutput out) {
    this(out, false);
    out.raw('{');
  }

  /** Returns a writer that adds members to an open object that already has at least one. */
  public static ObjectWriter continueObject(JsonOutput out) {
    return new ObjectWriter(out, true);
  }

  private ObjectWriter(JsonOutput out, boolean hasMembers) {
    this.out = out;
    this.hasMembers = hasMembers;
  }

  private JsonOutput member(String name) {
    if (hasMembers) {
      out.raw(',');
    }
    hasMembers = true;
    out.string(name);
    out.raw(':');
    return out;
  }

  public ObjectWriter put(String name, Json value) {
    value.writeTo(member(name));
    return this;
  }

  public ObjectWriter put(String name, String value) {
    member(name).string(value);
    return this;
  }

  public ObjectWriter put(String name, long value) {
    member(name).ascii(Long.toString(value));
    return this;
  }

  /** Puts an amount in dollars. */
  public ObjectWriter put(String name, Usd amount) {
    amount.writeTo(member(name));
    return this;
  }

  /** Puts one member of another object unchanged. */
  public ObjectWriter putMember(Json.Obj source, int index) {
    if (hasMembers) {
      out.raw(',');
    }
    hasMembers = true;
    source.writeMember(index, out);
    return this;
  }

  /**
   * Begins an object as a member. Call {@link #end} on the returned writer before you use this
   * writer again.
   */
  public ObjectWriter object(String name) {
    return new ObjectWriter(member(name));
  }

  /** Ends the object. */
  public void end() {
    out.raw('}');
  }
}
