package io.strowger.providers.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Iterator;
import java.util.Locale;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.ProtocolVersion;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.util.CharArrayBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the response heads of one connection. Anything other than a head is refused with a {@link
 * ProtocolException} or another {@link IOException}, even where the parser fails in ways it does
 * not declare. A head with two different body lengths is refused too, since the start of the next
 * response would be unknown.
 */
final class ResponseHeadReader {
  private static final int LOWEST_STATUS = 100;
  private static final int HIGHEST_STATUS = 599;
  private static final int NO_BODY = 204;
  private static final int NOT_MODIFIED = 304;
  private static final int SWITCHING_PROTOCOLS = 101;
  private static final int FIRST_FINAL_STATUS = 200;

  /** The maximum number of interim (1xx) responses before the final one; each is discarded. */
  private static final int MAX_INTERIM = 100;

  /** The maximum size of a head; up to one buffer more may have been read. */
  private static final int MAX_BYTES = 64 << 10;

  private static final Http1Config HEADER_LIMITS =
      Http1Config.custom().setMaxHeaderCount(200).build();

  private final Parser parser = new Parser();

  /**
   * A head, and how the connection continues.
   *
   * @param framing how its body ends
   * @param length the body's length in bytes; -1 when it is unknown
   * @param persistent whether the connection can be reused once the body was read
   */
  record Head(ClassicHttpResponse message, Framing framing, long length, boolean persistent) {}

  /** How a body ends. */
  enum Framing {
    NONE,
    LENGTH,
    CHUNKS,
    END_OF_CONNECTION
  }

  /** Reads the next head that is not an interim response. */
  Head next(InputBuffer from) throws IOException, HttpException {
    for (int interim = 0; interim <= MAX_INTERIM; interim++) {
      ClassicHttpResponse message = parse(from);
      if (message.getCode() >= FIRST_FINAL_STATUS) {
        return toHead(message);
      }
    }
    throw new ProtocolException("more than " + MAX_INTERIM + " interim responses");
  }

  private ClassicHttpResponse parse(InputBuffer from) throws IOException, HttpException {
    from.boundLines(MAX_BYTES);
    try {
      ClassicHttpResponse message = parser.parse(from, InputStream.nullInputStream());
      if (from.isEnded()) {
        throw new ConnectionClosedException("closed before the head of the response was complete");
      }
      check(message);
      return message;
    } catch (HttpException | RuntimeException malformed) {
      if (from.isEnded() && parser.beganLikeHttp) {
        throw new ConnectionClosedException("closed inside the head of the response");
      }
      throw new ProtocolException("a head that cannot be read: " + malformed.getMessage());
    }
  }

  private static void check(ClassicHttpResponse message) throws ProtocolException {
    int status = message.getCode();
    if (status < LOWEST_STATUS || status > HIGHEST_STATUS) {
      throw new ProtocolException("a status out of range: " + status);
    }
    if (status == SWITCHING_PROTOCOLS) {
      throw new ProtocolException("a switch of protocols that was not requested");
    }
    ProtocolVersion version = message.getVersion();
    if (version != null && version.greaterEquals(HttpVersion.HTTP_2)) {
      throw new ProtocolException("an unsupported version of HTTP: " + version);
    }
  }

  private static Head toHead(ClassicHttpResponse message) throws ProtocolException {
    var framing = new FramingHeaders();
    for (Iterator<Header> headers = message.headerIterator(); headers.hasNext(); ) {
      framing.addHeader(headers.next());
    }
    int status = message.getCode();
    ProtocolVersion version = message.getVersion();
    boolean persistent =
        !framing.close
            && (framing.keepAlive
                || version == null
                || version.greaterEquals(HttpVersion.HTTP_1_1));
    if (status == NO_BODY || status == NOT_MODIFIED) {
      boolean hasNoBytes = status == NOT_MODIFIED || framing.length <= 0 && !framing.chunked;
      return new Head(message, Framing.NONE, 0, persistent && hasNoBytes && !framing.isAmbiguous());
    }
    if (framing.chunked) {
      return new Head(message, Framing.CHUNKS, -1, persistent && !framing.isAmbiguous());
    }
    return framing.length >= 0
        ? new Head(message, Framing.LENGTH, framing.length, persistent && !framing.isAmbiguous())
        : new Head(message, Framing.END_OF_CONNECTION, -1, false);
  }

  /** The headers about the body and the connection. */
  private static final class FramingHeaders {
    private long length = -1;
    private int lengths;
    private boolean chunked;
    private boolean close;
    private boolean keepAlive;

    void addHeader(Header header) throws ProtocolException {
      String name = header.getName();
      if (name.equalsIgnoreCase(HttpHeaders.CONTENT_LENGTH)) {
        addLength(header.getValue());
      } else if (name.equalsIgnoreCase(HttpHeaders.TRANSFER_ENCODING)) {
        addCoding(header.getValue());
      } else if (name.equalsIgnoreCase(HttpHeaders.CONNECTION)) {
        addConnection(header.getValue());
      }
    }

    /** Returns whether there is a second length, or a length beside chunks, even if equal. */
    boolean isAmbiguous() {
      return lengths > 1 || lengths > 0 && chunked;
    }

    private void addLength(@Nullable String value) throws ProtocolException {
      long number = parseNumber(value);
      if (lengths++ > 0 && number != length) {
        throw new ProtocolException("two content lengths");
      }
      length = number;
    }

    private static long parseNumber(@Nullable String value) throws ProtocolException {
      String digits = value == null ? "" : value;
      boolean isNumber = !digits.isEmpty();
      for (int i = 0; i < digits.length(); i++) {
        isNumber &= digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
      }
      try {
        if (isNumber) {
          return Long.parseLong(digits);
        }
      } catch (NumberFormatException tooLong) {
        // the exception below covers this too
      }
      throw new ProtocolException("a content length that is no number");
    }

    private void addCoding(@Nullable String value) throws ProtocolException {
      if (chunked) {
        throw new ProtocolException("two transfer encodings");
      }
      if (value == null || !value.equalsIgnoreCase("chunked")) {
        throw new ProtocolException("a transfer encoding other than chunked");
      }
      chunked = true;
    }

    private void addConnection(@Nullable String value) {
      String options = value == null ? "" : value.toLowerCase(Locale.ROOT);
      close |= options.contains("close");
      keepAlive |= options.contains("keep-alive");
    }
  }

  /** Remembers whether a first line that was cut off began like HTTP. */
  private static final class Parser extends DefaultHttpResponseParser {
    private static final String PROTOCOL = "HTTP/";

    private boolean beganLikeHttp = true;

    Parser() {
      super(HEADER_LIMITS);
    }

    @Override
    protected ClassicHttpResponse createMessage(CharArrayBuffer line)
        throws IOException, HttpException {
      int length = Math.min(PROTOCOL.length(), line.length());
      beganLikeHttp = PROTOCOL.startsWith(line.substring(0, length));
      return super.createMessage(line);
    }
  }
}
