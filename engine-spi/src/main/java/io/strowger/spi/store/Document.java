package io.strowger.spi.store;

import io.strowger.spi.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * A stored resource, such as a key, a preset or a guardrail. Stores interpret every member but the
 * body, which is opaque to them.
 *
 * @param kind the sort of resource, such as {@code key}
 * @param id unique within the kind; 1 to 200 characters, none of them NUL or a lone surrogate
 * @param group the group by which documents of a kind are listed, such as a workspace; empty, or of
 *     the same form as the id
 * @param hidden whether listings omit it unless they ask for hidden documents
 * @param version 1 when it is new, then one more with every change
 * @param createdAt when it was created; truncated to microseconds, as databases store it
 * @param updatedAt when it was last changed; truncated to microseconds
 * @param body the content of the resource; contains no plaintext of a secret
 */
public record Document(
    String kind,
    String id,
    String group,
    boolean hidden,
    long version,
    Instant createdAt,
    Instant updatedAt,
    Json.Obj body) {
  private static final int MAX_CHARS = 200;

  public Document {
    Objects.requireNonNull(kind, "kind");
    createdAt = createdAt.truncatedTo(ChronoUnit.MICROS);
    updatedAt = updatedAt.truncatedTo(ChronoUnit.MICROS);
    Objects.requireNonNull(body, "body");
    if (!isValidId(id) || !group.isEmpty() && !isValidId(group)) {
      throw new IllegalArgumentException(
          "id must be text of 1 to 200 characters and group of at most 200, "
              + "without NUL or lone surrogates");
    }
    if (version < 1) {
      throw new IllegalArgumentException("version must be at least 1, was " + version);
    }
  }

  /** Returns whether a document can have this id. The engine asks a store for no other ids. */
  public static boolean isValidId(String id) {
    if (id.isEmpty() || id.length() > MAX_CHARS) {
      return false;
    }
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      if (Character.isHighSurrogate(c) && i + 1 < id.length()) {
        i++;
        if (!Character.isLowSurrogate(id.charAt(i))) {
          return false;
        }
      } else if (c == 0 || Character.isSurrogate(c)) {
        return false;
      }
    }
    return true;
  }

  /** Returns a new document with version 1 that is not hidden. */
  public static Document create(String kind, String id, String group, Instant at, Json.Obj body) {
    return new Document(kind, id, group, false, 1, at, at, body);
  }

  /** Returns the next version of this document. */
  public Document next(Instant at, Json.Obj changed) {
    return new Document(kind, id, group, hidden, version + 1, createdAt, at, changed);
  }

  /** Returns this version of the document with {@code hidden} set to the given value. */
  public Document withHidden(boolean value) {
    return new Document(kind, id, group, value, version, createdAt, updatedAt, body);
  }

  /** Returns kind, id and version; the body may be private. */
  @Override
  public String toString() {
    return kind + " " + id + " version " + version;
  }
}
