package io.strowger.providers.upstream;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.FrameTemplate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes around the text of a frame.
 *
 * @param template the same bytes as a template for events
 * @param before the bytes before the text's opening quote
 * @param after the bytes after the text's closing quote
 */
public record FrameSurroundings(FrameTemplate template, byte[] before, byte[] after) {

  /** Returns the surroundings as sent; null when the text was not read from these bytes. */
  public static @Nullable FrameSurroundings ofSent(
      Dialect dialect, Json.Obj frame, Json.Str text, byte[] bytes) {
    int start = text.offsetIn(bytes);
    if (start < 0) {
      return null;
    }
    int end = start + text.utf8Bound() + 2;
    return of(
        dialect,
        frame,
        Arrays.copyOfRange(bytes, 0, start),
        Arrays.copyOfRange(bytes, end, bytes.length));
  }

  /**
   * Returns the surroundings as written for an edited frame.
   *
   * @param path the names of the members that lead to the text, the text's own last; in a list, the
   *     path continues in the first item
   */
  public static FrameSurroundings ofEdited(Dialect dialect, Json.Obj frame, String... path) {
    var out = new JsonOutput(512);
    var writer = new Writer(path, out);
    writer.writeObject(frame, 0);
    byte[] bytes = out.toByteArray();
    return of(
        dialect,
        frame,
        Arrays.copyOfRange(bytes, 0, writer.textOffset),
        Arrays.copyOfRange(bytes, writer.textOffset, bytes.length));
  }

  private static FrameSurroundings of(
      Dialect dialect, Json.Obj frame, byte[] before, byte[] after) {
    return new FrameSurroundings(new FrameTemplate(dialect, frame, before, after), before, after);
  }

  /** Writes a frame without its text and remembers the text's position. */
  private static final class Writer {
    private final String[] path;
    private final JsonOutput out;
    private int textOffset;

    Writer(String[] path, JsonOutput out) {
      this.path = path;
      this.out = out;
    }

    void writeObject(Json.Obj object, int depth) {
      out.raw('{');
      for (int i = 0; i < object.size(); i++) {
        if (i > 0) {
          out.raw(',');
        }
        if (object.name(i).equals(path[depth])) {
          out.string(object.name(i));
          out.raw(':');
          writeValue(object.value(i), depth);
        } else {
          object.writeMember(i, out);
        }
      }
      out.raw('}');
    }

    private void writeValue(Json value, int depth) {
      switch (value) {
        case Json.Obj object -> writeObject(object, depth + 1);
        case Json.Arr items -> {
          out.raw('[');
          writeObject((Json.Obj) items.get(0), depth + 1);
          for (int i = 1; i < items.size(); i++) {
            out.raw(',');
            items.get(i).writeTo(out);
          }
          out.raw(']');
        }
        default -> textOffset = out.length();
      }
    }
  }
}
