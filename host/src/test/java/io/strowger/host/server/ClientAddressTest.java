package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.observe.FailedCredentialCounts;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The address of a client, over HTTP")
class ClientAddressTest {
  private final Ambient ambient = TestAmbient.realTime();

  private static GatewayConfig config(String proxies) {
    String file =
        """
        { 'server': { 'trusted_proxies': [ %s ] },
          'providers': [ { 'slug': 'a', 'protocol': 'simulated', 'base_url': 'http://a.test' } ],
          'models': [ { 'id': 'a/m', 'endpoints': [ { 'provider': 'a' } ] } ],
          'keys': [ { 'name': 'admin', 'key': 'sk-admin', 'management': true } ] }
        """
            .formatted(proxies)
            .replace('\'', '"');
    return new ConfigReader(new JacksonCodec(), name -> null)
        .read(file.getBytes(StandardCharsets.UTF_8))
        .orThrow();
  }

  /**
   * Sends requests with each of these forwarded addresses, two of them with a wrong key, and
   * returns the counts of failed credentials.
   */
  private FailedCredentialCounts countGuesses(String proxies, String... forwardedFor)
      throws IOException, InterruptedException {
    try (var running = RunningGateway.open(config(proxies), ambient);
        var host =
            HttpHost.start(
                running.api(by -> new ReloadResult.Unreadable()),
                new HttpHost.Settings("127.0.0.1", 0, 1_000, Duration.ZERO),
                ambient);
        HttpClient http = HttpClient.newHttpClient()) {
      for (String address : forwardedFor) {
        assertThat(send(http, host.uri(), "GET", "/key", "sk-guess", address)).isEqualTo(401);
        assertThat(send(http, host.uri(), "POST", AdminRoutes.RELOAD, "sk-guess", address))
            .as("a wrong key is refused on the host's own paths, too")
            .isEqualTo(401);
        assertThat(send(http, host.uri(), "GET", "/key", "sk-admin", address)).isEqualTo(200);
      }
      return running.gateway().failedCredentials();
    }
  }

  private static int send(
      HttpClient http, URI root, String method, String path, String key, String forwardedFor)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(root + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .header("Authorization", "Bearer " + key);
    for (String value : forwardedFor.split("\\|", -1)) {
      request.header("X-Forwarded-For", value);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  @Test
  @DisplayName("is the connection's, whatever headers a client sends")
  void stranger() throws Exception {
    FailedCredentialCounts counted = countGuesses("", "198.51.100.1", "198.51.100.2");
    assertThat(counted.failed()).isEqualTo(4);
    assertThat(counted.networks()).isEqualTo(1);
  }

  @Test
  @DisplayName(
      "is the one that a trusted proxy appended, also if the client sent the header itself")
  void proxy() throws Exception {
    FailedCredentialCounts counted =
        countGuesses(
            "\"127.0.0.0/8\"",
            "198.51.100.1",
            "198.51.100.2",
            "1.1.1.1, 198.51.100.1",
            "2.2.2.2|198.51.100.2");
    assertThat(counted.failed()).isEqualTo(8);
    assertThat(counted.networks()).as("two clients, not four").isEqualTo(2);
  }
}
