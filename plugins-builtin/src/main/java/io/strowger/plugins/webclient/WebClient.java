package io.strowger.plugins.webclient;

import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.Interceptor.Chain.OutgoingCall;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.Transport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Requests web pages and services over a transport, which decides which addresses may be connected
 * to. The time, the size (as sent and as decompressed) and the number of redirects are bounded;
 * each redirect is checked like the first request. Safe on any thread.
 */
public final class WebClient {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration MIN_TIME = Duration.ofMillis(1);
  private static final int BUFFER_SIZE = 16 << 10;
  private static final int ZLIB_METHOD_MASK = 0x0F;
  private static final int ZLIB_DEFLATE = 8;
  private static final int ZLIB_CHECK_DIVISOR = 31; // a valid zlib header is divisible by this
  private static final int MAX_ADDRESS = 8_192; // characters
  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

  private static final String USER_AGENT = "strowger-fetch/1";

  private final Transport transport;
  private final String userAgent;

  public WebClient(Transport transport) {
    this(transport, USER_AGENT);
  }

  /**
   * @param userAgent the User-Agent header for fetching pages; printable ASCII
   */
  public WebClient(Transport transport, String userAgent) {
    this.transport = transport;
    this.userAgent = userAgent;
  }

  /**
   * The bounds of an answer.
   *
   * @param time the total time for name lookup, connecting, redirects, headers and body
   * @param bytes the most bytes of a body, as sent and as decompressed; a longer one is refused
   * @param redirects the most redirects that are followed
   */
  public record Limits(Duration time, int bytes, int redirects) {}

  /** Checks each address before it is requested, including redirects. */
  @FunctionalInterface
  public interface AddressCheck {
    /**
     * @throws WebException when the address may not be requested
     */
    void check(URI uri) throws WebException;
  }

  /**
   * A page that was fetched.
   *
   * @param uri the final address, after redirects
   * @param contentType the Content-Type header; empty when there is none
   * @param body the decompressed body
   */
  public record Page(URI uri, String contentType, byte[] body) {}

  /**
   * Fetches a page, following redirects.
   *
   * @throws WebException when the page cannot be fetched, with the reason
   */
  public Page get(URI uri, AddressCheck addresses, Limits limits, Chain chain) throws WebException {
    try (OutgoingCall call = begin(limits, chain)) {
      return follow(uri, addresses, limits, call);
    }
  }

  private Page follow(URI uri, AddressCheck addresses, Limits limits, OutgoingCall call)
      throws WebException {
    URI current = uri;
    for (int redirects = 0; redirects <= limits.redirects(); redirects++) {
      requireHttp(current);
      addresses.check(current);
      Map<String, String> headers =
          Map.of(
              "Accept",
              "text/html,application/xhtml+xml,application/json,application/pdf,text/*;q=0.8",
              "Accept-Encoding",
              "gzip, deflate",
              "User-Agent",
              userAgent);
      try (Transport.Response response = send(Transport.Method.GET, current, headers, null, call)) {
        if (!REDIRECTS.contains(response.status())) {
          return page(current, response, limits, call);
        }
        current = target(current, response.header("Location"));
      }
    }
    throw new WebException("redirected more than " + limits.redirects() + " times");
  }

  private static Page page(URI uri, Transport.Response response, Limits limits, OutgoingCall call)
      throws WebException {
    requireSuccess(response);
    String type = Objects.requireNonNullElse(response.header("Content-Type"), "");
    return new Page(uri, type, body(response, limits.bytes(), call));
  }

  /** Requires http or https, a host, and no user name or password. */
  private static void requireHttp(URI uri) throws WebException {
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new WebException("has an address that is not http or https");
    }
    if (uri.getHost() == null) {
      throw new WebException("has an address without a host");
    }
    if (uri.getRawUserInfo() != null) {
      throw new WebException("has a user name or a password in its address");
    }
    if (uri.toASCIIString().length() > MAX_ADDRESS) {
      throw new WebException("has an address that is too long");
    }
  }

  private static URI target(URI from, @Nullable String location) throws WebException {
    if (location == null) {
      throw new WebException("redirects without a Location header");
    }
    try {
      return from.resolve(location.strip());
    } catch (IllegalArgumentException e) {
      throw new WebException("redirects to a malformed address");
    }
  }

  private static void requireSuccess(Transport.Response response) throws WebException {
    if (response.status() / 100 != 2) {
      throw new WebException("answered with status " + response.status(), response.status());
    }
  }

  /**
   * A request to a service.
   *
   * @param uri the address, chosen by the operator
   * @param headers the request headers; may contain a secret
   * @param body the body of a POST; null for a GET
   */
  public record ServiceRequest(URI uri, Map<String, String> headers, Json.@Nullable Obj body) {
    /** Returns the host only: header values and the rest of the address may be secrets. */
    @Override
    public String toString() {
      return "request to " + uri.getHost();
    }
  }

  /**
   * Sends a request to a service and returns its JSON answer. A redirect is a failure, so that no
   * secret is sent to another host.
   *
   * @throws WebException when there is no answer, or it is not JSON; {@link
   *     WebException#hasSuccessStatus} tells whether the service did what it charges for
   */
  public Json requestJson(ServiceRequest request, Limits limits, Chain chain) throws WebException {
    var headers = new LinkedHashMap<String, String>();
    headers.put("Accept", "application/json");
    headers.put("Accept-Encoding", "gzip");
    headers.putAll(request.headers());
    Json.Obj body = request.body();
    Transport.Method method = body == null ? Transport.Method.GET : Transport.Method.POST;
    JsonOutput jsonBody = body == null ? null : JsonOutput.of(body.toBytes());
    try (OutgoingCall call = begin(limits, chain);
        Transport.Response response = send(method, request.uri(), headers, jsonBody, call)) {
      requireSuccess(response);
      return json(response, limits, call, chain);
    }
  }

  private static Json json(
      Transport.Response response, Limits limits, OutgoingCall call, Chain chain)
      throws WebException {
    try {
      return chain.codec().parse(body(response, limits.bytes(), call));
    } catch (WebException e) {
      throw new WebException(Objects.requireNonNull(e.getMessage()), response.status());
    } catch (JsonCodec.MalformedJsonException e) {
      throw new WebException("answered with something that is not JSON", response.status());
    }
  }

  private Transport.Response send(
      Transport.Method method,
      URI uri,
      Map<String, String> headers,
      @Nullable JsonOutput body,
      OutgoingCall call)
      throws WebException {
    Duration left = remainingTime(call);
    try {
      return transport.send(
          new Transport.Request(
              method,
              uri,
              headers,
              body,
              shorter(left, CONNECT_TIMEOUT),
              left,
              "web",
              call.cancellation()));
    } catch (IOException e) {
      throw failure(e, call);
    }
  }

  private static OutgoingCall begin(Limits limits, Chain chain) throws WebException {
    try {
      return chain.openOutgoingCall(limits.time());
    } catch (GatewayException e) {
      throw new WebException("was not asked: " + e.error().message());
    }
  }

  /**
   * Returns the time left, at least {@link #MIN_TIME}.
   *
   * @throws WebException when no time is left or the request was cancelled
   */
  private static Duration remainingTime(OutgoingCall call) throws WebException {
    Cancellation.Cause cause = call.cancellation().cause();
    if (cause != null && !cause.isTimeout()) {
      throw new WebException("was given up: the request was cancelled");
    }
    Duration left = call.remaining();
    if (cause != null || left.compareTo(MIN_TIME) < 0) {
      throw new WebException("took too long");
    }
    return left;
  }

  private static Duration shorter(Duration first, Duration second) {
    return first.compareTo(second) < 0 ? first : second;
  }

  /** Returns a failure whose message reveals nothing about the gateway's network. */
  private static WebException failure(IOException e, OutgoingCall call) throws WebException {
    remainingTime(call); // throws if the time is up or the call was cancelled
    return switch (e) {
      case Transport.AddressRefusedException refused ->
          new WebException("is not at a public address, or its port is not allowed");
      case Transport.NoFreeConnectionException busy ->
          new WebException("was not asked: too many pages are being fetched");
      case UnknownHostException unknown ->
          new WebException("has an address whose host is not known");
      case SocketTimeoutException slow -> new WebException("took too long");
      case ProtocolException malformed ->
          new WebException("answered with something that is not HTTP");
      case ZipException malformed ->
          new WebException("answered in a compression that cannot be read");
      default -> new WebException("could not be reached, or the connection broke off");
    };
  }

  private static byte[] body(Transport.Response response, int maxBytes, OutgoingCall call)
      throws WebException {
    requireLength(response.header("Content-Length"), maxBytes);
    try (InputStream encoded = new BoundedInput(response.body(), maxBytes, call);
        InputStream body = decode(encoded, response.header("Content-Encoding"))) {
      var bytes = new ByteArrayOutputStream();
      byte[] buffer = new byte[BUFFER_SIZE];
      for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
        if (bytes.size() + count > maxBytes) {
          throw new BodyTooLargeException();
        }
        bytes.write(buffer, 0, count);
      }
      return bytes.toByteArray();
    } catch (BodyTooLargeException e) {
      throw tooLarge(maxBytes);
    } catch (WrappedWebException e) {
      throw e.failure;
    } catch (IOException e) {
      throw failure(e, call);
    }
  }

  private static WebException tooLarge(int maxBytes) {
    return new WebException("answered with more than " + maxBytes + " bytes");
  }

  private static void requireLength(@Nullable String length, int maxBytes) throws WebException {
    try {
      if (length != null && Long.parseLong(length.strip()) > maxBytes) {
        throw tooLarge(maxBytes);
      }
    } catch (NumberFormatException e) {
      // the transport checks it, and the bytes are counted anyway
    }
  }

  private static InputStream decode(InputStream encoded, @Nullable String encoding)
      throws IOException, WebException {
    String coding = encoding == null ? "" : encoding.strip().toLowerCase(Locale.ROOT);
    return switch (coding) {
      case "", "identity" -> encoded;
      case "gzip", "x-gzip" -> new GZIPInputStream(encoded, BUFFER_SIZE);
      case "deflate" -> inflate(encoded);
      default -> throw new WebException("answered in a compression that was not asked for");
    };
  }

  /** Decodes the coding {@code deflate}, which servers send with or without a zlib header. */
  private static InputStream inflate(InputStream encoded) throws IOException {
    var pushback = new PushbackInputStream(encoded, 2);
    byte[] header = pushback.readNBytes(2);
    pushback.unread(header);
    boolean hasZlibHeader =
        header.length == 2
            && (header[0] & ZLIB_METHOD_MASK) == ZLIB_DEFLATE
            && ((header[0] & 0xFF) << Byte.SIZE | header[1] & 0xFF) % ZLIB_CHECK_DIVISOR == 0;
    var inflater = new Inflater(!hasZlibHeader);
    return new InflaterInputStream(pushback, inflater, BUFFER_SIZE) {
      @Override
      public void close() throws IOException {
        try {
          super.close();
        } finally {
          inflater.end();
        }
      }
    };
  }

  /** Thrown when a body is too long. */
  private static final class BodyTooLargeException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /** Carries a {@link WebException} through streams. */
  private static final class WrappedWebException extends IOException {
    private static final long serialVersionUID = 1L;
    private final transient WebException failure;

    WrappedWebException(WebException failure) {
      this.failure = failure;
    }
  }

  /** Counts the bytes received and checks the remaining time before each read. */
  private static final class BoundedInput extends InputStream {
    private final InputStream in;
    private final OutgoingCall call;
    private long bytesLeft;

    BoundedInput(InputStream in, int maxBytes, OutgoingCall call) {
      this.in = in;
      this.bytesLeft = maxBytes;
      this.call = call;
    }

    @Override
    public int read() throws IOException {
      byte[] single = new byte[1];
      return read(single, 0, 1) < 0 ? -1 : single[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      try {
        remainingTime(call);
      } catch (WebException e) {
        throw new WrappedWebException(e);
      }
      int count = in.read(into, offset, length);
      bytesLeft -= Math.max(0, count);
      if (bytesLeft < 0) {
        throw new BodyTooLargeException();
      }
      return count;
    }

    @Override
    public int available() throws IOException {
      return in.available();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
