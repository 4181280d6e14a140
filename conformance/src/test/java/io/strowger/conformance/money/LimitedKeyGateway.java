package io.strowger.conformance.money;

import io.strowger.core.Gateway;
import io.strowger.core.authentication.Authenticator;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Payer;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.Stores;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A gateway with one simulated provider, whose answers cost {@link #PRICE} each: 100 output tokens,
 * the limit of every request. The limit of the key pays for {@link #AFFORDABLE} answers.
 */
final class LimitedKeyGateway implements AutoCloseable {
  static final String KEY = "sk-limited";
  static final int AFFORDABLE = 25;

  /** The price of an answer in nanodollars. */
  static final long PRICE = 100 * 2_000;

  private static final byte[] REQUEST =
      """
      { "model": "acme/large", "max_tokens": 100, "messages": [ { "role": "user", "content": "Hello" } ] }
      """
          .getBytes(StandardCharsets.UTF_8);

  private final Ambient ambient;
  private final SimulatedUpstream upstream;
  private final Gateway gateway;

  /**
   * @param reportedTokens the number of output tokens that the provider reports for an answer
   */
  LimitedKeyGateway(Stores stores, Ambient ambient, int reportedTokens) {
    this.ambient = ambient;
    upstream = SimulatedUpstream.start(ambient);
    upstream.script("large", Script.builder().tokens(10, reportedTokens).build());
    gateway =
        Gateway.builder(config())
            .provider(new OpenAiChatFactory())
            .stores(stores)
            .ambient(ambient)
            .build();
  }

  private GatewayConfig config() {
    String file =
        """
        { "providers": [ { "slug": "alpha", "protocol": "openai-chat", "base_url": "%s" } ],
          "models": [ { "id": "acme/large", "endpoints": [ { "provider": "alpha", "upstream_model": "large",
            "pricing": { "completion": "0.000002" } } ] } ],
          "keys": [ { "name": "limited", "key": "%s", "limit": %s } ] }
        """
            .formatted(upstream.baseUri(), KEY, "0.005");
    return new ConfigReader(new JacksonCodec(), name -> null)
        .read(file.getBytes(StandardCharsets.UTF_8))
        .orThrow();
  }

  /** Sends one request and returns the status. */
  int ask() {
    Map<String, String> headers = Map.of("Authorization", "Bearer " + KEY);
    WireResponse response =
        gateway
            .wire()
            .handle(
                new WireRequest(
                    "POST",
                    "/chat/completions",
                    "",
                    headers::get,
                    new ByteArrayInputStream(REQUEST),
                    new Cancellation()));
    try (WireBody body = response.body()) {
      body.transferTo(new ByteArrayOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return response.status();
  }

  /** Returns the balance of the key. */
  Ledger.Balance balance() {
    var payer = new Payer(Payer.Kind.KEY, Authenticator.id(new Credential(KEY)).hex(), List.of());
    return gateway.ledger().balance(payer, Period.LIFETIME, ambient.now());
  }

  /** Returns how many requests the provider has received. */
  int dispatched() {
    return upstream.received().size();
  }

  @Override
  public void close() {
    gateway.close();
    upstream.close();
  }
}
