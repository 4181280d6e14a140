package io.strowger.providers.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.UpstreamException;
import java.net.URI;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An adapter over HTTP")
class HttpChatProviderTest {
  @Test
  @DisplayName(
      "sends requests to the URI of its codec, with the codec's headers instead of configured ones"
          + " of the same name")
  void sends() throws UpstreamException {
    var transport = new CannedTransport(200, "{\"ok\":1}");
    assertThat(MinimalCodec.read(transport, false, new Cancellation()).getLast())
        .isInstanceOf(Event.CompleteAnswer.class);
    assertThat(transport.sent().uri().getPath()).startsWith("/v1/").hasSizeGreaterThan(4);
    assertThat(transport.sent().headers())
        .containsEntry("X-Tenant", "t1")
        .containsEntry("Accept", "application/json")
        .hasSize(3)
        .containsValue(MinimalCodec.SECRET)
        .doesNotContainValue("replaced"); // the configured x-key
  }

  @Test
  @DisplayName("resolves paths against a base URI with or without a trailing slash")
  void resolves() {
    for (String base : new String[] {"http://a/v1", "http://a/v1/"}) {
      assertThat(UpstreamCodec.resolve(URI.create(base), "x/y"))
          .isEqualTo(URI.create("http://a/v1/x/y"));
    }
  }
}
