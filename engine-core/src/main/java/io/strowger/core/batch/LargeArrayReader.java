package io.strowger.core.batch;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Reads an object with one array member that is too large for memory: its items are passed on one
 * by one, and the object is returned without them. This class only finds where values end; the
 * codec parses the values themselves, as strictly as any body. For one thread.
 */
public final class LargeArrayReader {
  /** The most bytes that the members other than the array may take. */
  private static final int MAX_BESIDE = 1 << 20;

  private static final int BUFFER = 64 << 10;

  private final InputStream in;
  private final JacksonCodec codec;
  private final String array;
  private final int mostItemBytes;
  private final LongConsumer memoryListener;
  private final byte[] buffer = new byte[BUFFER];
  private final Value value = new Value();
  private final Value beside = new Value();
  private int at;
  private int end;
  private long consumed; // bytes of earlier buffers
  private long held = BUFFER;
  private int items;
  private boolean seen; // the array

  /** Receives the items. */
  public interface Items {
    /**
     * Called when the array begins.
     *
     * @param before the members that came before the array, as an object
     */
    void begin(Json.Obj before);

    /** Called for every item, in order. */
    void item(Json item);
  }

  /** A byte buffer that grows. */
  private static final class Value {
    private byte[] bytes = new byte[1024];
    private int size;

    void write(int b) {
      if (size == bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(2L * size, Integer.MAX_VALUE - 8));
      }
      bytes[size++] = (byte) b;
    }

    void write(byte[] more) {
      for (byte b : more) {
        write(b);
      }
    }

    byte[] copy(int length) {
      return Arrays.copyOf(bytes, length);
    }
  }

  /**
   * @param in the object in UTF-8; not closed
   * @param array the name of the array member
   * @param mostItemBytes the most bytes of one item
   * @param memoryListener called with the number of bytes in memory whenever it is more than
   *     before; an exception it throws ends the reading
   */
  public LargeArrayReader(
      InputStream in,
      JacksonCodec codec,
      String array,
      int mostItemBytes,
      LongConsumer memoryListener) {
    this.in = in;
    this.codec = codec;
    this.array = array;
    this.mostItemBytes = mostItemBytes;
    this.memoryListener = memoryListener;
  }

  /**
   * Reads the whole object.
   *
   * @return the object, with the array empty
   * @throws io.strowger.spi.error.GatewayException 400 when it is not JSON, 413 when an item is too
   *     large
   */
  public Json.Obj read(Items into) throws IOException {
    memoryListener.accept(held);
    int first = skipSpace();
    if (first != '{') {
      throw wrong(first < 0 ? "is empty" : "must be an object");
    }
    beside.write('{');
    int next = skipSpace();
    while (next != '}') {
      member(next, into);
      next = skipSpace();
      if (next == ',') {
        beside.write(',');
        next = skipSpace();
        if (next == '}') {
          throw wrong("has a comma before }");
        }
      } else if (next != '}') {
        throw wrong("must have , or } after a member");
      }
    }
    beside.write('}');
    if (skipSpace() >= 0) {
      throw wrong("has something behind its end");
    }
    return object(beside.copy(beside.size));
  }

  /**
   * Reads one member, and passes on the items of the array if it is the array member.
   *
   * @param next the first byte of the member, already read
   */
  private void member(int next, Items into) throws IOException {
    if (next != '"') {
      throw wrong("must have a name in quotes");
    }
    int start = beside.size;
    value.size = 0;
    copyString(value, MAX_BESIDE);
    beside.write(value.copy(value.size));
    if (skipSpace() != ':') {
      throw wrong("must have : after a name");
    }
    beside.write(':');
    int first = skipSpace();
    if (first == '[' && !seen && isArray(value.copy(value.size))) {
      seen = true;
      into.begin(object(before(start)));
      items(into);
      beside.write('[');
      beside.write(']');
    } else {
      copyValue(first, beside, MAX_BESIDE);
    }
  }

  /** Returns the members so far as an object. */
  private byte[] before(int length) {
    int last = length > 1 ? length - 1 : length; // without the comma
    byte[] object = beside.copy(last + 1);
    object[last] = '}';
    return object;
  }

  private boolean isArray(byte[] name) {
    try {
      return codec.parse(name) instanceof Json.Str text && text.is(array);
    } catch (MalformedJsonException e) {
      return false; // reported when the whole object is parsed
    }
  }

  private void items(Items into) throws IOException {
    int next = skipSpace();
    while (next != ']') {
      value.size = 0;
      copyValue(next, value, mostItemBytes);
      into.item(item());
      items++;
      next = skipSpace();
      if (next == ',') {
        next = skipSpace();
        if (next == ']') {
          throw wrong("has a comma before ]");
        }
      } else if (next != ']') {
        throw wrong("must have , or ] after an item");
      }
    }
  }

  private Json item() {
    try {
      return codec.parse(
          value.copy(value.size), values -> hold(values * 16L)); // as bodies are charged
    } catch (MalformedJsonException malformed) {
      throw refused(
          JsonPointer.ROOT.child(array).child(items), "the item " + malformed.getMessage());
    }
  }

  private Json.Obj object(byte[] document) {
    try {
      return (Json.Obj) codec.parse(document);
    } catch (MalformedJsonException malformed) {
      throw refused(JsonPointer.ROOT, "the body " + malformed.getMessage());
    }
  }

  /** Copies a value, whose first byte is already read, up to its end. */
  private void copyValue(int first, Value into, int most) throws IOException {
    switch (first) {
      case '"' -> copyString(into, most);
      case '{', '[' -> copyNested(first, into, most);
      case -1 -> throw wrong("ends early");
      default -> copyWord(first, into, most);
    }
  }

  private void copyString(Value into, int most) throws IOException {
    put('"', into, most);
    for (int b = next(); b != '"'; b = next()) {
      put(b, into, most);
      if (b == '\\') {
        put(next(), into, most);
      }
    }
    put('"', into, most);
  }

  private void copyNested(int first, Value into, int most) throws IOException {
    put(first, into, most);
    for (int depth = 1; depth > 0; ) {
      int b = next();
      switch (b) {
        case '"' -> copyString(into, most);
        case '{', '[' -> {
          depth++;
          put(b, into, most);
        }
        case '}', ']' -> {
          depth--;
          put(b, into, most);
        }
        default -> put(b, into, most);
      }
    }
  }

  private void copyWord(int first, Value into, int most) throws IOException {
    put(first, into, most);
    while (true) {
      int b = peek();
      if (b < 0 || b == ',' || b == '}' || b == ']' || isSpace(b)) {
        return;
      }
      at++;
      put(b, into, most);
    }
  }

  private void put(int b, Value into, int most) {
    if (b < 0) {
      throw wrong("ends early");
    }
    if (into.size >= most) {
      throw GatewayError.of(ErrorCode.PAYLOAD_TOO_LARGE).toException();
    }
    into.write(b);
    if (into.size > held) {
      hold(2L * into.size);
    }
  }

  private void hold(long bytes) {
    if (bytes > held) {
      held = bytes;
      memoryListener.accept(bytes);
    }
  }

  private int next() throws IOException {
    int b = peek();
    at += b < 0 ? 0 : 1;
    return b;
  }

  private int peek() throws IOException {
    if (at == end) {
      consumed += end;
      at = 0;
      end = Math.max(0, in.read(buffer, 0, buffer.length));
      if (end == 0) {
        return -1;
      }
    }
    return buffer[at] & 0xFF;
  }

  /** Returns the first byte that is no space; -1 at the end. */
  private int skipSpace() throws IOException {
    int b = next();
    while (isSpace(b)) {
      b = next();
    }
    return b;
  }

  private static boolean isSpace(int b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  private RuntimeException wrong(String what) {
    return refused(JsonPointer.ROOT, "the body " + what + ", at byte " + (consumed + at));
  }

  private static RuntimeException refused(JsonPointer at, String what) {
    return GatewayError.of(ErrorCode.INVALID_REQUEST, List.of(new Problem(at, what, "")))
        .toException();
  }
}
