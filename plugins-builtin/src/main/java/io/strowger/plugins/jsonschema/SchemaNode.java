package io.strowger.plugins.jsonschema;

import dev.harrel.jsonschema.JsonNode;
import dev.harrel.jsonschema.JsonNodeFactory;
import dev.harrel.jsonschema.SimpleType;
import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adapts a JSON value to the library's node type, without copying its text. Confined to one thread.
 */
final class SchemaNode implements JsonNode {
  private static final int MAX_DEPTH = 128;
  private static final int MAX_VALUES = 100_000;
  private static final int MAX_DIGITS = 1_000;

  /** The most characters of the JSON pointers of all values together. */
  private static final long MAX_POINTER_CHARS = 20_000_000;

  static final JsonNodeFactory FACTORY =
      new JsonNodeFactory() {
        @Override
        public JsonNode wrap(Object node) {
          return node instanceof JsonNode wrapped ? wrapped : new SchemaNode((Json) node, "");
        }

        // the library would read only its own documents this way, and none is requested
        @Override
        public JsonNode create(String document) {
          throw new UncheckableException("refers to another document");
        }
      };

  private final Json value;
  private final String pointer;
  private @Nullable List<JsonNode> items;
  private @Nullable Map<String, JsonNode> members;

  private SchemaNode(Json value, String pointer) {
    this.value = value;
    this.pointer = pointer;
  }

  /**
   * Throws if a value is too large or too deep for the library.
   *
   * @throws UncheckableException with the reason
   */
  static void requireBounded(Json value) {
    new Size().add(value, 0, 0);
  }

  /** Counts the values and pointer characters of a value. */
  private static final class Size {
    private static final int INDEX_CHARS = 6; // characters of an array index and its slash
    private int valueCount;
    private long pointerChars;

    void add(Json value, int depth, long pointerLength) {
      valueCount++;
      pointerChars += pointerLength;
      if (depth > MAX_DEPTH || valueCount > MAX_VALUES || pointerChars > MAX_POINTER_CHARS) {
        throw new UncheckableException("is too large or nested too deep to be checked");
      }
      switch (value) {
        case Json.Obj object -> {
          for (int i = 0; i < object.size(); i++) {
            add(object.value(i), depth + 1, pointerLength + object.name(i).length() + 1);
          }
        }
        case Json.Arr array -> {
          for (Json item : array) {
            add(item, depth + 1, pointerLength + INDEX_CHARS);
          }
        }
        case Json.Num number -> requireBoundedNumber(number);
        case Json.Str text -> {}
        case Json.Bool bool -> {}
        case Json.Null none -> {}
      }
    }
  }

  /**
   * Throws if a number has too many digits: arithmetic with {@code 1e999999999} would fill the
   * memory.
   */
  private static void requireBoundedNumber(Json.Num number) {
    boolean isBounded = number.spelling().length() <= MAX_DIGITS;
    if (isBounded) {
      try {
        BigDecimal exact = number.decimal();
        isBounded = Math.abs((long) exact.precision() - exact.scale()) <= MAX_DIGITS;
        isBounded &= Math.abs((long) exact.scale()) <= MAX_DIGITS;
      } catch (NumberFormatException e) {
        isBounded = false;
      }
    }
    if (!isBounded) {
      throw new UncheckableException("has a number of more than 1000 digits");
    }
  }

  @Override
  public String getJsonPointer() {
    return pointer;
  }

  @Override
  public SimpleType getNodeType() {
    return switch (value) {
      case Json.Obj object -> SimpleType.OBJECT;
      case Json.Arr array -> SimpleType.ARRAY;
      case Json.Str text -> SimpleType.STRING;
      case Json.Num number -> isWhole(number) ? SimpleType.INTEGER : SimpleType.NUMBER;
      case Json.Bool bool -> SimpleType.BOOLEAN;
      case Json.Null none -> SimpleType.NULL;
    };
  }

  private static boolean isWhole(Json.Num number) {
    BigDecimal exact = number.decimal();
    return exact.signum() == 0 || exact.stripTrailingZeros().scale() <= 0;
  }

  @Override
  public boolean asBoolean() {
    return value == Json.TRUE;
  }

  @Override
  public String asString() {
    return value instanceof Json.Str text ? text.text() : value.toString();
  }

  @Override
  public BigInteger asInteger() {
    return asNumber().toBigInteger();
  }

  /**
   * Returns the number in a normal form: the library compares with {@code equals}, so equal numbers
   * need an equal scale.
   */
  @Override
  public BigDecimal asNumber() {
    BigDecimal exact = ((Json.Num) value).decimal();
    return exact.signum() == 0 ? BigDecimal.ZERO : exact.stripTrailingZeros();
  }

  @Override
  public List<JsonNode> asArray() {
    List<JsonNode> nodes = items;
    if (nodes == null) {
      Json.Arr array = (Json.Arr) value;
      nodes = new ArrayList<>(array.size());
      for (int i = 0; i < array.size(); i++) {
        nodes.add(new SchemaNode(array.get(i), pointer + "/" + i));
      }
      items = nodes;
    }
    return nodes;
  }

  @Override
  public Map<String, JsonNode> asObject() {
    Map<String, JsonNode> nodes = members;
    if (nodes == null) {
      Json.Obj object = (Json.Obj) value;
      nodes = new LinkedHashMap<>();
      for (int i = 0; i < object.size(); i++) {
        String name = object.name(i);
        String at = pointer + "/" + JsonNode.encodeJsonPointer(name);
        nodes.put(name, new SchemaNode(object.value(i), at));
      }
      members = nodes;
    }
    return nodes;
  }

  /**
   * Returns the number of direct child values; for a string, an upper bound of its bytes; 1 for any
   * other value.
   */
  int directSize() {
    return switch (value) {
      case Json.Obj object -> object.size();
      case Json.Arr array -> array.size();
      case Json.Str text -> text.utf8Bound();
      case Json.Num number -> 1;
      case Json.Bool bool -> 1;
      case Json.Null none -> 1;
    };
  }

  /** Returns the number of values at any depth, including this one. */
  long deepSize() {
    return deepSize(value);
  }

  private static long deepSize(Json value) {
    long all = 1;
    if (value instanceof Json.Obj object) {
      for (int i = 0; i < object.size(); i++) {
        all += deepSize(object.value(i));
      }
    } else if (value instanceof Json.Arr array) {
      for (Json item : array) {
        all += deepSize(item);
      }
    }
    return all;
  }

  /** Returns a short form for messages of the library. */
  @Override
  public String toPrintableString() {
    return value instanceof Json.Str text
        ? text.beginning(80)
        : "a value of the type " + value.kind();
  }

  @Override
  public String toString() {
    return toPrintableString();
  }
}
