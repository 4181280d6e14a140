package io.strowger.host.show;

import io.strowger.spi.json.Json;
import java.nio.charset.StandardCharsets;

/** Formats JSON for people: an object or array that fits into a line is written on one. */
public final class PrettyJson {
  private static final int WIDTH = 100;

  private PrettyJson() {}

  public static String pretty(Json value) {
    var out = new StringBuilder();
    write(value, 0, 0, out);
    return out.toString();
  }

  /**
   * Returns the value on one line and in full, whereas its {@code toString} shortens long values.
   */
  public static String line(Json value) {
    return new String(value.toBytes(), StandardCharsets.UTF_8);
  }

  /**
   * @param indent of the line the value begins in
   * @param usedColumns columns of that line already used after the indent
   */
  private static void write(Json value, int indent, int usedColumns, StringBuilder out) {
    switch (value) {
      case Json.Obj obj when obj.size() > 0 && !fits(obj, indent + usedColumns) -> {
        out.append("{\n");
        for (int i = 0; i < obj.size(); i++) {
          String name = line(Json.of(obj.name(i))) + ": ";
          out.append(" ".repeat(indent + 2)).append(name);
          write(obj.value(i), indent + 2, name.length(), out);
          out.append(i + 1 < obj.size() ? ",\n" : "\n");
        }
        out.append(" ".repeat(indent)).append('}');
      }
      case Json.Arr arr when !arr.isEmpty() && !fits(arr, indent + usedColumns) -> {
        out.append("[\n");
        for (int i = 0; i < arr.size(); i++) {
          out.append(" ".repeat(indent + 2));
          write(arr.get(i), indent + 2, 0, out);
          out.append(i + 1 < arr.size() ? ",\n" : "\n");
        }
        out.append(" ".repeat(indent)).append(']');
      }
      default -> out.append(line(value));
    }
  }

  private static boolean fits(Json value, int column) {
    return column + line(value).length() < WIDTH;
  }
}
