package io.strowger.host.server;

import io.helidon.webserver.CloseConnectionException;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Decides where each request of a connection begins and ends.
 *
 * <p>Request smuggling needs two recipients that disagree about the length of a request. So
 * lengths, chunk sizes and line ends are parsed strictly by RFC 9112; ambiguous input is refused
 * and the connection is closed.
 *
 * <p>Confined to the connection's thread, except {@link #countWhenWaiting}, which the sweep calls.
 */
final class RequestFraming {
  private static final int MAX_CHUNK_LINE = 1024;
  private static final int MAX_SIZE_DIGITS = 15;

  /** The most characters of chunk extensions in one body; nothing else limits them. */
  private static final int MAX_EXTENSIONS = 8 * 1024;

  private static final int MAX_TRAILERS = 8 * 1024;
  private static final Set<String> NEVER_TRAILERS =
      Set.of("content-length", "transfer-encoding", "host");

  private static final int DROPPED_AT_ONCE = 8 * 1024;
  private static final int BAD_REQUEST = 400;
  private static final int TOO_LARGE = 413;

  private enum Part {
    HEAD,
    COUNTED_BODY,
    CHUNKS
  }

  private final ConnectionReader source;
  private final PendingConnections heads;
  private final long connection; // the memory it is charged with
  private final ConnectionInput input;
  private final long largestBody;
  private final AtomicReference<PendingConnections.@Nullable Waiting> waiting =
      new AtomicReference<>(); // set while the connection is counted as waiting for a head
  private boolean isFirst = true;
  private boolean inHead;
  private int uncounted; // bytes of the head that the connection has not been charged with
  // at the previous round of the sweep; confined to the sweep
  private ConnectionReader.@Nullable Wait seen;
  private Part next = Part.HEAD;
  private long left; // bytes of the body or chunk not read yet
  private boolean inChunk; // the line end after the chunk's data has not been read
  private long received; // of a chunked body
  private int extensions;

  /**
   * @param heads bounds the memory of connections that wait for a head
   * @param connection the memory this connection is charged with: {@link PendingConnections#PLAIN}
   *     or {@link PendingConnections#TLS}
   * @param largestBody the most bytes of a request body
   */
  RequestFraming(
      ConnectionReader source, PendingConnections heads, long connection, long largestBody) {
    this.source = source;
    this.heads = heads;
    this.connection = connection;
    this.input = new ConnectionInput(this::piece);
    this.largestBody = largestBody;
  }

  private byte @Nullable [] piece() {
    if (inHead && uncounted > 0) {
      count(uncounted); // a head that is received in one piece is not charged
      uncounted = 0;
    }
    byte[] bytes = source.get();
    if (inHead && bytes != null) {
      uncounted += bytes.length;
    }
    return bytes;
  }

  private void count(int bytes) {
    PendingConnections.Waiting head = waiting.get();
    if (head == null) {
      var mine = enter();
      head = waiting.compareAndSet(null, mine) ? mine : waiting.get();
      if (head != mine) {
        heads.forget(mine); // the sweep was faster
      }
    }
    if (head != null) {
      heads.received(head, bytes);
    }
  }

  private PendingConnections.Waiting enter() {
    return heads.enter(connection, () -> source.stop(PendingConnections.GIVEN_UP));
  }

  /**
   * Counts the connection as waiting for a head if it was already waiting for the same one at the
   * previous call. Called by the sweep, so a connection that soon sends its next request costs
   * nothing.
   */
  void countWhenWaiting() {
    ConnectionReader.Wait wait = source.waitsForHead();
    boolean again = wait != null && wait == seen;
    seen = wait;
    if (!again || waiting.get() != null) {
      return;
    }
    PendingConnections.Waiting mine = enter();
    if (!waiting.compareAndSet(null, mine)) {
      heads.forget(mine);
    } else if (source.waitsForHead() != wait && waiting.compareAndSet(mine, null)) {
      heads.forget(mine); // the head was received meanwhile, before its thread could see this entry
    }
  }

  /**
   * Drops the rest of the current body, then waits for the head of the next request and returns it.
   *
   * @return null at the end of the input
   * @throws io.helidon.http.RequestException when the head is malformed or ambiguous, or declares
   *     too large a body
   * @throws CloseConnectionException when the body or the head broke off
   */
  @Nullable RequestHead nextHead() {
    dropSmall();
    source.nextRequest(!input.isEmpty());
    RequestHead head = waitForHead();
    if (head == null) {
      return null;
    }
    if (head.length() > largestBody) {
      throw ProtocolErrorResponder.refused(TOO_LARGE, "the body is too large");
    }
    source.headEnded();
    left = Math.max(0, head.length());
    received = 0;
    extensions = 0;
    inChunk = false;
    if (head.length() == RequestHead.CHUNKED) {
      next = Part.CHUNKS;
    } else if (left > 0) {
      next = Part.COUNTED_BODY;
    }
    return head;
  }

  private void dropSmall() {
    try {
      drop(Long.MAX_VALUE);
    } catch (RuntimeException e) {
      throw new CloseConnectionException("the client sent no proper rest of its request", e);
    }
  }

  private @Nullable RequestHead waitForHead() {
    if (isFirst) {
      isFirst = false;
      // counted at once: many connections can be opened between two rounds of the sweep
      waiting.set(enter());
    }
    inHead = true;
    uncounted = 0;
    try {
      return input.fill() ? RequestHead.read(input) : null;
    } finally {
      inHead = false;
      PendingConnections.Waiting head = waiting.getAndSet(null);
      if (head != null) {
        heads.leave(head);
      }
    }
  }

  /**
   * Reads and drops the rest of the body.
   *
   * @param most stops after about this many bytes
   * @throws RuntimeException when the connection broke or the body is not valid HTTP
   */
  void drop(long most) {
    if (next == Part.HEAD) {
      return;
    }
    byte[] into = new byte[DROPPED_AT_ONCE];
    for (long dropped = 0; next != Part.HEAD && dropped < most; ) {
      dropped += Math.max(0, read(into, 0, into.length));
    }
  }

  /** Returns whether the body of the request was read to its end. */
  boolean atEnd() {
    return next == Part.HEAD;
  }

  /**
   * Waits for the next bytes of the body and puts them into an array.
   *
   * @return the number of bytes read; -1 at the end of the body
   * @throws io.helidon.http.RequestException when the body is malformed or larger than allowed
   * @throws CloseConnectionException when the connection broke
   */
  int read(byte[] into, int from, int length) {
    if (next == Part.HEAD) {
      return -1;
    }
    if (length == 0) {
      return 0;
    }
    if (next == Part.CHUNKS && left == 0) {
      beginChunk();
      if (left == 0) {
        trailers();
        next = Part.HEAD;
        return -1;
      }
    }
    int count = some(into, from, (int) Math.min(left, length));
    if (count < 0) {
      throw new CloseConnectionException("the client closed in the middle of its request");
    }
    left -= count;
    if (left == 0 && next == Part.COUNTED_BODY) {
      next = Part.HEAD;
    }
    return count;
  }

  private int some(byte[] into, int from, int most) {
    if (input.isEmpty() && source.readsInPlace()) {
      return source.read(into, from, most);
    }
    return input.fill() ? input.take(into, from, most) : -1;
  }

  private void beginChunk() {
    if (inChunk && !input.line(0, BAD_REQUEST).isEmpty()) {
      throw ProtocolErrorResponder.malformed("a chunk is longer than it says");
    }
    left = chunkSize(input.line(MAX_CHUNK_LINE, BAD_REQUEST));
    inChunk = left > 0;
    received += left;
    if (received > largestBody) {
      throw ProtocolErrorResponder.refused(TOO_LARGE, "the body is too large");
    }
  }

  /** Parses the hexadecimal size of a chunk; extensions may follow and are ignored. */
  private long chunkSize(String line) {
    int digits = 0;
    while (digits < line.length() && isHex(line.charAt(digits))) {
      digits++;
    }
    if (digits == 0 || digits > MAX_SIZE_DIGITS || !isExtension(line.substring(digits))) {
      throw ProtocolErrorResponder.malformed("a chunk does not begin with its size");
    }
    extensions += line.length() - digits;
    if (extensions > MAX_EXTENSIONS) {
      throw ProtocolErrorResponder.malformed("the chunks have more extensions than anybody needs");
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

  /**
   * Reads and drops the trailers, as RFC 9110, 6.5.1 allows; refuses those that concern framing.
   */
  private void trailers() {
    int room = MAX_TRAILERS;
    for (FieldLine field = FieldLine.next(input, room);
        field != null;
        field = FieldLine.next(input, room)) {
      room -= input.lineLength() + 2;
      if (NEVER_TRAILERS.contains(field.name().toLowerCase(Locale.ROOT))) {
        throw ProtocolErrorResponder.malformed("a trailer that belongs in the head");
      }
    }
  }
}
