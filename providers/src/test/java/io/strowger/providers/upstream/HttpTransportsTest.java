package io.strowger.providers.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.gemini.GeminiFactory;
import io.strowger.providers.messages.AnthropicMessagesFactory;
import io.strowger.providers.responses.OpenAiResponsesFactory;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.TransportFactory;
import io.strowger.spi.provider.TransportFactory.NetworkReach;
import io.strowger.spi.provider.Transports;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The transports of a gateway")
class HttpTransportsTest {
  private final TestAmbient ambient = TestAmbient.realTime();
  private final TransportFactory factory = new HttpTransports.Factory();

  @AfterEach
  void noThreadIsLeft() {
    ambient.assertNoThreadsLeft();
  }

  /** Sends a request to a local port where no server listens. */
  private static void send(Transport transport) throws IOException {
    int port;
    try (var unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = unused.getLocalPort();
    }
    transport
        .send(
            new Transport.Request(
                Transport.Method.GET,
                URI.create("http://127.0.0.1:" + port + "/"),
                Map.of(),
                null,
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                "",
                new Cancellation()))
        .close();
  }

  @Test
  @DisplayName("reach this machine for providers, but for web and destinations only if allowed")
  void reach() {
    try (Transports shared = factory.open(ambient, NetworkReach.PUBLIC);
        Transports open =
            factory.open(ambient, new NetworkReach(List.of("127.0.0.0/8"), List.of()))) {
      assertThatThrownBy(() -> send(shared.web()))
          .isInstanceOf(Transport.AddressRefusedException.class);
      assertThatThrownBy(() -> send(shared.destinations()))
          .isInstanceOf(Transport.AddressRefusedException.class);
      for (Transport reaching : List.of(shared.providers(), open.web(), open.destinations())) {
        assertThatThrownBy(() -> send(reaching))
            .isInstanceOf(IOException.class)
            .isNotInstanceOf(Transport.AddressRefusedException.class);
      }
    }
    assertThatThrownBy(() -> factory.open(ambient, new NetworkReach(List.of("home"), List.of())))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("share one memory for answers among all adapters that use them")
  void memory() {
    try (Transports one = factory.open(ambient, NetworkReach.PUBLIC);
        Transports other = factory.open(ambient, NetworkReach.PUBLIC)) {
      assertThat(HttpTransports.memory(one)).isSameAs(HttpTransports.memory(one));
      assertThat(HttpTransports.memory(one)).isNotSameAs(HttpTransports.memory(other));
    }
  }

  @Test
  @DisplayName("replace the transport that a provider factory has by default")
  void factories() {
    try (Transports shared = factory.open(ambient, NetworkReach.PUBLIC)) {
      for (ProviderFactory own :
          List.of(
              new OpenAiChatFactory(),
              new OpenAiResponsesFactory(),
              new AnthropicMessagesFactory(),
              new GeminiFactory())) {
        ProviderFactory over = own.withTransports(shared);
        assertThat(over).isNotSameAs(own).hasSameClassAs(own);
        assertThat(over.protocol()).isEqualTo(own.protocol());
        assertThat(over).extracting("shared.transport").isSameAs(shared.providers());
        assertThat(over).extracting("shared.memory").isSameAs(HttpTransports.memory(shared));
        over.close(); // must not close the shared transport
      }
      assertThatThrownBy(() -> send(shared.providers()))
          .isInstanceOf(IOException.class)
          .hasMessageNotContaining("closed");
    }
  }

  @Test
  @DisplayName("are opened by the only transport factory that this module offers as a service")
  void service() {
    assertThat(ServiceLoader.load(TransportFactory.class))
        .singleElement()
        .isInstanceOf(HttpTransports.Factory.class);
  }
}
