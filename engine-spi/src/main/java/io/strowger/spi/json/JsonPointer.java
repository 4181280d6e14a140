package io.strowger.spi.json;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A JSON pointer (RFC 6901): names one value inside a JSON document. Built by descending from
 * {@link #ROOT}; the text is made on demand, so that a pointer to a value without errors costs one
 * small object.
 */
public final class JsonPointer {
  public static final JsonPointer ROOT = new JsonPointer(null, "", -1);

  private final @Nullable JsonPointer parent;
  private final String name;
  private final int index; // of an array item; -1 for a member

  private JsonPointer(@Nullable JsonPointer parent, String name, int index) {
    this.parent = parent;
    this.name = name;
    this.index = index;
  }

  /**
   * Reads a pointer's text.
   *
   * @throws IllegalArgumentException when the text is neither empty nor begins with a slash
   */
  public static JsonPointer parse(String text) {
    if (!text.isEmpty() && text.charAt(0) != '/') {
      throw new IllegalArgumentException("a JSON pointer must be empty or begin with a slash");
    }
    JsonPointer pointer = ROOT;
    for (int start = 0; start < text.length(); ) {
      int slash = text.indexOf('/', start + 1);
      int end = slash < 0 ? text.length() : slash;
      pointer = pointer.child(text.substring(start + 1, end).replace("~1", "/").replace("~0", "~"));
      start = end;
    }
    return pointer;
  }

  /** Returns the place of a member of the object at this place. */
  public JsonPointer child(String member) {
    return new JsonPointer(this, Objects.requireNonNull(member, "member"), -1);
  }

  /** Returns the place of an item, from 0, of the array at this place. */
  public JsonPointer child(int item) {
    return new JsonPointer(this, "", item);
  }

  /**
   * Returns the pointer to the same value in a larger document, which contains this document at
   * {@code base}.
   */
  public JsonPointer prefixedWith(JsonPointer base) {
    return parent == null ? base : new JsonPointer(parent.prefixedWith(base), name, index);
  }

  private void appendTo(StringBuilder out) {
    if (parent == null) {
      return;
    }
    parent.appendTo(out);
    out.append('/');
    if (index >= 0) {
      out.append(index);
    } else {
      out.append(name.replace("~", "~0").replace("/", "~1"));
    }
  }

  /** Returns the text, for example {@code /messages/0/content}; empty for the whole document. */
  @Override
  public String toString() {
    var out = new StringBuilder();
    appendTo(out);
    return out.toString();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JsonPointer that && toString().equals(that.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }
}
