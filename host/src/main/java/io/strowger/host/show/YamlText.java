package io.strowger.host.show;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Formats JSON as YAML for people, with comments above the members and items they explain. */
public final class YamlText {
  /**
   * Text that never needs quotes and that every YAML parser reads as a string, except {@link
   * #RESERVED_WORDS}.
   */
  private static final Pattern UNQUOTED = Pattern.compile("[A-Za-z][A-Za-z0-9_./-]*");

  /** Words that parsers of older YAML versions do not read as strings. */
  private static final Set<String> RESERVED_WORDS =
      Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n");

  private final Map<JsonPointer, String> comments;
  private final StringBuilder out = new StringBuilder();

  private YamlText(Map<JsonPointer, String> comments) {
    this.comments = comments;
  }

  /**
   * Returns a document as YAML text that ends with a line break.
   *
   * @param comments the comments by the member or item they are written above; that of the root is
   *     written above the document
   */
  public static String of(Json.Obj document, Map<JsonPointer, String> comments) {
    var text = new YamlText(comments);
    text.writeComment(JsonPointer.ROOT, 0);
    text.writeObject(document, JsonPointer.ROOT, 0, false);
    return text.out.toString();
  }

  /**
   * @param continuesLine whether the first member continues the current line, behind the dash of an
   *     item
   */
  private void writeObject(
      Json.Obj object, JsonPointer pointer, int indent, boolean continuesLine) {
    for (int i = 0; i < object.size(); i++) {
      JsonPointer child = pointer.child(object.name(i));
      if (i > 0 || !continuesLine) {
        writeComment(child, indent);
        out.append(" ".repeat(indent));
      }
      out.append(scalar(object.name(i))).append(':');
      writeValue(object.value(i), child, indent);
    }
  }

  private void writeValue(Json value, JsonPointer pointer, int indent) {
    switch (value) {
      case Json.Obj obj when obj.size() > 0 && !isSmall(obj) -> {
        out.append('\n');
        writeObject(obj, pointer, indent + 2, false);
      }
      case Json.Arr arr when !arr.isEmpty() && !isSmall(arr) -> {
        out.append('\n');
        for (int i = 0; i < arr.size(); i++) {
          writeItem(arr.get(i), pointer.child(i), indent + 2);
        }
      }
      default -> out.append(' ').append(flow(value)).append('\n');
    }
  }

  private void writeItem(Json item, JsonPointer pointer, int indent) {
    writeComment(pointer, indent);
    out.append(" ".repeat(indent)).append("- ");
    if (item instanceof Json.Obj obj && obj.size() > 0) {
      writeObject(obj, pointer, indent + 2, true);
    } else {
      out.append(flow(item)).append('\n');
    }
  }

  /**
   * Returns whether a value is written on one line: short, and without nested objects or arrays.
   */
  private static boolean isSmall(Json value) {
    return flow(value).length() <= 70
        && switch (value) {
          case Json.Obj obj -> {
            boolean isFlat = true;
            for (int i = 0; i < obj.size(); i++) {
              isFlat &= isLeaf(obj.value(i));
            }
            yield isFlat;
          }
          case Json.Arr arr -> arr.stream().allMatch(YamlText::isLeaf);
          default -> true;
        };
  }

  private static boolean isLeaf(Json value) {
    return !(value instanceof Json.Obj) && !(value instanceof Json.Arr);
  }

  private static String flow(Json value) {
    return switch (value) {
      case Json.Str str -> scalar(str.text());
      case Json.Arr arr -> "[" + String.join(", ", arr.stream().map(YamlText::flow).toList()) + "]";
      case Json.Obj obj -> {
        var members = new ArrayList<String>();
        for (int i = 0; i < obj.size(); i++) {
          members.add(scalar(obj.name(i)) + ": " + flow(obj.value(i)));
        }
        yield members.isEmpty() ? "{}" : "{ " + String.join(", ", members) + " }";
      }
      default -> PrettyJson.line(value);
    };
  }

  private static String scalar(String text) {
    return UNQUOTED.matcher(text).matches()
            && !RESERVED_WORDS.contains(text.toLowerCase(Locale.ROOT))
        ? text
        : PrettyJson.line(Json.of(text));
  }

  private void writeComment(JsonPointer pointer, int indent) {
    String comment = comments.get(pointer);
    if (comment == null) {
      return;
    }
    List<String> lines = Table.wrap(comment, Table.WIDTH - indent - 2);
    lines.forEach(line -> out.append(" ".repeat(indent)).append("# ").append(line).append('\n'));
  }
}
