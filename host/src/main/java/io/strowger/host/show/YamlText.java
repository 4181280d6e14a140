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
   * #WORDS}.
   */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_./-]*");

  /** Words that parsers of older YAML versions do not read as strings. */
  private static final Set<String> WORDS =
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
    text.comment(JsonPointer.ROOT, 0);
    text.object(document, JsonPointer.ROOT, 0, false);
    return text.out.toString();
  }

  /**
   * @param isBegun whether the first member continues the current line, behind the dash of an item
   */
  private void object(Json.Obj object, JsonPointer at, int indent, boolean isBegun) {
    for (int i = 0; i < object.size(); i++) {
      JsonPointer place = at.child(object.name(i));
      if (i > 0 || !isBegun) {
        comment(place, indent);
        out.append(" ".repeat(indent));
      }
      out.append(text(object.name(i))).append(':');
      value(object.value(i), place, indent);
    }
  }

  private void value(Json value, JsonPointer at, int indent) {
    switch (value) {
      case Json.Obj obj when obj.size() > 0 && !isSmall(obj) -> {
        out.append('\n');
        object(obj, at, indent + 2, false);
      }
      case Json.Arr arr when !arr.isEmpty() && !isSmall(arr) -> {
        out.append('\n');
        for (int i = 0; i < arr.size(); i++) {
          item(arr.get(i), at.child(i), indent + 2);
        }
      }
      default -> out.append(' ').append(flow(value)).append('\n');
    }
  }

  private void item(Json item, JsonPointer at, int indent) {
    comment(at, indent);
    out.append(" ".repeat(indent)).append("- ");
    if (item instanceof Json.Obj obj && obj.size() > 0) {
      object(obj, at, indent + 2, true);
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
            boolean flat = true;
            for (int i = 0; i < obj.size(); i++) {
              flat &= isLeaf(obj.value(i));
            }
            yield flat;
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
      case Json.Str str -> text(str.text());
      case Json.Arr arr -> "[" + String.join(", ", arr.stream().map(YamlText::flow).toList()) + "]";
      case Json.Obj obj -> {
        var members = new ArrayList<String>();
        for (int i = 0; i < obj.size(); i++) {
          members.add(text(obj.name(i)) + ": " + flow(obj.value(i)));
        }
        yield members.isEmpty() ? "{}" : "{ " + String.join(", ", members) + " }";
      }
      default -> PrettyJson.line(value);
    };
  }

  private static String text(String text) {
    return PLAIN.matcher(text).matches() && !WORDS.contains(text.toLowerCase(Locale.ROOT))
        ? text
        : PrettyJson.line(Json.of(text));
  }

  private void comment(JsonPointer at, int indent) {
    String comment = comments.get(at);
    if (comment == null) {
      return;
    }
    List<String> lines = Table.wrap(comment, Table.WIDTH - indent - 2);
    lines.forEach(line -> out.append(" ".repeat(indent)).append("# ").append(line).append('\n'));
  }
}
