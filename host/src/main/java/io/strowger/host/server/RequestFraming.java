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
  private static final Set<String> FORBIDDEN_TRAILERS =
      Set.of("content-length", "transfer-encoding", "host");

  private static final int DROP_BUFFER_SIZE = 8 * 1024;
  private static final int BAD_REQUEST = 400;
  private static final int TOO_LARGE = 413;

  private enum Part {
    HEAD,
    COUNTED_BODY,
    CHUNKS
  }

  private final ConnectionReader source;
  private final PendingConnections pending;
  private final long connectionCost; // the memory it is charged with
  private final ConnectionInput input;
  private final long maxBodyBytes;
  private final AtomicReference<PendingConnections.@Nullable Waiting> waiting =
      new AtomicReference<>(); // set while the connection is counted as waiting for a head
  private boolean isFirst = true;
  private boolean inHead;
  private int uncountedBytes; // bytes of the head that the connection has not been charged with
  // at the previous round of the sweep; confined to the sweep
  private ConnectionReader.@Nullable Wait lastSweptWait;
  private Part next = Part.HEAD;
  private long remaining; // bytes of the body or chunk not read yet
  private boolean inChunk; // the line end after the chunk's data has not been read
  private long receivedBytes; // of a chunked body
  private int extensionChars;

  /**
   * @param pending bounds the memory of connections that wait for a head
   * @param connectionCost the memory this connection is charged with: {@link
   *     PendingConnections#PLAIN_COST} or {@link PendingConnections#TLS_COST}
   * @param maxBodyBytes the most bytes of a request body
   */
  RequestFraming(
      ConnectionReader source, PendingConnections pending, long connectionCost, long maxBodyBytes) {
    this.source = source;
    this.pending = pending;
    this.connectionCost = connectionCost;
    this.input = new ConnectionInput(this::receive);
    this.maxBodyBytes = maxBodyBytes;
  }

  private byte @Nullable [] receive() {
    if (inHead && uncountedBytes > 0) {
      count(uncountedBytes); // a head that is received in one piece is not charged
      uncountedBytes = 0;
    }
    byte[] bytes = source.readBytes();
    if (inHead && bytes != null) {
      uncountedBytes += bytes.length;
    }
    return bytes;
  }

  private void count(int bytes) {
    PendingConnections.Waiting entry = waiting.get();
    if (entry == null) {
      var newEntry = enter();
      entry = waiting.compareAndSet(null, newEntry) ? newEntry : waiting.get();
      if (entry != newEntry) {
        pending.forget(newEntry); // the sweep has set an entry meanwhile
      }
    }
    if (entry != null) {
      pending.received(entry, bytes);
    }
  }

  private PendingConnections.Waiting enter() {
    return pending.enter(connectionCost, () -> source.stop(PendingConnections.CLOSE_REASON));
  }

  /**
   * Counts the connection as waiting for a head if it was already waiting for the same one at the
   * previous call. Called by the sweep, so a connection that soon sends its next request costs
   * nothing.
   */
  void countWhenWaiting() {
    ConnectionReader.Wait wait = source.headWait();
    boolean isUnchanged = wait != null && wait == lastSweptWait;
    lastSweptWait = wait;
    if (!isUnchanged || waiting.get() != null) {
      return;
    }
    PendingConnections.Waiting entry = enter();
    if (!waiting.compareAndSet(null, entry)) {
      pending.forget(entry);
    } else if (source.headWait() != wait && waiting.compareAndSet(entry, null)) {
      pending.forget(
          entry); // the head was received meanwhile, before its thread could see this entry
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
    if (head.length() > maxBodyBytes) {
      throw HttpError.refusal(TOO_LARGE, "the body is too large");
    }
    source.endHead();
    remaining = Math.max(0, head.length());
    receivedBytes = 0;
    extensionChars = 0;
    inChunk = false;
    if (head.length() == RequestHead.CHUNKED) {
      next = Part.CHUNKS;
    } else if (remaining > 0) {
      next = Part.COUNTED_BODY;
    }
    return head;
  }

  private void dropSmall() {
    try {
      drop(Long.MAX_VALUE);
    } catch (RuntimeException e) {
      throw new CloseConnectionException("the rest of the request could not be read", e);
    }
  }

  private @Nullable RequestHead waitForHead() {
    if (isFirst) {
      isFirst = false;
      // counted at once: many connections can be opened between two rounds of the sweep
      waiting.set(enter());
    }
    inHead = true;
    uncountedBytes = 0;
    try {
      return input.awaitMessage() ? RequestHead.read(input) : null;
    } finally {
      inHead = false;
      PendingConnections.Waiting entry = waiting.getAndSet(null);
      if (entry != null) {
        pending.leave(entry);
      }
    }
  }

  /**
   * Reads and drops the rest of the body.
   *
   * @param maxBytes stops after about this many bytes
   * @throws RuntimeException when the connection broke or the body is not valid HTTP
   */
  void drop(long maxBytes) {
    if (next == Part.HEAD) {
      return;
    }
    byte[] into = new byte[DROP_BUFFER_SIZE];
    for (long dropped = 0; next != Part.HEAD && dropped < maxBytes; ) {
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
    if (next == Part.CHUNKS && remaining == 0) {
      beginChunk();
      if (remaining == 0) {
        dropTrailers();
        next = Part.HEAD;
        return -1;
      }
    }
    int count = readSome(into, from, (int) Math.min(remaining, length));
    if (count < 0) {
      throw new CloseConnectionException("the client closed in the middle of its request");
    }
    remaining -= count;
    if (remaining == 0 && next == Part.COUNTED_BODY) {
      next = Part.HEAD;
    }
    return count;
  }

  private int readSome(byte[] into, int from, int maxLength) {
    if (input.isEmpty() && source.supportsDirectRead()) {
      return source.read(into, from, maxLength);
    }
    return input.fill() ? input.take(into, from, maxLength) : -1;
  }

  private void beginChunk() {
    if (inChunk && !input.readLine(0, BAD_REQUEST).isEmpty()) {
      throw HttpError.malformed("a chunk is longer than it says");
    }
    remaining = chunkSize(input.readLine(MAX_CHUNK_LINE, BAD_REQUEST));
    inChunk = remaining > 0;
    receivedBytes += remaining;
    if (receivedBytes > maxBodyBytes) {
      throw HttpError.refusal(TOO_LARGE, "the body is too large");
    }
  }

  /** Parses the hexadecimal size of a chunk; extensions may follow and are ignored. */
  private long chunkSize(String line) {
    int digits = 0;
    while (digits < line.length() && isHex(line.charAt(digits))) {
      digits++;
    }
    if (digits == 0 || digits > MAX_SIZE_DIGITS || !isExtension(line.substring(digits))) {
      throw HttpError.malformed("a chunk does not begin with its size");
    }
    extensionChars += line.length() - digits;
    if (extensionChars > MAX_EXTENSIONS) {
      throw HttpError.malformed("the chunk extensions are too long");
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
  private void dropTrailers() {
    int room = MAX_TRAILERS;
    for (FieldLine field = FieldLine.next(input, room);
        field != null;
        field = FieldLine.next(input, room)) {
      room -= input.lineLength() + 2;
      if (FORBIDDEN_TRAILERS.contains(field.name().toLowerCase(Locale.ROOT))) {
        throw HttpError.malformed("a trailer holds a field of the head");
      }
    }
  }
}
