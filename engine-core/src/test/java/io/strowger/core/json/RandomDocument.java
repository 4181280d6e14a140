package io.strowger.core.json;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Writes a random JSON document and remembers the position of each value in it. */
public final class RandomDocument {
  private static final String[] NUMBERS = {
    "0", "-0", "1", "-12", "3.140", "1e5", "1E+5", "2.5e-3", "12345678901234567890", "-0.0"
  };
  private static final String[] TEXT_PIECES = {
    "a",
    ",",
    " ",
    "]",
    "}",
    "\"",
    "\\",
    "/",
    "\n",
    "\t",
    "\u0001",
    "é",
    "€",
    "\uD83D\uDE00",
    "text "
  };

  private final Random random;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /**
   * A value of the document, with the range of its bytes, its member names and the values in it.
   *
   * @param text the decoded text of a string; null for other values
   */
  public record Node(
      int start, int end, @Nullable String text, List<String> names, List<Node> children) {}

  public RandomDocument(Random random) {
    this.random = random;
  }

  public byte[] bytes() {
    return out.toByteArray();
  }

  public Node document() {
    space();
    Node root = value(5);
    space();
    return root;
  }

  private Node value(int depth) {
    int start = out.size();
    return switch (random.nextInt(depth == 0 ? 4 : 7)) {
      case 0 -> leaf(start, NUMBERS[random.nextInt(NUMBERS.length)]);
      case 1 -> leaf(start, random.nextBoolean() ? "true" : "false");
      case 2 -> leaf(start, "null");
      case 3 -> {
        String text = text();
        string(text);
        yield new Node(start, out.size(), text, List.of(), List.of());
      }
      case 4 -> array(start, depth);
      default -> object(start, depth);
    };
  }

  private Node leaf(int start, String spelling) {
    ascii(spelling);
    return new Node(start, out.size(), null, List.of(), List.of());
  }

  private Node array(int start, int depth) {
    var items = new ArrayList<Node>();
    ascii("[");
    space();
    for (int left = random.nextInt(5); left > 0; left--) {
      items.add(value(depth - 1));
      space();
      if (left > 1) {
        ascii(",");
        space();
      }
    }
    ascii("]");
    return new Node(start, out.size(), null, List.of(), items);
  }

  private Node object(int start, int depth) {
    var names = new ArrayList<String>();
    var members = new ArrayList<Node>();
    ascii("{");
    space();
    for (int left = random.nextInt(5); left > 0; left--) {
      String name = left + text();
      string(name);
      space();
      ascii(":");
      space();
      names.add(name);
      members.add(value(depth - 1));
      space();
      if (left > 1) {
        ascii(",");
        space();
      }
    }
    ascii("}");
    return new Node(start, out.size(), null, names, members);
  }

  private String text() {
    var text = new StringBuilder();
    for (int left = random.nextInt(12); left > 0; left--) {
      text.append(TEXT_PIECES[random.nextInt(TEXT_PIECES.length)]);
    }
    return text.toString();
  }

  /** Writes a string; each character is written as it is or as one of its possible escapes. */
  private void string(String text) {
    ascii("\"");
    text.codePoints().forEach(this::character);
    ascii("\"");
  }

  private void character(int point) {
    boolean mustEscape = point < 0x20 || point == '"' || point == '\\';
    if (point == '\n' && random.nextBoolean()) {
      ascii("\\n");
    } else if ((point == '"' || point == '\\' || point == '/') && random.nextBoolean()) {
      ascii("\\" + (char) point);
    } else if (mustEscape || random.nextInt(8) == 0) {
      for (char unit : Character.toChars(point)) {
        ascii(String.format("\\u%04" + (random.nextBoolean() ? "x" : "X"), (int) unit));
      }
    } else {
      out.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
    }
  }

  private void space() {
    for (int left = random.nextInt(4) - 1; left > 0; left--) {
      ascii(String.valueOf(" \n\r\t".charAt(random.nextInt(4))));
    }
  }

  private void ascii(String text) {
    out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }
}
