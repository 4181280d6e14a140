package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.json.JacksonCodec;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.json.Json;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code serve --data DIR} over HTTP, with a restart in between. */
@DisplayName("A client of a gateway that was restarted")
@SuppressWarnings("NullAway.Init") // set before each test
class KeptMoneyTest {
  private static final String CONFIG =
      """
      { "providers": [ { "slug": "alpha", "protocol": "openai-chat", "base_url": "%s" } ],
        "models": [ { "id": "acme/large", "endpoints": [ { "provider": "alpha",
          "upstream_model": "large", "pricing": { "prompt": "0", "completion": "0.00001" } } ] } ],
        "keys": [ { "name": "admin", "key": "sk-admin", "management": true } ] }
      """;

  private final GatewayCommands commands = new GatewayCommands(Map.of());
  private final HttpClient http = HttpClient.newHttpClient();
  @TempDir private Path folder;
  private SimulatedUpstream upstream;
  private ServedGateway serving;

  @BeforeEach
  void start() throws Exception {
    upstream = SimulatedUpstream.start(new SystemAmbient());
    upstream.respond(
        "large",
        request -> Script.builder().text("Well.").tokens(5, 30).finishReason("stop").build());
    Files.writeString(folder.resolve("gateway.json"), CONFIG.formatted(upstream.baseUri()));
    serving = serve();
  }

  @AfterEach
  void stop() {
    serving.close();
    upstream.close();
    http.close();
  }

  private ServedGateway serve() throws CommandException {
    var terminal = commands.context(new ByteArrayOutputStream(), new ByteArrayOutputStream());
    return ServedGateway.start(
        new ConfigFile(folder.resolve("gateway.json"), terminal),
        new ServedGateway.Options(null, 0, folder.resolve("data"), null));
  }

  private void restart() throws CommandException {
    serving.close();
    serving = serve();
  }

  /**
   * A response.
   *
   * @param id the id of the generation; empty if there is none
   */
  private record Answer(int status, Json.Obj body, String id) {
    Json.Obj data() {
      return Objects.requireNonNull(body.object("data"), body.toString());
    }
  }

  private Answer send(String key, String method, String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(serving.uri() + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .build();
    HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    Json.Obj read = (Json.Obj) new JacksonCodec().parse(response.body());
    return new Answer(
        response.statusCode(), read, response.headers().firstValue("X-Generation-Id").orElse(""));
  }

  private Answer ask(String key, String model) throws Exception {
    return send(
        key,
        "POST",
        "/chat/completions",
        "{'model':'%s','max_tokens':30,'messages':[{'role':'user','content':'Hello?'}]}"
            .formatted(model));
  }

  private static void assertDollars(Json.Obj data, String member, String dollars) {
    assertThat(data.get(member)).isInstanceOf(Json.Num.class);
    assertThat(((Json.Num) Objects.requireNonNull(data.get(member))).decimal())
        .as(member)
        .isEqualByComparingTo(new BigDecimal(dollars));
  }

  /** Each answer costs 30 tokens at a thousandth of a cent. */
  @Test
  @DisplayName("finds its usage and its limit as they were, and is still refused with 402")
  void money() throws Exception {
    Answer made = send("sk-admin", "POST", "/keys", "{'name':'visitor','limit':0.0007}");
    assertThat(made.status()).isEqualTo(200);
    String key = Objects.requireNonNull(made.body().text("key"));
    assertThat(ask(key, "acme/large").status()).isEqualTo(200);
    restart();
    Json.Obj keyInfo = send(key, "GET", "/key", "").data();
    assertDollars(keyInfo, "usage", "0.0003");
    assertDollars(keyInfo, "limit_remaining", "0.0004");
    assertThat(ask(key, "acme/large").status()).isEqualTo(200);
    assertThat(ask(key, "acme/large").status()).isEqualTo(402);
    restart();
    assertThat(ask(key, "acme/large").status()).isEqualTo(402);
    String hash = Objects.requireNonNull(made.data().text("hash"));
    assertDollars(send("sk-admin", "GET", "/keys/" + hash, "").data(), "usage", "0.0006");
    assertThat(send("sk-admin", "PATCH", "/keys/" + hash, "{'limit':0.001}").status())
        .isEqualTo(200);
    restart();
    assertThat(ask(key, "acme/large").status()).isEqualTo(200);
    assertDollars(send(key, "GET", "/key", "").data(), "usage", "0.0009");
  }

  @Test
  @DisplayName("finds its presets, with their versions, and may still refer to them")
  void presets() throws Exception {
    String key =
        Objects.requireNonNull(
            send("sk-admin", "POST", "/keys", "{'name':'visitor'}").body().text("key"));
    for (String temperature : new String[] {"0.1", "0.2"}) {
      Answer made =
          send(
              "sk-admin",
              "POST",
              "/presets/calm/chat/completions",
              "{'model':'acme/large','temperature':%s,'messages':[{'role':'user','content':'x'}]}"
                  .formatted(temperature));
      assertThat(made.status()).as(made.body().toString()).isBetween(200, 201);
    }
    restart();
    Answer versions = send("sk-admin", "GET", "/presets/calm/versions", "");
    assertThat(versions.body().list("data")).hasSize(2);
    assertThat(ask(key, "@preset/calm").status()).isEqualTo(200);
    assertThat(ask(key, "@preset/storm").status()).isEqualTo(404);
  }

  @Test
  @DisplayName("finds the record of an earlier answer")
  void generations() throws Exception {
    String key = key("mine");
    Answer earlier = ask(key, "acme/large");
    assertThat(earlier.id()).isNotEmpty();
    restart();
    Json.Obj record = send(key, "GET", "/generation?id=" + earlier.id(), "").data();
    assertThat(record.text("id")).isEqualTo(earlier.id());
    assertThat(record.text("provider_name")).isEqualTo("alpha");
    assertDollars(record, "total_cost", "0.0003");
    String unknown = earlier.id().substring(0, earlier.id().length() - 1) + "~";
    assertThat(send(key, "GET", "/generation?id=" + unknown, "").status()).isEqualTo(404);
  }

  private String key(String name) throws Exception {
    Answer made = send("sk-admin", "POST", "/keys", "{'name':'" + name + "'}");
    return Objects.requireNonNull(made.body().text("key"));
  }
}
