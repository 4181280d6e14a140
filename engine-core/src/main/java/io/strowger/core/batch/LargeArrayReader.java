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
  private static final int MAX_OTHER_MEMBERS = 1 << 20;

  private static final int BUFFER_BYTES = 64 << 10;

  private final InputStream in;
  private final JacksonCodec codec;
  private final String arrayName;
  private final int maxItemBytes;
  private final LongConsumer memoryListener;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private final GrowingBuffer valueBuffer = new GrowingBuffer();
  private final GrowingBuffer otherMembers = new GrowingBuffer();
  private int position;
  private int limit;
  private long consumedBytes; // bytes of earlier buffers
  private long reportedBytes = BUFFER_BYTES;
  private int itemCount;
  private boolean arraySeen; // whether the array has begun

  /** Receives the items. */
  public interface ItemListener {
    /**
     * Called when the array begins.
     *
     * @param leadingMembers the members that came before the array, as an object
     */
    void begin(Json.Obj leadingMembers);

    /** Called for every item, in order. */
    void onItem(Json item);
  }

  /** A byte buffer that grows. */
  private static final class GrowingBuffer {
    private byte[] bytes = new byte[1024];
    private int size;

    void write(int b) {
      if (size == bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(2L * size, Integer.MAX_VALUE - 8));
      }
      bytes[size++] = (byte) b;
    }

    void write(byte[] added) {
      for (byte b : added) {
        write(b);
      }
    }

    byte[] copy(int length) {
      return Arrays.copyOf(bytes, length);
    }
  }

  /**
   * @param in the object in UTF-8; not closed
   * @param arrayName the name of the array member
   * @param maxItemBytes the most bytes of one item
   * @param memoryListener called with the number of bytes in memory whenever it is more than
   *     before; an exception it throws ends the reading
   */
  public LargeArrayReader(
      InputStream in,
      JacksonCodec codec,
      String arrayName,
      int maxItemBytes,
      LongConsumer memoryListener) {
    this.in = in;
    this.codec = codec;
    this.arrayName = arrayName;
    this.maxItemBytes = maxItemBytes;
    this.memoryListener = memoryListener;
  }

  /**
   * Reads the whole object.
   *
   * @return the object, with the array empty
   * @throws io.strowger.spi.error.GatewayException 400 when it is not JSON, 413 when an item is too
   *     large
   */
  public Json.Obj read(ItemListener listener) throws IOException {
    memoryListener.accept(reportedBytes);
    int first = skipSpace();
    if (first != '{') {
      throw malformedBody(first < 0 ? "is empty" : "must be an object");
    }
    otherMembers.write('{');
    int next = skipSpace();
    while (next != '}') {
      readMember(next, listener);
      next = skipSpace();
      if (next == ',') {
        otherMembers.write(',');
        next = skipSpace();
        if (next == '}') {
          throw malformedBody("has a comma before }");
        }
      } else if (next != '}') {
        throw malformedBody("must have , or } after a member");
      }
    }
    otherMembers.write('}');
    if (skipSpace() >= 0) {
      throw malformedBody("has something after its end");
    }
    return parseObject(otherMembers.copy(otherMembers.size));
  }

  /**
   * Reads one member, and passes on the items of the array if it is the array member.
   *
   * @param next the first byte of the member, already read
   */
  private void readMember(int next, ItemListener listener) throws IOException {
    if (next != '"') {
      throw malformedBody("must have a name in quotes");
    }
    int start = otherMembers.size;
    valueBuffer.size = 0;
    copyString(valueBuffer, MAX_OTHER_MEMBERS);
    otherMembers.write(valueBuffer.copy(valueBuffer.size));
    if (skipSpace() != ':') {
      throw malformedBody("must have : after a name");
    }
    otherMembers.write(':');
    int first = skipSpace();
    if (first == '[' && !arraySeen && isArrayName(valueBuffer.copy(valueBuffer.size))) {
      arraySeen = true;
      listener.begin(parseObject(membersUpTo(start)));
      readItems(listener);
      otherMembers.write('[');
      otherMembers.write(']');
    } else {
      copyValue(first, otherMembers, MAX_OTHER_MEMBERS);
    }
  }

  /** Returns the members so far as an object. */
  private byte[] membersUpTo(int length) {
    int last = length > 1 ? length - 1 : length; // without the comma
    byte[] object = otherMembers.copy(last + 1);
    object[last] = '}';
    return object;
  }

  private boolean isArrayName(byte[] name) {
    try {
      return codec.parse(name) instanceof Json.Str text && text.is(arrayName);
    } catch (MalformedJsonException e) {
      return false; // reported when the whole object is parsed
    }
  }

  private void readItems(ItemListener listener) throws IOException {
    int next = skipSpace();
    while (next != ']') {
      valueBuffer.size = 0;
      copyValue(next, valueBuffer, maxItemBytes);
      listener.onItem(parseItem());
      itemCount++;
      next = skipSpace();
      if (next == ',') {
        next = skipSpace();
        if (next == ']') {
          throw malformedBody("has a comma before ]");
        }
      } else if (next != ']') {
        throw malformedBody("must have , or ] after an item");
      }
    }
  }

  private Json parseItem() {
    try {
      return codec.parse(
          valueBuffer.copy(valueBuffer.size),
          values -> reportMemory(values * 16L)); // 16 bytes a value, as for all bodies
    } catch (MalformedJsonException e) {
      throw invalid(
          JsonPointer.ROOT.child(arrayName).child(itemCount), "the item " + e.getMessage());
    }
  }

  private Json.Obj parseObject(byte[] document) {
    try {
      return (Json.Obj) codec.parse(document);
    } catch (MalformedJsonException e) {
      throw invalid(JsonPointer.ROOT, "the body " + e.getMessage());
    }
  }

  /** Copies a value, whose first byte is already read, up to its end. */
  private void copyValue(int first, GrowingBuffer target, int maxBytes) throws IOException {
    switch (first) {
      case '"' -> copyString(target, maxBytes);
      case '{', '[' -> copyNested(first, target, maxBytes);
      case -1 -> throw malformedBody("ends early");
      default -> copyWord(first, target, maxBytes);
    }
  }

  private void copyString(GrowingBuffer target, int maxBytes) throws IOException {
    put('"', target, maxBytes);
    for (int b = next(); b != '"'; b = next()) {
      put(b, target, maxBytes);
      if (b == '\\') {
        put(next(), target, maxBytes);
      }
    }
    put('"', target, maxBytes);
  }

  private void copyNested(int first, GrowingBuffer target, int maxBytes) throws IOException {
    put(first, target, maxBytes);
    for (int depth = 1; depth > 0; ) {
      int b = next();
      switch (b) {
        case '"' -> copyString(target, maxBytes);
        case '{', '[' -> {
          depth++;
          put(b, target, maxBytes);
        }
        case '}', ']' -> {
          depth--;
          put(b, target, maxBytes);
        }
        default -> put(b, target, maxBytes);
      }
    }
  }

  private void copyWord(int first, GrowingBuffer target, int maxBytes) throws IOException {
    put(first, target, maxBytes);
    while (true) {
      int b = peek();
      if (b < 0 || b == ',' || b == '}' || b == ']' || isSpace(b)) {
        return;
      }
      position++;
      put(b, target, maxBytes);
    }
  }

  private void put(int b, GrowingBuffer target, int maxBytes) {
    if (b < 0) {
      throw malformedBody("ends early");
    }
    if (target.size >= maxBytes) {
      throw GatewayError.of(ErrorCode.PAYLOAD_TOO_LARGE).toException();
    }
    target.write(b);
    if (target.size > reportedBytes) {
      reportMemory(2L * target.size);
    }
  }

  private void reportMemory(long bytes) {
    if (bytes > reportedBytes) {
      reportedBytes = bytes;
      memoryListener.accept(bytes);
    }
  }

  private int next() throws IOException {
    int b = peek();
    position += b < 0 ? 0 : 1;
    return b;
  }

  private int peek() throws IOException {
    if (position == limit) {
      consumedBytes += limit;
      position = 0;
      limit = Math.max(0, in.read(buffer, 0, buffer.length));
      if (limit == 0) {
        return -1;
      }
    }
    return buffer[position] & 0xFF;
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

  private RuntimeException malformedBody(String problem) {
    return invalid(
        JsonPointer.ROOT, "the body " + problem + ", at byte " + (consumedBytes + position));
  }

  private static RuntimeException invalid(JsonPointer at, String problem) {
    return GatewayError.of(ErrorCode.INVALID_REQUEST, List.of(new Problem(at, problem, "")))
        .toException();
  }
}
