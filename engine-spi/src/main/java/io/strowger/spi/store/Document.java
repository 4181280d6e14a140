package io.strowger.spi.store;

import io.strowger.spi.json.Json;
import java.time.Instant;
import java.util.Objects;

/**
 * A resource as it is kept: a key, a preset, a guardrail ... Stores look at nothing of it but these
 * members; what is in the body is the engine's.
 *
 * @param kind which sort of resource, such as {@code key}
 * @param id unique within the kind; at most 200 characters
 * @param group by which documents of a kind are listed, such as a workspace; may be empty; at most
 *     200 characters
 * @param hidden left out of listings that do not ask for it
 * @param version 1 when it is new, then one more with every change
 * @param createdAt in whole microseconds
 * @param updatedAt in whole microseconds
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
    Objects.requireNonNull(createdAt, "createdAt");
    Objects.requireNonNull(updatedAt, "updatedAt");
    Objects.requireNonNull(body, "body");
    if (id.isEmpty() || id.length() > MOST_CHARS || group.length() > MOST_CHARS) {
      throw new IllegalArgumentException("id and group must have at most 200 characters");
    }
    if (version < 1) {
      throw new IllegalArgumentException("version must be at least 1, was " + version);
    }
  }

  /** A new one, not hidden. */
  public static Document fresh(String kind, String id, String group, Instant at, Json.Obj body) {
    return new Document(kind, id, group, false, 1, at, at, body);
  }

  /** Its next version. */
  public Document next(Instant at, Json.Obj changed) {
    return new Document(kind, id, group, hidden, version + 1, createdAt, at, changed);
  }

  /** The same version, to be listed or not. */
  public Document hide(boolean value) {
    return new Document(kind, id, group, value, version, createdAt, updatedAt, body);
  }

  /** What it is and not what it says, which may be private. */
  @Override
  public String toString() {
    return kind + " " + id + " version " + version;
  }
}
