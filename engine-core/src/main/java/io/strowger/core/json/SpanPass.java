package io.strowger.core.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.strowger.spi.ambient.FairShare;
import io.strowger.spi.error.ShortText;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonLimits;
import io.strowger.spi.json.JsonSource;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads one document in one pass. The tokenizer reports where a token starts. The end of a token is
 * found by moving to the next token and walking back, since asking the tokenizer for the end would
 * decode the text.
 */
final class SpanPass {
  /**
   * The number of names in an object up to which they are compared one by one. A set for every
   * object, as the tokenizer's own check keeps, would cost more than the values of a small object.
   */
  private static final int LINEAR_SEARCH_LIMIT = 8;

  private static final int MAX_SHOWN_NAME_CHARS = 40;
  private static final int REPORT_INTERVAL = 4096; // values between two reports
  private static final String[] NO_NAMES = {};

  private final JsonParser tokens;
  private final byte[] bytes;
  private final JsonLimits limits;
  private final JsonSource source;
  private final IntConsumer counter;
  private final @Nullable FairShare fairShare; // null for a small document

  private @Nullable JsonToken token; // the current token; null after the end
  private int start; // where the current token begins
  private int depth;
  private int count; // of values so far

  // members and items of the containers that are still open, innermost last
  private Json[] values = new Json[16];
  private String[] names = new String[16];
  private int top;
  private String[] lastNames = NO_NAMES;

  /**
   * @param counter called after every few thousand values, with the number of values so far
   */
  SpanPass(JsonParser tokens, byte[] bytes, JsonLimits limits, IntConsumer counter) {
    this.tokens = tokens;
    this.bytes = bytes;
    this.limits = limits;
    this.source = new JsonSource(bytes);
    this.counter = counter;
    this.fairShare =
        bytes.length <= FairShare.COPIED_BYTES ? null : new FairShare(FairShare.COPIED_BYTES);
  }

  Json document() throws IOException, MalformedJsonException {
    advance();
    if (token == null) {
      throw new MalformedJsonException("is empty");
    }
    Json root = value();
    if (token != null) {
      throw new MalformedJsonException("has something after its end, at " + place(start));
    }
    return root;
  }

  private void advance() throws IOException {
    token = tokens.nextToken();
    if (token == null) {
      start = bytes.length;
      return;
    }
    long offset = tokens.currentTokenLocation().getByteOffset();
    if (offset < 0) {
      throw new IllegalStateException("the tokenizer lost its place");
    }
    if (fairShare != null) {
      fairShare.advance((int) offset - start);
    }
    start = (int) offset;
  }

  /** Reads the value that begins at the current token and moves to the token after it. */
  private Json value() throws IOException, MalformedJsonException {
    int from = start;
    JsonToken kind = token;
    if (kind == JsonToken.START_OBJECT) {
      return object(from);
    }
    if (kind == JsonToken.START_ARRAY) {
      return array(from);
    }
    advance();
    if (kind == JsonToken.VALUE_STRING) {
      int end = endOfScalar();
      if (end - from - 2 > limits.stringBytes()) {
        throw new MalformedJsonException(
            "has a string of more than " + limits.stringBytes() + " bytes at " + place(from));
      }
      return source.string(from, end);
    }
    if (kind == JsonToken.VALUE_TRUE) {
      return Json.TRUE;
    }
    if (kind == JsonToken.VALUE_FALSE) {
      return Json.FALSE;
    }
    return kind == JsonToken.VALUE_NULL ? Json.NULL : number(from, endOfScalar());
  }

  private Json.Num number(int from, int end) throws MalformedJsonException {
    if (end - from > limits.numberChars()) {
      throw new MalformedJsonException(
          "has a number of more than " + limits.numberChars() + " characters at " + place(from));
    }
    return source.number(from, end);
  }

  /** Returns the end (exclusive) of the scalar before the current token. */
  private int endOfScalar() {
    int i = skipSpaceBackwards(start);
    return bytes[i - 1] == ',' ? skipSpaceBackwards(i - 1) : i;
  }

  private int skipSpaceBackwards(int from) {
    int i = from;
    while (bytes[i - 1] == ' '
        || bytes[i - 1] == '\n'
        || bytes[i - 1] == '\r'
        || bytes[i - 1] == '\t') {
      i--;
    }
    return i;
  }

  private Json.Obj object(int from) throws IOException, MalformedJsonException {
    enter(from);
    int first = top;
    Set<String> nameSet = null;
    advance();
    while (token != JsonToken.END_OBJECT) {
      String name = tokens.currentName();
      if (name.length() > limits.nameChars()) {
        throw nameTooLong(limits, place(start));
      }
      if (top - first == LINEAR_SEARCH_LIMIT) {
        nameSet = new HashSet<>(Arrays.asList(names).subList(first, top));
      }
      if (nameSet == null ? isNamedFrom(first, name) : !nameSet.add(name)) {
        throw duplicateName(name, place(start));
      }
      requireRoom(first);
      advance();
      Json value = value();
      push(name, value);
    }
    int end = start + 1;
    leave();
    lastNames = namesFrom(first);
    return source.object(from, end, lastNames, popFrom(first));
  }

  /**
   * Returns the member names. Shares the array of the object before if the names are the same, as
   * they mostly are in a list of objects.
   */
  private String[] namesFrom(int first) {
    int size = top - first;
    boolean same = lastNames.length == size;
    for (int i = 0; same && i < size; i++) {
      same = lastNames[i] == names[first + i]; // the tokenizer gives the same name the same string
    }
    return same ? lastNames : Arrays.copyOfRange(names, first, top);
  }

  /** Returns whether a member of the innermost object, from the first on, has this name. */
  private boolean isNamedFrom(int first, String name) {
    for (int i = first; i < top; i++) {
      if (names[i].equals(name)) {
        return true;
      }
    }
    return false;
  }

  private Json.Arr array(int from) throws IOException, MalformedJsonException {
    enter(from);
    int first = top;
    advance();
    while (token != JsonToken.END_ARRAY) {
      requireRoom(first);
      push("", value());
    }
    int end = start + 1;
    leave();
    return source.array(from, end, popFrom(first));
  }

  private void enter(int from) throws MalformedJsonException {
    if (++depth > limits.depth()) {
      throw new MalformedJsonException(
          "is nested deeper than " + limits.depth() + " at " + place(from));
    }
  }

  private void leave() throws IOException {
    depth--;
    advance();
  }

  /** Checks that the innermost container may have one more member or item. */
  private void requireRoom(int first) throws MalformedJsonException {
    if (top - first == limits.members()) {
      throw new MalformedJsonException(
          "has more than "
              + limits.members()
              + " values in one object or array at "
              + place(start));
    }
    if (++count >= limits.values()) {
      throw new MalformedJsonException(
          "has more than " + limits.values() + " values at " + place(start));
    }
    if (count % REPORT_INTERVAL == 0) {
      counter.accept(count);
    }
  }

  private void push(String name, Json value) {
    if (top == values.length) {
      values = Arrays.copyOf(values, top * 2);
      names = Arrays.copyOf(names, top * 2);
    }
    names[top] = name;
    values[top++] = value;
  }

  private Json[] popFrom(int first) {
    Json[] children = Arrays.copyOfRange(values, first, top);
    top = first;
    return children;
  }

  private String place(int offset) {
    return SyntaxFault.place(bytes, offset);
  }

  private static MalformedJsonException duplicateName(String name, String place) {
    String shortName = ShortText.withEllipsis(name, MAX_SHOWN_NAME_CHARS);
    return new MalformedJsonException(
        "gives the name '" + shortName + "' twice in one object, again at " + place);
  }

  static MalformedJsonException nameTooLong(JsonLimits limits, String place) {
    return new MalformedJsonException(
        "has a member name of more than " + limits.nameChars() + " characters at " + place);
  }
}
