package io.strowger.host.server;

import io.strowger.core.wire.WireRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request, parsed strictly by RFC 9112.
 *
 * @param method the method in its original case; methods are case-sensitive
 * @param target in origin form, beginning with a slash, or {@code *}; not decoded
 * @param isHttp10 whether the client uses HTTP/1.0, and so cannot read chunks
 * @param closesConnection whether the connection is closed after this request's answer
 * @param length bytes of the body; {@link #CHUNKED} when it is sent in chunks
 * @param expectsContinue whether the client waits for {@code 100 Continue} before it sends the body
 * @param fields the fields without hop-by-hop fields. {@code Host} is taken from the target if the
 *     target has a host. Of the framing fields only {@code Content-Length} is kept
 */
record RequestHead(
    String method,
    String target,
    boolean isHttp10,
    boolean closesConnection,
    long length,
    boolean expectsContinue,
    Fields fields) {
  /** The length of a chunked body. */
  static final long CHUNKED = -1;

  private static final int MAX_REQUEST_LINE_BYTES = 8 * 1024;
  private static final int MAX_FIELDS_BYTES = 32 * 1024;
  private static final int URI_TOO_LONG = 414;
  private static final int NOT_IMPLEMENTED = 501;
  private static final int VERSION_NOT_SUPPORTED = 505;

  /** Returns the path, not decoded: what is before the first question mark. */
  String path() {
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query);
  }

  /** Returns the query, not decoded and without its question mark; empty when there is none. */
  String query() {
    int query = target.indexOf('?');
    return query < 0 ? "" : target.substring(query + 1);
  }

  /**
   * Reads the next head.
   *
   * @throws io.helidon.http.RequestException when the head is malformed or ambiguous
   */
  static RequestHead read(ConnectionInput input) {
    String line = input.readLine(MAX_REQUEST_LINE_BYTES, URI_TOO_LONG);
    if (line.isEmpty()) {
      // RFC 9112, 2.2: one empty line may precede the request line
      line = input.readLine(MAX_REQUEST_LINE_BYTES, URI_TOO_LONG);
    }
    int first = line.indexOf(' ');
    int last = line.lastIndexOf(' ');
    if (first < 0 || first == last) {
      throw HttpError.malformed("the request line does not have three parts");
    }
    String method = line.substring(0, first);
    if (!FieldLine.isToken(method)) {
      throw HttpError.malformed("the method is not a token");
    }
    var framing = new Framing(isHttp10(line.substring(last + 1)));
    var target = RequestTarget.parse(method, line.substring(first + 1, last));
    int room = MAX_FIELDS_BYTES;
    for (FieldLine field = FieldLine.next(input, room);
        field != null;
        field = FieldLine.next(input, room)) {
      room -= input.lineLength() + 2;
      framing.add(field);
    }
    return framing.head(method, target);
  }

  private static boolean isHttp10(String version) {
    return switch (version) {
      case "HTTP/1.1" -> false;
      case "HTTP/1.0" -> true;
      default -> {
        if (version.matches("HTTP/[0-9]\\.[0-9]")) {
          throw HttpError.refusal(VERSION_NOT_SUPPORTED, "neither HTTP/1.1 nor HTTP/1.0");
        }
        throw HttpError.malformed("the request line does not end with an HTTP version");
      }
    };
  }

  /**
   * The fields of a request, looked up by name, ignoring case.
   *
   * @param lines in the order of the head
   */
  record Fields(List<FieldLine> lines) implements WireRequest.Headers {
    @Override
    public @Nullable String first(String name) {
      for (int i = 0;
          i < lines.size();
          i++) { // avoids an iterator, since each request looks up several fields
        FieldLine line = lines.get(i);
        if (line.name().equalsIgnoreCase(name)) {
          return line.value();
        }
      }
      return null;
    }

    @Override
    public List<String> all(String name) {
      List<String> values = List.of();
      for (FieldLine line : lines) {
        if (line.name().equalsIgnoreCase(name)) {
          values = values.isEmpty() ? new ArrayList<>(2) : values;
          values.add(line.value());
        }
      }
      return values;
    }
  }

  /**
   * Collects the fields of a head; keeps those that concern framing and the connection separately.
   */
  private static final class Framing {
    private static final int USUAL_FIELD_COUNT = 12;

    private final boolean isHttp10;
    private final List<FieldLine> otherFields = new ArrayList<>(USUAL_FIELD_COUNT);
    private @Nullable String host;
    private @Nullable String contentLength;
    private @Nullable String transferCoding;
    private boolean closesConnection;
    private boolean expectsContinue;

    Framing(boolean isHttp10) {
      this.isHttp10 = isHttp10;
      this.closesConnection = isHttp10;
    }

    void add(FieldLine field) {
      switch (field.name().toLowerCase(Locale.ROOT)) {
        case "host" -> host = requireFirst(host, field);
        case "content-length" -> contentLength = requireFirst(contentLength, field);
        case "transfer-encoding" -> transferCoding = requireFirst(transferCoding, field);
        case "connection" -> closesConnection |= field.hasToken("close");
        case "expect" -> expectsContinue |= field.value().equalsIgnoreCase("100-continue");
        case "keep-alive", "proxy-connection", "te", "trailer", "upgrade", "http2-settings" -> {
          // hop-by-hop fields are dropped; connections are not upgraded, and trailers are not used
        }
        case "x-helidon-cn" -> {
          // the web server's name for a client certificate, never taken from the client
        }
        default -> otherFields.add(field);
      }
    }

    private static String requireFirst(@Nullable String previous, FieldLine field) {
      if (previous != null) {
        throw HttpError.malformed("the field " + field.name() + " occurs more than once");
      }
      return field.value();
    }

    RequestHead head(String method, RequestTarget target) {
      String authority = authority(target);
      long body = bodyLength();
      otherFields.add(new FieldLine("Host", authority));
      if (contentLength != null) {
        otherFields.add(new FieldLine("Content-Length", Long.toString(body)));
      }
      return new RequestHead(
          method,
          target.origin(),
          isHttp10,
          closesConnection,
          body,
          expectsContinue && body != 0 && !isHttp10,
          new Fields(otherFields));
    }

    /**
     * Returns the host: that of an absolute target, else of the Host field (RFC 9112, 3.2.2);
     * HTTP/1.0 needs neither.
     */
    private String authority(RequestTarget target) {
      if (host == null && !isHttp10) {
        throw HttpError.malformed("the Host field is missing");
      }
      String authority = target.authority() == null ? host : target.authority();
      if (authority == null) {
        return "localhost";
      }
      if (!RequestTarget.isAuthority(authority)) {
        throw HttpError.malformed("the host is not valid");
      }
      return authority;
    }

    private long bodyLength() {
      if (transferCoding != null) {
        // RFC 9112, 6.1: with HTTP/1.0 or a Content-Length this may be request smuggling
        if (isHttp10 || contentLength != null) {
          throw HttpError.malformed("Transfer-Encoding with HTTP/1.0 or Content-Length");
        }
        if (!transferCoding.equalsIgnoreCase("chunked")) {
          throw HttpError.refusal(NOT_IMPLEMENTED, "a transfer coding other than chunked");
        }
        return CHUNKED;
      }
      return contentLength == null ? 0 : number(contentLength);
    }

    private static long number(String digits) {
      boolean isNumber =
          !digits.isEmpty()
              && digits.length() <= 18
              && digits.chars().allMatch(c -> c >= '0' && c <= '9');
      if (!isNumber) {
        throw HttpError.malformed("Content-Length is not a number");
      }
      return Long.parseLong(digits);
    }
  }
}
