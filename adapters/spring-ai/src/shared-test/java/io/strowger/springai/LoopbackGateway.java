package io.strowger.springai;

import io.strowger.core.Gateway;
import io.strowger.core.client.ChatClient;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.messages.AnthropicMessagesFactory;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.tck.TestAmbient;
import java.nio.charset.StandardCharsets;

/** A gateway with two keys and two models, which use one upstream in two dialects. */
final class LoopbackGateway implements AutoCloseable {
  private static final String CONFIG =
      """
      { "providers": [
          { "slug": "alpha", "protocol": "openai-chat", "base_url": "UPSTREAM", "api_key": "k" },
          { "slug": "beta", "protocol": "anthropic-messages", "base_url": "UPSTREAM", "api_key": "k" } ],
        "models": [
          { "id": "acme/large", "endpoints": [ { "provider": "alpha", "upstream_model": "large",
            "input_modalities": ["text", "image", "file", "audio", "video"],
            "pricing": { "prompt": "0.000001", "completion": "0.000002" } } ] },
          { "id": "acme/careful", "endpoints": [ { "provider": "beta", "upstream_model": "careful",
            "pricing": { "prompt": "0.000001", "completion": "0.000002" } } ] } ],
        "keys": [ { "name": "app", "key": "sk-app" },
                  { "name": "poor", "key": "sk-poor", "limit": 0.000001 } ] }
      """;

  private final TestAmbient ambient = TestAmbient.realTime();
  private final SimulatedUpstream upstream = SimulatedUpstream.start(ambient);
  private final Gateway gateway;

  LoopbackGateway() {
    gateway =
        Gateway.builder(config(upstream.baseUri().toString()))
            .ambient(ambient)
            .provider(new OpenAiChatFactory())
            .provider(new AnthropicMessagesFactory())
            .build();
  }

  /** Returns a gateway whose model {@code acme/large} is served by this provider. */
  static Gateway over(ChatProvider provider, TestAmbient ambient) {
    return Gateway.builder(config("http://127.0.0.1:9/v1"))
        .ambient(ambient)
        .provider(
            new ProviderFactory() {
              @Override
              public String protocol() {
                return "openai-chat";
              }

              @Override
              public ChatProvider create(ProviderSettings settings) {
                return provider;
              }
            })
        .provider(new AnthropicMessagesFactory())
        .build();
  }

  private static GatewayConfig config(String upstream) {
    String config = CONFIG.replace("UPSTREAM", upstream);
    return ConfigReader.standard().read(config.getBytes(StandardCharsets.UTF_8)).orThrow();
  }

  /** Returns a client for the key without a limit. */
  ChatClient client() {
    return gateway.chat("sk-app");
  }

  /** Returns a client for the key with almost no credit. */
  ChatClient poorClient() {
    return gateway.chat("sk-poor");
  }

  SimulatedUpstream upstream() {
    return upstream;
  }

  /** Returns the body of the last request to the upstream. */
  String lastRequest() {
    return upstream.last().text();
  }

  @Override
  public void close() {
    gateway.close();
    upstream.close();
    ambient.assertNoThreadsLeft();
  }
}
