package io.strowger.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.access.TrustedProxies;
import io.strowger.core.authentication.Authenticator;
import io.strowger.core.config.IpNetwork;
import io.strowger.core.wire.WireRequest;
import io.strowger.spi.provider.Cancellation;
import java.io.InputStream;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The client of a request that a trusted proxy forwards")
class ForwardedHeadersTest {
  private static final InetAddress PROXY = address("10.0.0.1");
  private static final InetAddress CLIENT = address("198.51.100.1");

  private static InetAddress address(String text) {
    return Objects.requireNonNull(IpNetwork.address(text));
  }

  private static @Nullable InetAddress client(WireRequest.Headers headers) {
    var request =
        new WireRequest(
            "GET", "/key", "", headers, InputStream.nullInputStream(), new Cancellation(), PROXY);
    var proxies =
        new TrustedProxies(List.of(Objects.requireNonNull(IpNetwork.parse("10.0.0.0/8"))));
    return new Authentication(new Authenticator(key -> null, () -> Instant.EPOCH), proxies)
        .withClientAddress(request)
        .client();
  }

  @Test
  @DisplayName("is the one that the proxy names in a header line after the client's own line")
  void all() {
    assertThat(
            client(
                new WireRequest.Headers() {
                  @Override
                  public @Nullable String first(String name) {
                    return all(name).stream().findFirst().orElse(null);
                  }

                  @Override
                  public List<String> all(String name) {
                    return name.equals("X-Forwarded-For")
                        ? List.of("1.1.1.1", "198.51.100.1")
                        : List.of();
                  }
                }))
        .isEqualTo(CLIENT);
  }

  @Test
  @DisplayName(
      "is the proxy if the host reads only the first header line, which a client can make up")
  void firstOnly() {
    assertThat(client(name -> name.equals("X-Forwarded-For") ? "1.1.1.1" : null)).isEqualTo(PROXY);
  }
}
