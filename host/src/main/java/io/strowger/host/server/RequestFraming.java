package io.strowger.host.server;

import io.helidon.webserver.CloseConnectionException;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Decides where each request of a connection begins and ends.
 *
 * <p>Whoever smuggles a request needs two recipients that disagree about the length of another. So
 * exactly one place here reads lengths, chunk sizes and line ends, by the letter of RFC 9112;
 * whatever could be understood in two ways is refused and the connection is closed.
 *
 * <p>Confined to the connection's thread, but for {@link #countWhenWaiting}.
 */
final class RequestFraming {
  private static final int MAX_CHUNK_LINE = 1024;
  private static final int MAX_SIZE_DIGITS = 15;

  /** Of a whole body: extensions are overhead that nothing else bounds. */
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
  private final long connection; // what it costs
  private final ConnectionInput input;
  private final long largestBody;
  private final AtomicReference<PendingConnections.@Nullable Waiting> waiting =
      new AtomicReference<>(); // for a head, and so long that it is counted
  private boolean isFirst = true;
  private boolean inHead;
  private int uncounted; // bytes of the head that its connection was not charged for yet
  private ConnectionReader.@Nullable Wait seen; // in the last round of the sweep; belongs to it
  private Part next = Part.HEAD;
  private long left; // bytes of the body or chunk that are still to come
  private boolean inChunk; // its data began, its line end was not read
  private long received; // of a body in chunks
  private int extensions;

  /**
   * @param heads bounds what connections have sent whose requests nobody knows yet
   * @param connection what this one costs, {@link PendingConnections#PLAIN} or {@link
   *     PendingConnections#TLS}
   * @param largestBody the most bytes of a body
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
      count(uncounted); // a head that comes in one piece needs no account
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
        heads.forget(mine); // the sweep came first
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
   * Counts the connection among those that wait for a head if it did so already the last time this
   * was called. For the sweep: a connection whose next request comes soon pays nothing.
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
      heads.forget(mine); // the head came meanwhile, and its thread has seen nothing to leave
    }
  }

  /**
   * Drops what is left of the body, and waits for the head of the next request.
   *
   * @return null at the end of the input
   * @throws io.helidon.http.RequestException when it is not one, or one that two recipients could
   *     understand differently
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
      waiting.set(enter()); // at once: they can come faster than any sweep
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
   * @param most stops after about so many bytes
   * @throws RuntimeException when the client broke off, or sends what is not HTTP
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

  /** Returns true when the body of the request was read to its end. */
  boolean atEnd() {
    return next == Part.HEAD;
  }

  /**
   * Reads from the body, and waits for it.
   *
   * @return how many bytes were put into the array; -1 at the end of the body
   * @throws io.helidon.http.RequestException when it is no proper body, or larger than allowed
   * @throws CloseConnectionException when the client broke off
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

  /** Reads hexadecimal digits and nothing else, but for extensions, which are dropped. */
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

  /** Trailers are read and dropped, as RFC 9110, 6.5.1 allows; those that frame are refused. */
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
