package io.strowger.destinations;

import io.strowger.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/**
 * Writes JSON that every parser accepts. JSON can express half of a surrogate pair, and numbers
 * beyond the range of a double, but some parsers refuse both. A caller who sends one of them must
 * not cause a destination to refuse the calls of others in the same request.
 */
final class PortableJson {
  private static final char REPLACEMENT = '\uFFFD';
  private static final byte[] REPLACEMENT_DIGITS = "fffd".getBytes(StandardCharsets.US_ASCII);

  /** The bytes of an escape such as <code>&#92;ud83d</code>. */
  private static final int ESCAPE_BYTES = 6;

  private PortableJson() {}

  /** Returns a value as UTF-8 JSON without halves of surrogate pairs. */
  static byte[] bytes(Json value) {
    return repair(value.toBytes());
  }

  /** Replaces each escaped half of a surrogate pair by U+FFFD, and returns the same array. */
  static byte[] repair(byte[] json) {
    int at = 0;
    while (at < json.length) {
      if (json[at] != '\\') {
        at++;
      } else if (isSurrogate(json, at, "89ab") && isSurrogate(json, at + ESCAPE_BYTES, "cdef")) {
        at += 2 * ESCAPE_BYTES;
      } else {
        if (isSurrogate(json, at, "89abcdef")) {
          System.arraycopy(REPLACEMENT_DIGITS, 0, json, at + 2, REPLACEMENT_DIGITS.length);
        }
        at += 2; // the escaped character is no backslash that begins another escape
      }
    }
    return json;
  }

  /**
   * Returns whether an escape of a surrogate begins at an index.
   *
   * @param halves the possible values of the digit that tells the two halves of a pair apart
   */
  private static boolean isSurrogate(byte[] json, int at, String halves) {
    return at + ESCAPE_BYTES <= json.length
        && json[at] == '\\'
        && json[at + 1] == 'u'
        && (json[at + 2] == 'd' || json[at + 2] == 'D')
        && halves.indexOf(Character.toLowerCase(json[at + 3])) >= 0;
  }

  /** Returns a text in which U+FFFD replaces each half of a surrogate pair. */
  static String text(String text) {
    StringBuilder repaired = null;
    for (int i = 0; i < text.length(); i++) {
      if (!Character.isSurrogate(text.charAt(i))) {
        continue;
      }
      if (Character.isSupplementaryCodePoint(text.codePointAt(i))) {
        i++;
      } else {
        repaired = repaired == null ? new StringBuilder(text) : repaired;
        repaired.setCharAt(i, REPLACEMENT);
      }
    }
    return repaired == null ? text : repaired.toString();
  }

  /**
   * Returns a value in which a text replaces each number beyond the range of a double; the same
   * object when there is none.
   */
  static Json withoutHugeNumbers(Json value) {
    return switch (value) {
      case Json.Num number when Double.isInfinite(Double.parseDouble(number.spelling())) ->
          Json.of(number.spelling());
      case Json.Arr array -> withoutHugeNumbers(array);
      case Json.Obj object -> withoutHugeNumbers(object);
      case Json.Num number -> number;
      case Json.Str text -> text;
      case Json.Bool flag -> flag;
      case Json.Null none -> none;
    };
  }

  private static Json.Arr withoutHugeNumbers(Json.Arr array) {
    var items = new ArrayList<Json>(array.size());
    boolean changed = false;
    for (Json item : array) {
      Json portable = withoutHugeNumbers(item);
      changed |= portable != item;
      items.add(portable);
    }
    return changed ? Json.array(items) : array;
  }

  static Json.Obj withoutHugeNumbers(Json.Obj object) {
    Json.Obj.Builder members = Json.object(object.size());
    boolean changed = false;
    for (int i = 0; i < object.size(); i++) {
      Json portable = withoutHugeNumbers(object.value(i));
      changed |= portable != object.value(i);
      members.put(object.name(i), portable);
    }
    return changed ? members.build() : object;
  }
}
