package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.Plugins;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Payer;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.plugins.BuiltinPlugins;
import io.strowger.plugins.jsonschema.JsonSchemaValidator;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Period;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A whole gateway in front of one simulated upstream that speaks all four dialects. The models are
 * acme/chat, acme/responses, acme/messages and acme/gemini, each served in the dialect of that
 * name; the upstream calls all of them "large". Models acme/thinker-chat and so on always reason,
 * with low or high effort; acme/searching-chat and so on search the web themselves, for a cent a
 * search, and so does one of the two endpoints of acme/sometimes; acme/anywhere is served in the
 * chat dialect and, for more money, in the messages dialect.
 */
final class DialectGateway implements AutoCloseable {
  final TestAmbient ambient = TestAmbient.realTime();
  final SimulatedUpstream upstream = SimulatedUpstream.start(ambient);
  final List<CallRecord> records = Collections.synchronizedList(new ArrayList<>());
  final Gateway gateway;

  /** A response of the gateway. */
  record TestResponse(DialectClient client, int status, String body) {
    JsonNode json() {
      return DialectClient.parse(body);
    }

    /** Returns the whole answer, reassembled if it was streamed. */
    JsonNode answer() {
      assertThat(status).as(body).isEqualTo(200);
      return body.startsWith("{") ? json() : DialectFrames.assemble(client, frames());
    }

    List<JsonNode> frames() {
      return DialectFrames.read(client, body);
    }

    DialectContent content() {
      return DialectContent.of(client, answer());
    }
  }

  DialectGateway() {
    this("");
  }

  /**
   * Opens a gateway with all built-in plugins and tools.
   *
   * @param more members of the configuration, in single quotes, each with a comma before it
   * @param others more tools
   */
  DialectGateway(String more, ServerTool... others) {
    Plugins plugins = Plugins.none().schemas(new JsonSchemaValidator());
    for (var provider : BuiltinPlugins.all()) {
      plugins = plugins.add(provider);
    }
    for (var tool : BuiltinPlugins.tools()) {
      plugins = plugins.tool(tool);
    }
    for (ServerTool tool : others) {
      plugins = plugins.tool(tool);
    }
    var builder =
        Gateway.builder(config(more)).plugins(plugins).sink(records::add).ambient(ambient);
    for (DialectUpstream dialect : DialectUpstream.values()) {
      builder.provider(dialect.factory());
    }
    gateway = builder.build();
  }

  private GatewayConfig config(String more) {
    return new ConfigReader(new JacksonCodec(), name -> null)
        .read(document(more).getBytes(StandardCharsets.UTF_8))
        .orThrow();
  }

  /** Reloads the gateway with other members of the configuration. */
  void reload(String more) {
    gateway.reload(config(more));
  }

  private String document(String more) {
    var providers = new ArrayList<String>();
    var models = new ArrayList<String>();
    for (DialectUpstream dialect : DialectUpstream.values()) {
      providers.add(
          "{'slug':'%s','name':'The %s','protocol':'%s','base_url':'%s','api_key':'sk-upstream'}"
              .formatted(dialect.slug(), dialect.slug(), dialect.protocol, upstream.baseUri()));
      models.add(model(dialect.slug(), dialect, ""));
      models.add(
          model(
              "thinker-" + dialect.slug(),
              dialect,
              ",'family':'acme/thinking-"
                  + dialect.slug()
                  + "',"
                  + "'reasoning':{'mandatory':true,'efforts':['low','high']}"));
    }
    for (DialectUpstream dialect : DialectUpstream.values()) {
      models.add(
          "{'id':'acme/searching-%s','endpoints':[%s]}"
              .formatted(dialect.slug(), searching(dialect)));
    }
    models.add(
        "{'id':'acme/sometimes','endpoints':[%s,%s]}"
            .formatted(
                endpoint(DialectUpstream.CHAT, "0.000001"), searching(DialectUpstream.MESSAGES)));
    models.add(
        model("anywhere", DialectUpstream.CHAT, "")
            .replace("}]", "}," + endpoint(DialectUpstream.MESSAGES, "0.000003") + "]"));
    return "{'providers':[%s],'models':[%s],'keys':[{'name':'app','key':'%s'}]%s}"
        .formatted(String.join(",", providers), String.join(",", models), Fixtures.APP_KEY, more)
        .replace('\'', '"');
  }

  private static String model(String name, DialectUpstream dialect, String more) {
    return "{'id':'acme/%s','endpoints':[%s]%s}"
        .formatted(name, endpoint(dialect, "0.000002"), more);
  }

  private static String endpoint(DialectUpstream dialect, String completion) {
    return """
    {'provider':'%s','upstream_model':'large','max_output_tokens':32000,
     'input_modalities':['text','image','file'],
     'pricing':{'prompt':'0.000001','input_cache_read':'0.0000001','completion':'%s'}}\
    """
        .formatted(dialect.slug(), completion);
  }

  private static String searching(DialectUpstream dialect) {
    return endpoint(dialect, "0.000002")
        .replace(
            "'max_output_tokens'",
            "'supported_parameters':['max_tokens','tools','web_search_options'],'max_output_tokens'")
        .replace("'input_cache_read'", "'web_search':'0.01','input_cache_read'");
  }

  /** Sends a request with a bearer key that asks for metadata. */
  TestResponse post(DialectClient client, JsonNode body) {
    return post(
        client,
        body,
        Map.of("authorization", "Bearer " + Fixtures.APP_KEY, "x-router-metadata", "enabled"));
  }

  TestResponse post(DialectClient client, JsonNode body, Map<String, String> headers) {
    var sent = new HashMap<>(headers);
    var request =
        new WireRequest(
            "POST",
            client.path,
            "",
            name -> sent.get(name.toLowerCase(Locale.ROOT)),
            new ByteArrayInputStream(body.toString().getBytes(StandardCharsets.UTF_8)),
            new Cancellation());
    WireResponse response = gateway.wire().handle(request);
    var out = new ByteArrayOutputStream();
    try (WireBody answer = response.body()) {
      answer.transferTo(out);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return new TestResponse(client, response.status(), out.toString(StandardCharsets.UTF_8));
  }

  TestResponse post(DialectClient client, ObjectNode body, boolean streaming) {
    return post(client, body.deepCopy().put("stream", streaming));
  }

  /** Returns the body that the upstream got last. */
  JsonNode sent() {
    return DialectClient.parse(upstream.last().text());
  }

  /** Returns the losses that were reported for the last request. */
  List<TraceEntry.Translated> losses() {
    return records.getLast().trace().stream()
        .filter(TraceEntry.Translated.class::isInstance)
        .map(TraceEntry.Translated.class::cast)
        .toList();
  }

  @Override
  public void close() {
    Ledger.Balance account =
        gateway.ledger().balance(Payer.account(List.of()), Period.LIFETIME, Instant.EPOCH);
    assertThat(account.held()).as("held").isEqualTo(Charge.ZERO);
    gateway.close();
    upstream.close();
    ambient.assertNoThreadsLeft();
  }
}
