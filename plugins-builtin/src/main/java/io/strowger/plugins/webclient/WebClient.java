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
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final int PIECE = 16 << 10;
  private static final int ZLIB_METHOD_MASK = 0x0F;
  private static final int ZLIB_DEFLATE = 8;
  private static final int ZLIB_CHECK = 31; // a valid zlib header is divisible by this
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
    try (OutgoingCall call = begun(limits, chain)) {
      return got(uri, addresses, limits, call);
    }
  }

  private Page got(URI uri, AddressCheck addresses, Limits limits, OutgoingCall call)
      throws WebException {
    URI at = uri;
    for (int redirects = 0; redirects <= limits.redirects(); redirects++) {
      requireWeb(at);
      addresses.check(at);
      Map<String, String> headers =
          Map.of(
              "Accept",
              "text/html,application/xhtml+xml,application/json,application/pdf,text/*;q=0.8",
              "Accept-Encoding",
              "gzip, deflate",
              "User-Agent",
              userAgent);
      try (Transport.Response response = send(Transport.Method.GET, at, headers, null, call)) {
        if (!REDIRECTS.contains(response.status())) {
          return page(at, response, limits, call);
        }
        at = target(at, response.header("Location"));
      }
    }
    throw new WebException("redirected more than " + limits.redirects() + " times");
  }

  private static Page page(URI at, Transport.Response response, Limits limits, OutgoingCall call)
      throws WebException {
    requireSuccess(response);
    String type = Objects.requireNonNullElse(response.header("Content-Type"), "");
    return new Page(at, type, body(response, limits.bytes(), call));
  }

  /** Requires http or https, a host, and no user name or password. */
  private static void requireWeb(URI uri) throws WebException {
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new WebException("is no address of http or https");
    }
    if (uri.getHost() == null) {
      throw new WebException("names no host");
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
      throw new WebException("redirects to nowhere");
    }
    try {
      return from.resolve(location.strip());
    } catch (IllegalArgumentException malformed) {
      throw new WebException("redirects to what is no address");
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
  public record Question(URI uri, Map<String, String> headers, Json.@Nullable Obj body) {
    /** Returns the host only: header values and the rest of the address may be secrets. */
    @Override
    public String toString() {
      return "question to " + uri.getHost();
    }
  }

  /**
   * Sends a request to a service and returns its JSON answer. A redirect is a failure, so that no
   * secret is sent to another host.
   *
   * @throws WebException when there is no answer, or it is not JSON; {@link
   *     WebException#isAnswered} tells whether the service did what it charges for
   */
  public Json ask(Question question, Limits limits, Chain chain) throws WebException {
    var headers = new LinkedHashMap<String, String>();
    headers.put("Accept", "application/json");
    headers.put("Accept-Encoding", "gzip");
    headers.putAll(question.headers());
    Json.Obj body = question.body();
    Transport.Method method = body == null ? Transport.Method.GET : Transport.Method.POST;
    JsonOutput written = body == null ? null : JsonOutput.of(body.toBytes());
    try (OutgoingCall call = begun(limits, chain);
        Transport.Response response = send(method, question.uri(), headers, written, call)) {
      requireSuccess(response);
      return json(response, limits, call, chain);
    }
  }

  private static Json json(
      Transport.Response response, Limits limits, OutgoingCall call, Chain chain)
      throws WebException {
    try {
      return chain.codec().parse(body(response, limits.bytes(), call));
    } catch (WebException later) {
      throw new WebException(Objects.requireNonNull(later.getMessage()), response.status());
    } catch (JsonCodec.MalformedJsonException malformed) {
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
    Duration left = left(call);
    try {
      return transport.send(
          new Transport.Request(
              method, uri, headers, body, least(left, CONNECT), left, "web", call.cancellation()));
    } catch (IOException failed) {
      throw failure(failed, call);
    }
  }

  private static OutgoingCall begun(Limits limits, Chain chain) throws WebException {
    try {
      return chain.outgoing(limits.time());
    } catch (GatewayException tooMany) {
      throw new WebException("was not asked: " + tooMany.error().message());
    }
  }

  /**
   * Returns the time left, at least {@link #SHORTEST}.
   *
   * @throws WebException when no time is left or the request was cancelled
   */
  private static Duration left(OutgoingCall call) throws WebException {
    Cancellation.Cause ended = call.cancellation().cause();
    if (ended != null && !ended.isTimeout()) {
      throw new WebException("was given up: nobody waits for it any more");
    }
    Duration left = call.remaining();
    if (ended != null || left.compareTo(SHORTEST) < 0) {
      throw new WebException("took too long");
    }
    return left;
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Returns a failure whose message reveals nothing about the gateway's network. */
  private static WebException failure(IOException failed, OutgoingCall call) throws WebException {
    left(call); // throws if the time is up or the call was cancelled
    return switch (failed) {
      case Transport.AddressRefusedException refused ->
          new WebException("is at no public address, or at a port that may not be asked");
      case Transport.NoFreeConnectionException busy ->
          new WebException("was not asked: too many pages are being fetched");
      case UnknownHostException unknown -> new WebException("names a host that is not known");
      case SocketTimeoutException slow -> new WebException("took too long");
      case ProtocolException malformed ->
          new WebException("answered with something that is no HTTP");
      case ZipException malformed -> new WebException("is compressed in a way that cannot be read");
      default -> new WebException("could not be reached, or broke off");
    };
  }

  private static byte[] body(Transport.Response response, int most, OutgoingCall call)
      throws WebException {
    requireLength(response.header("Content-Length"), most);
    try (InputStream sent = new Bounded(response.body(), most, call);
        InputStream body = decoded(sent, response.header("Content-Encoding"))) {
      var bytes = new ByteArrayOutputStream();
      byte[] piece = new byte[PIECE];
      for (int read = body.read(piece); read >= 0; read = body.read(piece)) {
        if (bytes.size() + read > most) {
          throw new TooLarge();
        }
        bytes.write(piece, 0, read);
      }
      return bytes.toByteArray();
    } catch (TooLarge larger) {
      throw tooLarge(most);
    } catch (GivenUp over) {
      throw over.failure;
    } catch (IOException failed) {
      throw failure(failed, call);
    }
  }

  private static WebException tooLarge(int most) {
    return new WebException("is larger than " + most + " bytes");
  }

  private static void requireLength(@Nullable String length, int most) throws WebException {
    try {
      if (length != null && Long.parseLong(length.strip()) > most) {
        throw tooLarge(most);
      }
    } catch (NumberFormatException odd) {
      // the transport checks it, and the bytes are counted anyway
    }
  }

  private static InputStream decoded(InputStream sent, @Nullable String encoding)
      throws IOException, WebException {
    String coding = encoding == null ? "" : encoding.strip().toLowerCase(Locale.ROOT);
    return switch (coding) {
      case "", "identity" -> sent;
      case "gzip", "x-gzip" -> new GZIPInputStream(sent, PIECE);
      case "deflate" -> inflated(sent);
      default -> throw new WebException("is compressed in a way that was not asked for");
    };
  }

  /** Decodes the coding {@code deflate}, which servers send with or without a zlib header. */
  private static InputStream inflated(InputStream sent) throws IOException {
    var pushed = new PushbackInputStream(sent, 2);
    byte[] head = pushed.readNBytes(2);
    pushed.unread(head);
    boolean wrapped =
        head.length == 2
            && (head[0] & ZLIB_METHOD_MASK) == ZLIB_DEFLATE
            && ((head[0] & 0xFF) << Byte.SIZE | head[1] & 0xFF) % ZLIB_CHECK == 0;
    var inflater = new Inflater(!wrapped);
    return new InflaterInputStream(pushed, inflater, PIECE) {
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
  private static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /** Carries a {@link WebException} through streams. */
  private static final class GivenUp extends IOException {
    private static final long serialVersionUID = 1L;
    private final transient WebException failure;

    GivenUp(WebException failure) {
      this.failure = failure;
    }
  }

  /** Counts the bytes received and checks the remaining time before each read. */
  private static final class Bounded extends InputStream {
    private final InputStream in;
    private final OutgoingCall call;
    private long room;

    Bounded(InputStream in, int most, OutgoingCall call) {
      this.in = in;
      this.room = most;
      this.call = call;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      try {
        left(call);
      } catch (WebException over) {
        throw new GivenUp(over);
      }
      int read = in.read(into, offset, length);
      room -= Math.max(0, read);
      if (room < 0) {
        throw new TooLarge();
      }
      return read;
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
