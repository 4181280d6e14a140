package io.strowger.providers.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.io.HttpMessageParser;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.util.CharArrayBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the heads of the responses of one connection. Whatever comes instead of a head is refused
 * with a {@link ProtocolException} or another {@link IOException}, also where the parser fails in
 * ways it does not declare. A head whose body would have two lengths is refused too: nobody can say
 * where the next response begins.
 */
final class ResponseHeads implements HttpMessageParser<ClassicHttpResponse> {
  private static final int LOWEST_STATUS = 100;
  private static final int HIGHEST_STATUS = 599;
  private static final int NO_BODY = 204;
  private static final int SWITCHING_PROTOCOLS = 101;
  private static final int FINAL = 200;

  /** Servers repeat a few while they work; each is read and forgotten. */
  private static final int MOST_INTERIM = 100;

  private final Parser parser;
  private final int mostBytes;
  private @Nullable SessionInputBuffer buffer;
  private int interim;

  /**
   * @param mostBytes of one head, give or take the connection's buffer
   */
  ResponseHeads(Http1Config config, int mostBytes) {
    this.parser = new Parser(config);
    this.mostBytes = mostBytes;
  }

  /** A new exchange begins. */
  void begin() {
    interim = 0;
  }

  /** True when bytes were read from the connection that belong to no response yet. */
  boolean hasBuffered() {
    SessionInputBuffer read = buffer;
    return read != null && read.length() > 0;
  }

  @Override
  public ClassicHttpResponse parse(SessionInputBuffer from, InputStream in)
      throws IOException, HttpException {
    buffer = from;
    var bounded = new Bounded(in, mostBytes);
    try {
      ClassicHttpResponse head = parser.parse(from, bounded);
      if (bounded.ended) {
        throw new ConnectionClosedException("closed before the head of the response was complete");
      }
      check(head);
      return head;
    } catch (HttpException | RuntimeException malformed) {
      if (bounded.ended && parser.spokeHttp) {
        throw new ConnectionClosedException("closed inside the head of the response");
      }
      throw new ProtocolException("a head that cannot be read: " + malformed.getMessage());
    }
  }

  private void check(ClassicHttpResponse head) throws ProtocolException {
    int status = head.getCode();
    if (status < LOWEST_STATUS || status > HIGHEST_STATUS) {
      throw new ProtocolException("a status out of range: " + status);
    }
    if (status == SWITCHING_PROTOCOLS) {
      throw new ProtocolException("a switch of protocols nobody asked for");
    }
    if (status < FINAL && ++interim > MOST_INTERIM) {
      throw new ProtocolException("more than " + MOST_INTERIM + " interim responses");
    }
    checkLength(head);
  }

  private static void checkLength(ClassicHttpResponse head) throws ProtocolException {
    String length = null;
    for (Header header : head.getHeaders(HttpHeaders.CONTENT_LENGTH)) {
      String value = header.getValue();
      if (value == null || !isNumber(value)) {
        throw new ProtocolException("a content length that is no number");
      }
      if (length != null && !length.equals(value)) {
        throw new ProtocolException("two content lengths");
      }
      length = value;
    }
    if (head.getHeaders(HttpHeaders.TRANSFER_ENCODING).length > 1) {
      throw new ProtocolException("two transfer encodings");
    }
  }

  private static boolean isNumber(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < '0' || value.charAt(i) > '9') {
        return false;
      }
    }
    return !value.isEmpty();
  }

  /** True when what follows the response on the connection is certain. */
  static boolean isFramed(ClassicHttpResponse head) {
    boolean length = head.containsHeader(HttpHeaders.CONTENT_LENGTH);
    boolean coded = head.containsHeader(HttpHeaders.TRANSFER_ENCODING);
    return !(length && coded) && !(head.getCode() == NO_BODY && coded);
  }

  /** Remembers whether the first line was the beginning of one of HTTP, should it be cut. */
  private static final class Parser extends DefaultHttpResponseParser {
    private static final String PROTOCOL = "HTTP/";

    private boolean spokeHttp = true;

    Parser(Http1Config config) {
      super(config);
    }

    @Override
    protected ClassicHttpResponse createMessage(CharArrayBuffer line)
        throws IOException, HttpException {
      spokeHttp =
          PROTOCOL.startsWith(line.substring(0, Math.min(PROTOCOL.length(), line.length())));
      return super.createMessage(line);
    }
  }

  /** The connection's bytes, of which a head may have so many. */
  private static final class Bounded extends FilterInputStream {
    private int left;
    private boolean ended;

    Bounded(InputStream in, int most) {
      super(in);
      left = most;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (left <= 0) {
        throw new MessageConstraintException("a head that does not end");
      }
      int read = super.read(into, offset, length);
      ended = ended || read < 0;
      left -= Math.max(0, read);
      return read;
    }
  }
}
