package io.strowger.host.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.ConfigResult;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec;
import java.nio.charset.StandardCharsets;

/** Reads JSON and imported configurations in tests; single quotes stand for double ones. */
final class ImportJson {
  private ImportJson() {}

  static Json json(String text) {
    return parsed(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  static Json parsed(byte[] document) {
    try {
      return new JacksonCodec().parse(document);
    } catch (JsonCodec.MalformedJsonException bad) {
      throw new IllegalArgumentException(bad);
    }
  }

  /** Returns the configuration as the engine reads it from the bytes the import would write. */
  static GatewayConfig config(ImportResult imported) {
    ConfigResult result =
        new ConfigReader(new JacksonCodec(), variable -> "key-of-" + variable)
            .read(imported.config().toBytes());
    assertThat(result.problems()).isEmpty();
    return result.orThrow();
  }

  static Catalog catalog(ImportResult imported) {
    return config(imported).catalog();
  }

  static Endpoint endpoint(ImportResult imported, String id) {
    return catalog(imported).endpoints().stream()
        .filter(endpoint -> endpoint.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + id + " in " + imported.config()));
  }
}
