package io.strowger.host.server;

import io.helidon.webserver.CloseConnectionException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides where each request of a connection begins and ends, and hands requests to the web
 * server's parser in one plain form.
 *
 * <p>Whoever smuggles a request needs two recipients that disagree about the length of another. So
 * exactly one place here reads lengths, chunk sizes and line ends, by the letter of RFC 9112;
 * whatever could be understood in two ways is refused and the connection is closed. What the parser
 * behind it gets has one length field, no chunk extension, no trailer and no other version than
 * 1.1, which lets clients use all of these although that parser knows none of them.
 *
 * <p>Confined to the connection's thread.
 */
final class RequestFraming implements Supplier<byte @Nullable []> {
  private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] LINE_END = "\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int MAX_CHUNK_LINE = 1024;
  private static final int MAX_SIZE_DIGITS = 15;

  /** Of a whole body: extensions are overhead that nothing else bounds. */
  private static final int MAX_EXTENSIONS = 8 * 1024;

  private static final int MAX_TRAILERS = 8 * 1024;
  private static final Set<String> NEVER_TRAILERS =
      Set.of("content-length", "transfer-encoding", "host");

  private static final int BAD_REQUEST = 400;
  private static final int TOO_LARGE = 413;
  private static final int FIELDS_TOO_LARGE = 431;

  private enum Part {
    HEAD,
    COUNTED_BODY,
    CHUNKS
  }

  private final ReadAhead source;
  private final PendingConnections heads;
  private final long connection; // what it costs
  private final ConnectionInput input;
  private final long largestBody;
  private PendingConnections.@Nullable Waiting waiting; // for a head
  private Part next = Part.HEAD;
  private @Nullable RequestHead untaken; // handed to the parser, and not yet served
  private long left; // bytes of the body or chunk that are still to come
  private boolean inChunk; // its data began, its line end was not read
  private long received; // of a body in chunks
  private int extensions;

  /**
   * @param heads bounds what connections have sent whose requests nobody knows yet
   * @param connection what this one costs, {@link PendingConnections#PLAIN} or {@link
   *     PendingConnections#TLS}
   * @param largestBody the most bytes of a body in chunks; the web server bounds the others
   */
  RequestFraming(ReadAhead source, PendingConnections heads, long connection, long largestBody) {
    this.source = source;
    this.heads = heads;
    this.connection = connection;
    this.input = new ConnectionInput(this::piece);
    this.largestBody = largestBody;
  }

  /**
   * Returns the head of the request that is about to be served, each head once. Should the web
   * server ever take for a request what is none here, it finds no head and nothing is served.
   *
   * @throws CloseConnectionException when no request began here since the last one was taken
   */
  RequestHead take() {
    RequestHead head = untaken;
    if (head == null) {
      throw new CloseConnectionException("the web server sees a request where none begins");
    }
    untaken = null;
    return head;
  }

  /**
   * Reads the rest of the body and drops it. For a connection that is about to be closed.
   *
   * @param most stops after about so many bytes
   * @throws RuntimeException when the client broke off, or sends what is not HTTP
   */
  void drop(long most) {
    for (long dropped = 0; next != Part.HEAD && dropped < most; ) {
      byte[] bytes = get();
      if (bytes == null) {
        return;
      }
      dropped += bytes.length;
    }
  }

  /** Returns the next bytes in plain form; null at the end of the input. */
  @Override
  public byte @Nullable [] get() {
    return switch (next) {
      case HEAD -> head();
      case COUNTED_BODY -> counted();
      case CHUNKS -> chunk();
    };
  }

  private byte @Nullable [] piece() {
    byte[] bytes = source.get();
    PendingConnections.Waiting head = waiting;
    if (bytes != null && head != null) {
      heads.received(head, bytes.length);
    }
    return bytes;
  }

  private @Nullable RequestHead nextHead() {
    PendingConnections.Waiting head = heads.enter(connection);
    waiting = head;
    try {
      return input.fill() ? RequestHead.read(input) : null;
    } finally {
      waiting = null;
      heads.leave(head);
    }
  }

  private byte @Nullable [] head() {
    source.nextRequest(!input.isEmpty());
    RequestHead head = nextHead();
    if (head == null) {
      return null;
    }
    if (untaken != null) {
      throw new CloseConnectionException("the web server has passed over a request");
    }
    untaken = head;
    left = Math.max(0, head.length());
    received = 0;
    extensions = 0;
    inChunk = false;
    if (head.length() == RequestHead.CHUNKED) {
      next = Part.CHUNKS;
    } else if (left > 0) {
      next = Part.COUNTED_BODY;
    }
    return head.plain();
  }

  private byte @Nullable [] counted() {
    byte[] bytes = input.some(left);
    if (bytes != null) {
      left -= bytes.length;
      if (left == 0) {
        next = Part.HEAD;
      }
    }
    return bytes;
  }

  private byte[] chunk() {
    if (left == 0) {
      beginChunk();
      if (left == 0) {
        trailers();
        next = Part.HEAD;
        return LAST_CHUNK;
      }
    }
    byte[] data = input.some(left);
    if (data == null) {
      throw new CloseConnectionException("the client closed in the middle of a chunk");
    }
    left -= data.length;
    return plain(data);
  }

  private void beginChunk() {
    if (inChunk && !input.line(0, BAD_REQUEST).isEmpty()) {
      throw Refusals.malformed("a chunk is longer than it says");
    }
    left = chunkSize(input.line(MAX_CHUNK_LINE, BAD_REQUEST));
    inChunk = left > 0;
    received += left;
    if (received > largestBody) {
      throw Refusals.refused(TOO_LARGE, "the body is too large");
    }
  }

  /** Reads hexadecimal digits and nothing else, but for extensions, which are dropped. */
  private long chunkSize(String line) {
    int digits = 0;
    while (digits < line.length() && isHex(line.charAt(digits))) {
      digits++;
    }
    if (digits == 0 || digits > MAX_SIZE_DIGITS || !isExtension(line.substring(digits))) {
      throw Refusals.malformed("a chunk does not begin with its size");
    }
    extensions += line.length() - digits;
    if (extensions > MAX_EXTENSIONS) {
      throw Refusals.malformed("the chunks have more extensions than anybody needs");
    }
    return Long.parseLong(line, 0, digits, 16);
  }

  private static boolean isHex(char c) {
    return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F';
  }

  private static boolean isExtension(String text) {
    int first = 0;
    while (first < text.length() && FieldLine.isBlank(text.charAt(first))) {
      first++;
    }
    return text.isEmpty()
        || first < text.length() && text.charAt(first) == ';' && FieldLine.isText(text);
  }

  /** Trailers are read and dropped, as RFC 9110, 6.5.1 allows; those that frame are refused. */
  private void trailers() {
    int room = MAX_TRAILERS;
    for (String line = input.line(room, FIELDS_TOO_LARGE);
        !line.isEmpty();
        line = input.line(room, FIELDS_TOO_LARGE)) {
      room -= line.length() + 2;
      if (NEVER_TRAILERS.contains(FieldLine.parse(line).name().toLowerCase(Locale.ROOT))) {
        throw Refusals.malformed("a trailer that belongs in the head");
      }
    }
  }

  private static byte[] plain(byte[] data) {
    byte[] size = Integer.toHexString(data.length).getBytes(StandardCharsets.US_ASCII);
    var chunk = new ByteArrayOutputStream(data.length + size.length + 4);
    chunk.writeBytes(size);
    chunk.writeBytes(LINE_END);
    chunk.writeBytes(data);
    chunk.writeBytes(LINE_END);
    return chunk.toByteArray();
  }
}
