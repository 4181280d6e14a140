package io.strowger.host.cli;

import io.strowger.host.show.PrettyJson;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.JsonSchema;

/**
 * A YAML file that can be represented as JSON: YAML 1.2 with the JSON schema, so that every scalar
 * except {@code true}, {@code false}, {@code null} and JSON numbers is text. Numbers keep their
 * spelling, duplicate names are refused, and the expansion of aliases is limited. Immutable.
 */
final class YamlDocument {
  private static final int MAX_CHARS = 32 << 20;
  private static final int MAX_ALIASES = 10_000;
  private static final int MAX_DEPTH = 100;
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  private final @Nullable Node root; // null for an empty file
  private final byte[] json;

  private YamlDocument(@Nullable Node root, byte[] json) {
    this.root = root;
    this.json = json;
  }

  /**
   * Thrown when a file is not YAML or cannot be represented as JSON. The message contains nothing
   * of the file's content.
   */
  static final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    UnreadableException(JsonPointer at, @Nullable Mark mark, String what) {
      super(what, null, false, false);
      this.problem = new Problem(at, mark == null ? what : what + " at " + place(mark), "");
    }

    /** Returns the problem with its place. */
    Problem problem() {
      return problem;
    }
  }

  /**
   * Reads a file's content.
   *
   * @throws UnreadableException when it is not UTF-8, not YAML, or cannot be represented as JSON
   */
  static YamlDocument parse(byte[] content) throws UnreadableException {
    Node root;
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
      LoadSettings settings =
          LoadSettings.builder()
              .setSchema(new JsonSchema())
              .setCodePointLimit(MAX_CHARS)
              .setMaxAliasesForCollections(MAX_ALIASES)
              .setUseMarks(true)
              .build();
      root = new Compose(settings).composeString(text).orElse(null);
    } catch (CharacterCodingException e) {
      throw new UnreadableException(JsonPointer.ROOT, null, "is not YAML: it is not UTF-8");
    } catch (MarkedYamlEngineException e) {
      throw new UnreadableException(
          JsonPointer.ROOT, e.getProblemMark().orElse(null), "is not YAML: " + reason(e));
    } catch (YamlEngineException e) {
      throw new UnreadableException(JsonPointer.ROOT, null, "is not YAML: " + e.getMessage());
    } catch (StackOverflowError e) {
      throw new UnreadableException(JsonPointer.ROOT, null, "is not YAML: it is nested too deeply");
    }
    var writer = new Writer();
    writer.write(root, JsonPointer.ROOT, 0);
    return new YamlDocument(root, writer.out.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the reason without text of the file, which may be part of a secret. */
  private static String reason(MarkedYamlEngineException e) {
    String problem = String.valueOf(e.getProblem());
    for (String message : List.of("found undefined alias", "found undefined tag handle")) {
      if (problem.startsWith(message)) {
        return message + "; put text that begins with *, ! or & in quotes";
      }
    }
    return problem;
  }

  private static String place(Mark mark) {
    return "line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1);
  }

  /** Returns the same document as JSON. */
  byte[] json() {
    return json.clone();
  }

  /** Returns the problem with the line of the file where it is. */
  Problem withLine(Problem problem) {
    Node node = find(problem.pointer());
    int line = node == null ? 0 : node.getStartMark().map(Mark::getLine).orElse(-1) + 1;
    if (line == 0) {
      return problem;
    }
    String where = " (line " + line + ")";
    return problem.value().isEmpty()
        ? new Problem(problem.pointer(), problem.allowed() + where, "", problem.origin())
        : new Problem(
            problem.pointer(), problem.allowed(), problem.value() + where, problem.origin());
  }

  /** Returns the node at a place; if there is none, the innermost node around the place. */
  private @Nullable Node find(JsonPointer place) {
    Node node = root;
    String text = place.toString();
    if (text.isEmpty()) {
      return node;
    }
    for (String step : text.substring(1).split("/", -1)) {
      Node next = node == null ? null : child(node, step.replace("~1", "/").replace("~0", "~"));
      if (next == null) {
        return node;
      }
      node = next;
    }
    return node;
  }

  private static @Nullable Node child(Node node, String step) {
    if (node instanceof MappingNode mapping) {
      for (NodeTuple member : mapping.getValue()) {
        if (member.getKeyNode() instanceof ScalarNode name && name.getValue().equals(step)) {
          return member.getValueNode();
        }
      }
    } else if (node instanceof SequenceNode items && step.matches("[0-9]{1,9}")) {
      int number = Integer.parseInt(step);
      return number < items.getValue().size() ? items.getValue().get(number) : null;
    }
    return null;
  }

  /** Writes nodes as JSON. */
  private static final class Writer {
    private final StringBuilder out = new StringBuilder();

    void write(@Nullable Node node, JsonPointer at, int depth) throws UnreadableException {
      switch (node) {
        case null -> out.append("null");
        case MappingNode mapping when isCollection(mapping, at, depth) ->
            object(mapping, at, depth);
        case SequenceNode items when isCollection(items, at, depth) -> array(items, at, depth);
        case ScalarNode scalar -> scalar(scalar, at);
        default -> throw unreadable(node, at, "cannot be represented as JSON");
      }
      if (out.length() > MAX_CHARS) {
        throw unreadable(node, at, "is larger than 32 MiB when its aliases are expanded");
      }
    }

    private static boolean isCollection(Node node, JsonPointer at, int depth)
        throws UnreadableException {
      if (depth >= MAX_DEPTH) {
        throw unreadable(node, at, "is nested too deeply: " + MAX_DEPTH + " levels are the most");
      }
      if (!node.getTag().equals(Tag.MAP) && !node.getTag().equals(Tag.SEQ)) {
        throw unreadable(node, at, "has a tag, which a configuration cannot have");
      }
      return true;
    }

    private void object(MappingNode mapping, JsonPointer at, int depth) throws UnreadableException {
      var names = new HashSet<String>();
      out.append('{');
      for (NodeTuple member : mapping.getValue()) {
        String name = name(member.getKeyNode(), at);
        if (!names.add(name)) {
          throw unreadable(member.getKeyNode(), at.child(name), "is a duplicate name");
        }
        out.append(names.size() == 1 ? "" : ",").append(PrettyJson.line(Json.of(name))).append(':');
        write(member.getValueNode(), at.child(name), depth + 1);
      }
      out.append('}');
    }

    private static String name(Node node, JsonPointer at) throws UnreadableException {
      if (!(node instanceof ScalarNode name)) {
        throw unreadable(node, at, "has a member whose name is not text");
      }
      if (name.getValue().equals("<<") && name.isPlain()) {
        throw unreadable(node, at, "has <<, which YAML 1.2 does not know: write the members out");
      }
      return name.getValue();
    }

    private void array(SequenceNode items, JsonPointer at, int depth) throws UnreadableException {
      int number = 0;
      out.append('[');
      for (Node item : items.getValue()) {
        out.append(number == 0 ? "" : ",");
        write(item, at.child(number), depth + 1);
        number++;
      }
      out.append(']');
    }

    private void scalar(ScalarNode scalar, JsonPointer at) throws UnreadableException {
      String text = scalar.getValue();
      Tag tag = scalar.getTag();
      if (tag.equals(Tag.STR) || tag.equals(Tag.ENV_TAG)) { // ${NAME}, which the reader replaces
        out.append(PrettyJson.line(Json.of(text)));
      } else if (tag.equals(Tag.NULL)) {
        out.append("null");
      } else if (tag.equals(Tag.BOOL) && (text.equals("true") || text.equals("false"))) {
        out.append(text);
      } else if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) {
        if (!NUMBER.matcher(text).matches()) {
          throw unreadable(scalar, at, "must be a number as JSON spells it, or text in quotes");
        }
        out.append(text);
      } else {
        throw unreadable(scalar, at, "has a tag, which a configuration cannot have");
      }
    }

    private static UnreadableException unreadable(
        @Nullable Node node, JsonPointer at, String what) {
      Mark mark = node == null ? null : node.getStartMark().orElse(null);
      return new UnreadableException(at, mark, what);
    }
  }
}
