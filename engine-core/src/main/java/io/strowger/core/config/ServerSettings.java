package io.strowger.core.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the HTTP server: its addresses, TLS, trusted proxies and shutdown.
 *
 * @param host address or name to bind
 * @param port 0 to 65535; 0 picks a free one
 * @param drainTimeout how long requests in flight may continue after a stop; 0 to an hour
 * @param drainDelay how long requests are still accepted after a stop, while the host already
 *     reports that it is not ready; 0 to an hour
 * @param tls the certificate and key; null for plain HTTP
 * @param trustedProxies the proxies whose headers are trusted for the address of a client
 * @param admin a second address that serves probes and administration, on platform threads; null
 *     for none
 * @param corsOrigins origins whose pages may call from a browser; {@code *} allows all
 */
public record ServerSettings(
    String host,
    int port,
    Duration drainTimeout,
    Duration drainDelay,
    @Nullable TlsFiles tls,
    List<IpNetwork> trustedProxies,
    @Nullable Listener admin,
    List<String> corsOrigins) {
  private static final Pattern ORIGIN =
      Pattern.compile("https?://(?:[a-z0-9.-]{1,253}|\\[[0-9a-f:.]{2,45}])(?::[0-9]{1,5})?");

  /**
   * An address to listen on.
   *
   * @param host address or name to bind
   * @param port 0 to 65535; 0 picks a free one
   */
  public record Listener(String host, int port) {
    public Listener {
      Objects.requireNonNull(host, "host");
    }

    private static Listener read(Section in) {
      return new Listener(in.text("host", "127.0.0.1"), in.wholeNumber("port", 0, 65_535, 8081));
    }
  }

  /** Creates settings without trusted proxies, admin address and CORS origins. */
  public ServerSettings(
      String host, int port, Duration drain, Duration drainDelay, @Nullable TlsFiles tls) {
    this(host, port, drain, drainDelay, tls, List.of(), null, List.of());
  }

  public ServerSettings {
    trustedProxies = List.copyOf(trustedProxies);
    corsOrigins = List.copyOf(corsOrigins);
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(drainTimeout, "drainTimeout");
    Objects.requireNonNull(drainDelay, "drainDelay");
  }

  static ServerSettings read(Section in) {
    var settings =
        new ServerSettings(
            in.text("host", "127.0.0.1"),
            in.wholeNumber("port", 0, 65_535, 8080),
            Duration.ofSeconds(in.wholeNumber("drain_seconds", 0, 3_600, 20L)),
            Duration.ofMillis(in.wholeNumber("drain_delay_ms", 0, 3_600_000, 0L)),
            in.optionalSection("tls", TlsFiles::read),
            in.networks("trusted_proxies"),
            in.optionalSection("admin", Listener::read),
            origins(in));
    if (in.flag("http2", false)) {
      in.problem(
          "http2",
          "must be false: this host speaks HTTP/1.1; use a proxy in front of it for HTTP/2");
    }
    return settings;
  }

  private static List<String> origins(Section in) {
    var origins = new ArrayList<String>();
    in.eachText(
        "cors_origins",
        "must be an origin in lower case, such as https://app.example, or *",
        text -> text.equals("*") || ORIGIN.matcher(text).matches(),
        (text, i) -> origins.add(text));
    return origins;
  }
}
