package io.strowger.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.tck.ScriptedProvider;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Listings of models, endpoints and providers")
class ListingServiceTest {
  private static final String CONFIG =
      """
      { 'providers': [ { 'slug': 'alpha', 'protocol': 'openai-chat', 'base_url': 'http://127.0.0.1:1' },
                       { 'slug': 'beta', 'protocol': 'openai-chat', 'base_url': 'http://127.0.0.1:1',
                         'data_policy': { 'retains_prompts': false, 'trains_on_prompts': false } } ],
        'models': [ { 'id': 'acme/one', 'endpoints': [ { 'provider': 'alpha' } ] },
                    { 'id': 'acme/two', 'endpoints': [ { 'provider': 'beta' } ] },
                    { 'id': 'acme/three:free', 'endpoints': [ { 'provider': 'alpha' } ] } ],
        'account': { 'ignored_providers': [ 'beta' ] },
        'keys': [ { 'name': 'app', 'key': 'sk-app-0123456789', 'management': false },
                  { 'name': 'admin', 'key': 'sk-admin-0123456789', 'management': true } ] }
      """
          .replace('\'', '"');

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final Gateway gateway =
      Gateway.builder(
              ConfigReader.standard().read(CONFIG.getBytes(StandardCharsets.UTF_8)).orThrow())
          .provider(
              new ProviderFactory() {
                @Override
                public String protocol() {
                  return "openai-chat";
                }

                @Override
                public ChatProvider create(ProviderSettings settings) {
                  return new ScriptedProvider(ambient);
                }
              })
          .ambient(ambient)
          .build();

  @AfterEach
  void close() {
    gateway.close();
  }

  private WireResponse send(String path, String query, String key) {
    return gateway
        .wire()
        .handle(
            new WireRequest(
                "GET",
                path,
                query,
                name -> name.equalsIgnoreCase("authorization") ? "Bearer " + key : null,
                InputStream.nullInputStream(),
                new Cancellation()));
  }

  private Json.Obj get(String path, String query) {
    WireResponse response = send(path, query, "sk-app-0123456789");
    assertThat(response.status()).isEqualTo(200);
    return TestHttpApi.json(response);
  }

  private static String ids(Json.Obj listing) {
    return Objects.requireNonNull(listing.list("data")).stream()
        .map(model -> ((Json.Obj) model).text("id"))
        .toList()
        .toString();
  }

  @Proves({"resources.operation.listings", "resources.record.model"})
  @Test
  @DisplayName("are complete when no page is requested")
  void whole() {
    Json.Obj models = get("/models", "");
    assertThat(ids(models)).isEqualTo("[acme/one, acme/two, acme/three:free]");
    assertThat(models.longValue("total_count", 0)).isEqualTo(3);
    assertThat(models.object("links")).hasToString("{\"next\":null}");
  }

  @Proves("resources.record.model")
  @Test
  @DisplayName("are paged on request, each page with a link to the next one that keeps the filters")
  void parts() {
    Json.Obj first = get("/models", "limit=2&sort=price&offset=0&output_modalities=text");
    assertThat(ids(first)).isEqualTo("[acme/one, acme/two]");
    assertThat(first.longValue("total_count", 0)).isEqualTo(3);
    String next = Objects.requireNonNull(first.object("links")).text("next");
    assertThat(next).isEqualTo("/models?sort=price&output_modalities=text&offset=2&limit=2");
    Json.Obj second = get("/models", Objects.requireNonNull(next).substring(8));
    assertThat(ids(second)).isEqualTo("[acme/three:free]");
    assertThat(second.object("links")).hasToString("{\"next\":null}");
    assertThat(ids(get("/models", "offset=1"))).isEqualTo("[acme/two, acme/three:free]");
    Json.Obj beyond = get("/models", "offset=999999999999999999");
    assertThat(ids(beyond)).isEqualTo("[]");
    assertThat(beyond.object("links")).hasToString("{\"next\":null}");
  }

  @Test
  @DisplayName("show what is in the catalog, or what the caller's account may use")
  void others() {
    assertThat(get("/models/count", "")).hasToString("{\"data\":{\"count\":3}}");
    assertThat(ids(get("/models/user", ""))).isEqualTo("[acme/one, acme/three:free]");
    Json.Obj free = Objects.requireNonNull(get("/model/acme/three:free", "").object("data"));
    assertThat(get("/models/acme/three:free", "").object("data")).isEqualTo(free);
    assertThat(get("/models/acme/three:free/", "").object("data")).isEqualTo(free);
    assertThat(free.text("id")).isEqualTo("acme/three:free");
    Json.Obj endpoints =
        Objects.requireNonNull(get("/models/acme/two/endpoints", "").object("data"));
    assertThat(endpoints.text("id")).isEqualTo("acme/two");
    assertThat(endpoints.list("endpoints")).hasSize(1);
    assertThat(get("/providers", "").list("data")).hasSize(2);
    assertThat(get("/endpoints/zdr", "").list("data")).hasSize(1);
    assertThat(send("/models", "", "sk-admin-0123456789").status()).isEqualTo(200);
  }

  @Proves("open.18")
  @ParameterizedTest(name = "{0}?{1}")
  @CsvSource(
      nullValues = "-",
      value = {
        "/model/acme/none,-,404,Resource not found",
        "/models/acme/none/endpoints,-,404,Resource not found",
        "/models,limit=1001,400,limit must be a whole number from 1 to 1000",
        "/models/user,offset=-1,400,offset must be",
        "/models/count,zdr=maybe,400,zdr must be true or false",
        "/models,sort=beauty,400,sort must be one of newest",
      })
  @DisplayName("answer 404 for an unknown model, and 400 with the problem of a query")
  void wrong(String path, String query, int status, String expected) {
    WireResponse response = send(path, query == null ? "" : query, "sk-app-0123456789");
    assertThat(response.status()).isEqualTo(status);
    assertThat(TestHttpApi.message(response)).contains(expected);
  }

  @Test
  @DisplayName("are 503 once the gateway is closed")
  void closed() {
    gateway.close();
    assertThat(send("/models", "", "sk-app-0123456789").status()).isEqualTo(503);
  }
}
