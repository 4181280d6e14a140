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
  @DisplayName("sends where its dialect says, whose headers replace configured ones of any case")
  void sends() throws UpstreamException {
    var transport = new CannedTransport(200, "{\"ok\":1}");
    assertThat(PlainWire.read(transport, false, new Cancellation()).getLast())
        .isInstanceOf(Event.CompleteAnswer.class);
    assertThat(transport.sent().uri().getPath()).startsWith("/v1/").hasSizeGreaterThan(4);
    assertThat(transport.sent().headers())
        .containsEntry("X-Tenant", "t1")
        .containsEntry("Accept", "application/json")
        .hasSize(3)
        .containsValue(PlainWire.SECRET);
  }

  @Test
  @DisplayName("finds a path below a base with or without a slash at its end")
  void under() {
    for (String base : new String[] {"http://a/v1", "http://a/v1/"}) {
      assertThat(UpstreamCodec.resolve(URI.create(base), "x/y"))
          .isEqualTo(URI.create("http://a/v1/x/y"));
    }
  }
}
