package io.strowger.spi.store;

import io.strowger.spi.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * A stored resource, such as a key, a preset or a guardrail. Stores use these members only; the
 * body belongs to the engine.
 *
 * @param kind which sort of resource, such as {@code key}
 * @param id unique within the kind; 1 to 200 characters, none of them NUL or half a surrogate pair
 * @param group by which documents of a kind are listed, such as a workspace; may be empty; else as
 *     the id
 * @param hidden left out of listings that do not ask for it
 * @param version 1 when it is new, then one more with every change
 * @param createdAt cut to microseconds, which is what databases keep
 * @param updatedAt cut to microseconds
 * @param body holds no plaintext of a secret
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
  private static final int MOST_CHARS = 200;

  public Document {
    Objects.requireNonNull(kind, "kind");
    createdAt = createdAt.truncatedTo(ChronoUnit.MICROS);
    updatedAt = updatedAt.truncatedTo(ChronoUnit.MICROS);
    Objects.requireNonNull(body, "body");
    if (!isName(id) || !group.isEmpty() && !isName(group)) {
      throw new IllegalArgumentException(
          "id and group must be text of at most 200 characters without NUL");
    }
    if (version < 1) {
      throw new IllegalArgumentException("version must be at least 1, was " + version);
    }
  }

  /** Returns whether a document can have this id. An engine does not query a store for others. */
  public static boolean isName(String id) {
    if (id.isEmpty() || id.length() > MOST_CHARS) {
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

  /** Returns a new document, not hidden. */
  public static Document create(String kind, String id, String group, Instant at, Json.Obj body) {
    return new Document(kind, id, group, false, 1, at, at, body);
  }

  /** Returns its next version. */
  public Document next(Instant at, Json.Obj changed) {
    return new Document(kind, id, group, hidden, version + 1, createdAt, at, changed);
  }

  /** Returns the same version, hidden or not. */
  public Document hide(boolean value) {
    return new Document(kind, id, group, value, version, createdAt, updatedAt, body);
  }

  /** Returns kind, id and version; the body may be private. */
  @Override
  public String toString() {
    return kind + " " + id + " version " + version;
  }
}
