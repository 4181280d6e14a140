package io.strowger.host.catalog;

import static io.strowger.host.catalog.ImportJson.catalog;
import static io.strowger.host.catalog.ImportJson.parsed;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.simulated.SimulatedFactory;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.provider.Cancellation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A gateway's own model listing")
class OwnListingTest {
  private static final String CONFIG =
      """
      { 'providers': [ { 'slug': 'alpha', 'name': 'Alpha', 'protocol': 'simulated', 'base_url': 'http://127.0.0.1:1' },
                       { 'slug': 'beta', 'protocol': 'simulated', 'base_url': 'http://127.0.0.1:1' } ],
        'models': [
          { 'id': 'acme/large', 'name': 'Large', 'created': '2026-05-01T00:00:00Z',
            'reasoning': { 'mandatory': true, 'efforts': [ 'low', 'high' ], 'max_tokens': true },
            'endpoints': [
              { 'provider': 'alpha', 'context_length': 128000, 'max_output_tokens': 4096, 'quantization': 'fp8',
                'supported_parameters': [ 'tools', 'temperature' ], 'input_modalities': [ 'text', 'image' ],
                'pricing': { 'prompt': '0.000001', 'completion': '0.000002', 'input_cache_read': '0.0000001',
                             'input_cache_write': '0.00000125', 'internal_reasoning': '0.000000000001', 'request': '0.001',
                             'image': '0.5', 'input_audio': '0.00001', 'web_search': '0.01',
                             'overrides': [ { 'min_prompt_tokens': 200000, 'prompt': '0.000002', 'input_cache_read': '0' },
                                            { 'utc_start': 1630, 'utc_end': 30, 'completion': '0.000001' },
                                            { 'image': '0.25' } ] } },
              { 'provider': 'alpha', 'tag': 'alpha/priority', 'service_tier': 'priority',
                'input_modalities': [ 'text', 'image' ], 'pricing': { 'prompt': '0.5', 'completion': '1000000' } },
              { 'provider': 'beta', 'input_modalities': [ 'text', 'image' ], 'pricing': { 'completion': '0.00001' } } ] },
          { 'id': 'acme/small:free', 'endpoints': [ { 'provider': 'beta' } ] },
          { 'id': 'acme/embed', 'endpoints': [ { 'provider': 'beta', 'kind': 'embeddings', 'pricing': { 'prompt': '0.00000002' } } ] },
          { 'id': 'acme/voice', 'endpoints': [ { 'provider': 'beta', 'kind': 'speech', 'pricing': { 'characters': '0.000015' } } ] } ],
        'keys': [ { 'name': 'app', 'key': 'sk-app-0123456789', 'management': false } ] }
      """
          .replace('\'', '"');

  private static byte[] get(Gateway gateway, String path) throws IOException {
    WireResponse response =
        gateway
            .wire()
            .handle(
                new WireRequest(
                    "GET",
                    path,
                    "",
                    name ->
                        name.equalsIgnoreCase("Authorization") ? "Bearer sk-app-0123456789" : null,
                    InputStream.nullInputStream(),
                    new Cancellation()));
    assertThat(response.status()).isEqualTo(200);
    var out = new ByteArrayOutputStream();
    response.body().transferTo(out);
    response.body().close();
    return out.toByteArray();
  }

  @Test
  @DisplayName("can be imported as a configuration, with the same endpoints and the same prices")
  void roundTrip() throws IOException {
    var config = ConfigReader.standard().read(CONFIG.getBytes(StandardCharsets.UTF_8)).orThrow();
    try (Gateway gateway = Gateway.builder(config).provider(new SimulatedFactory()).build()) {
      for (ModelInfo model : config.catalog().models()) {
        byte[] listing = get(gateway, "/models/" + model.id() + "/endpoints");
        ImportResult imported = CatalogImport.LISTING.read(parsed(listing), ImportOptions.ALL);
        assertThat(imported.summary().skipped()).isEmpty();
        assertSameModel(model, catalog(imported));
      }
    }
  }

  private static void assertSameModel(ModelInfo model, Catalog imported) {
    ModelInfo importedModel = Objects.requireNonNull(imported.model(model.id()));
    assertThat(importedModel.name()).isEqualTo(model.name());
    assertThat(importedModel.createdAt()).isEqualTo(model.createdAt());
    assertThat(importedModel.reasoning()).isEqualTo(model.reasoning());
    assertThat(importedModel.endpoints())
        .extracting(Endpoint::id)
        .containsExactlyElementsOf(model.endpoints().stream().map(Endpoint::id).toList());
    for (int i = 0; i < model.endpoints().size(); i++) {
      assertSameEndpoint(model.endpoints().get(i), importedModel.endpoints().get(i));
    }
  }

  private static void assertSameEndpoint(Endpoint endpoint, Endpoint imported) {
    assertThat(imported.kind()).isEqualTo(endpoint.kind());
    assertThat(imported.contextLength()).isEqualTo(endpoint.contextLength());
    assertThat(imported.maxOutputTokens()).isEqualTo(endpoint.maxOutputTokens());
    assertThat(imported.quantization()).isEqualTo(endpoint.quantization());
    assertThat(imported.parameterMask()).isEqualTo(endpoint.parameterMask());
    assertThat(imported.inputModalities()).isEqualTo(endpoint.inputModalities());
    assertThat(imported.serviceTier()).isEqualTo(endpoint.serviceTier());
    for (Price price : Price.values()) {
      for (long tokens : List.of(1L, 200_000L, 200_001L)) {
        for (String at : List.of("T00:29:00Z", "T00:30:00Z", "T12:00:00Z", "T16:30:00Z")) {
          Instant when = Instant.parse("2026-11-21" + at);
          assertThat(imported.pricing().effective(tokens, when).price(price))
              .as("%s of %s for %d tokens at %s", price, endpoint, tokens, at)
              .isEqualTo(endpoint.pricing().effective(tokens, when).price(price));
        }
      }
    }
  }
}
