package io.strowger.providers.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What stands around the one text of a frame.
 *
 * @param shape the same, as events carry it
 * @param before bytes before the text's opening quote
 * @param after bytes behind its closing quote
 */
record Surroundings(Shape shape, byte[] before, byte[] after) {

  /** As the frame was sent; null when the text was not read from these bytes. */
  static @Nullable Surroundings sent(Json.Obj frame, Json.Str text, byte[] bytes) {
    int start = text.offsetIn(bytes);
    if (start < 0) {
      return null;
    }
    int end = start + text.utf8Bound() + 2;
    return of(
        frame, Arrays.copyOfRange(bytes, 0, start), Arrays.copyOfRange(bytes, end, bytes.length));
  }

  /**
   * As a frame that was edited will be written. The text is member {@code name} of the first
   * choice's delta.
   */
  static Surroundings edited(Json.Obj frame, String name) {
    var out = new JsonOutput(512);
    var writer = new Writer(name, out);
    writer.object(frame, 0);
    byte[] all = out.toByteArray();
    return of(
        frame,
        Arrays.copyOfRange(all, 0, writer.cut),
        Arrays.copyOfRange(all, writer.cut, all.length));
  }

  private static Surroundings of(Json.Obj frame, byte[] before, byte[] after) {
    return new Surroundings(new Shape(Dialect.CHAT, frame, before, after), before, after);
  }

  /** Writes a frame without its text and remembers where it was. */
  private static final class Writer {
    private final String[] way;
    private final JsonOutput out;
    private int cut;

    Writer(String name, JsonOutput out) {
      this.way = new String[] {"choices", "delta", name};
      this.out = out;
    }

    void object(Json.Obj object, int depth) {
      out.raw('{');
      for (int i = 0; i < object.size(); i++) {
        if (i > 0) {
          out.raw(',');
        }
        if (object.name(i).equals(way[depth])) {
          out.string(object.name(i));
          out.raw(':');
          value(object.value(i), depth);
        } else {
          object.writeMember(i, out);
        }
      }
      out.raw('}');
    }

    private void value(Json value, int depth) {
      switch (value) {
        case Json.Obj object -> object(object, depth + 1);
        case Json.Arr choices -> {
          out.raw('[');
          object((Json.Obj) choices.get(0), depth + 1);
          out.raw(']');
        }
        default -> cut = out.length();
      }
    }
  }
}
