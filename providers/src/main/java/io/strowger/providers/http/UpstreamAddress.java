package io.strowger.providers.http;

import io.strowger.spi.provider.Transport;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.net.URIAuthority;

/**
 * The server of a request, and the first lines of every request to one URI.
 *
 * @param server the server to connect to
 * @param headStart the first lines of every request, up to the caller's headers; must not be
 *     modified
 */
record UpstreamAddress(Server server, byte[] headStart) {
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  /** The server at the other end of a connection. */
  record Server(boolean secure, String host, int port) {}

  /**
   * Returns the address for requests with a method to a URI.
   *
   * @throws IOException when the URI has no host, has a user or password, or is neither http nor
   *     https
   */
  static UpstreamAddress of(Transport.Method method, URI uri) throws IOException {
    URI ascii = URI.create(uri.toASCIIString());
    boolean secure = URIScheme.HTTPS.same(ascii.getScheme());
    if (!secure && !URIScheme.HTTP.same(ascii.getScheme())) {
      throw new IOException("the address is neither http nor https: " + ascii.getScheme());
    }
    URIAuthority authority = authority(ascii);
    int defaultPort = secure ? HTTPS_PORT : HTTP_PORT;
    int port = authority.getPort() < 0 ? defaultPort : authority.getPort();
    String head =
        method
            + " "
            + target(ascii)
            + " HTTP/1.1\r\nHost: "
            + ascii.getRawAuthority()
            + "\r\nConnection: keep-alive\r\n";
    return new UpstreamAddress(
        new Server(secure, authority.getHostName(), port),
        head.getBytes(StandardCharsets.US_ASCII));
  }

  private static URIAuthority authority(URI uri) throws IOException {
    try {
      String rawAuthority = uri.getRawAuthority();
      if (rawAuthority == null) {
        throw new IOException("the address has no host");
      }
      String host = uri.getHost();
      if (host != null && host.startsWith("[") && uri.getRawUserInfo() == null) {
        // the library does not parse IPv6 literals that end in an IPv4 address
        return new URIAuthority(host.substring(1, host.length() - 1), uri.getPort());
      }
      URIAuthority authority = URIAuthority.create(rawAuthority);
      if (authority.getUserInfo() != null) {
        throw new IOException(
            "the address of " + authority.getHostName() + " contains a user or password");
      }
      return authority;
    } catch (URISyntaxException malformed) {
      throw new IOException("the address has no host", malformed);
    }
  }

  private static String target(URI uri) {
    String path = uri.getRawPath();
    String query = uri.getRawQuery();
    return (path == null || path.isEmpty() ? "/" : path) + (query == null ? "" : "?" + query);
  }
}
