package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Payer;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.gemini.GeminiFactory;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Period;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A whole gateway in front of two simulated upstreams, alpha and beta, with keys of two callers, a
 * management key, and a key that can pay for almost nothing. Each test says which models it serves.
 */
final class ServiceGateway implements AutoCloseable {
  static final String APP = "sk-app";
  static final String OTHER = "sk-other";
  static final String POOR = "sk-poor";

  final TestAmbient ambient = TestAmbient.realTime();
  final SimulatedUpstream alpha = SimulatedUpstream.start(ambient);
  final SimulatedUpstream beta = SimulatedUpstream.start(ambient);
  final List<CallRecord> records = Collections.synchronizedList(new ArrayList<>());
  final Gateway gateway;

  /** A response of the gateway. */
  record TestResponse(int status, Map<String, String> headers, byte[] body) {
    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    JsonNode json() {
      return DialectClient.parse(text());
    }

    String message() {
      return json().path("error").path("message").asText();
    }
  }

  /**
   * @param models the models of the configuration, in single quotes
   * @param more members of the configuration, in single quotes, each with a comma before it
   */
  ServiceGateway(String models, String more) {
    gateway =
        Gateway.builder(config(models, more))
            .provider(new OpenAiChatFactory())
            .provider(new GeminiFactory())
            .sink(records::add)
            .ambient(ambient)
            .build();
  }

  private GatewayConfig config(String models, String more) {
    String document =
        """
        {'providers':[
           {'slug':'alpha','name':'Alpha','protocol':'openai-chat','base_url':'%s','api_key':'sk-upstream'},
           {'slug':'beta','name':'Beta','protocol':'openai-chat','base_url':'%s','data_policy':{'retains_prompts':false,'trains_on_prompts':false}},
           {'slug':'gamma','name':'Gamma','protocol':'gemini','base_url':'%s'}],
         'models':[%s],
         'keys':[{'name':'app','key':'sk-app'},{'name':'other','key':'sk-other'},
                 {'name':'admin','key':'sk-admin','management':true},
                 {'name':'poor','key':'sk-poor','limit':0.000001}]%s}
        """
            .formatted(alpha.baseUri(), beta.baseUri(), beta.baseUri(), models, more)
            .replace('\'', '"');
    return new ConfigReader(new JacksonCodec(), name -> null)
        .read(document.getBytes(StandardCharsets.UTF_8))
        .orThrow();
  }

  WireResponse open(String method, String path, String body, Map<String, String> headers) {
    return open(method, path, body, headers, new Cancellation());
  }

  WireResponse open(
      String method,
      String path,
      String body,
      Map<String, String> headers,
      Cancellation cancellation) {
    return open(
        method,
        path,
        body.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
        headers,
        cancellation);
  }

  /** Like {@link #open(String, String, String, Map)}, with a body that is sent unchanged. */
  WireResponse open(
      String method,
      String path,
      byte[] body,
      Map<String, String> headers,
      Cancellation cancellation) {
    var sent = new HashMap<>(headers);
    int mark = path.indexOf('?');
    return gateway
        .wire()
        .handle(
            new WireRequest(
                method,
                mark < 0 ? path : path.substring(0, mark),
                mark < 0 ? "" : path.substring(mark + 1),
                name -> sent.get(name.toLowerCase(Locale.ROOT)),
                new ByteArrayInputStream(body),
                cancellation));
  }

  static Map<String, String> as(String key) {
    return Map.of("authorization", "Bearer " + key);
  }

  TestResponse post(String path, String body) {
    return post(path, body, as(APP));
  }

  TestResponse post(String path, String body, Map<String, String> headers) {
    return read(open("POST", path, body, headers));
  }

  TestResponse get(String path) {
    return read(open("GET", path, "", as(APP)));
  }

  static TestResponse read(WireResponse response) {
    var out = new ByteArrayOutputStream();
    try (WireBody body = response.body()) {
      body.transferTo(out);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return new TestResponse(response.status(), response.headers(), out.toByteArray());
  }

  private Ledger.Balance account() {
    return gateway.ledger().balance(Payer.account(List.of()), Period.LIFETIME, Instant.EPOCH);
  }

  /** Returns what all keys have paid so far, in dollars. */
  BigDecimal paid() {
    return account().settled().credits().json().decimal().stripTrailingZeros();
  }

  @Override
  public void close() {
    gateway.close(); // requests of batches may be in progress until then
    assertThat(account().held()).as("held").isEqualTo(Charge.ZERO);
    alpha.close();
    beta.close();
    ambient.assertNoThreadsLeft();
  }
}
