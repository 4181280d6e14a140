package io.strowger.benchmarks;

import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Configuration files of gateways with one upstream. */
public final class GatewayConfigs {
  /** The API key of callers. */
  public static final String KEY = "sk-bench-4b1f6c0d";

  /** The prefix of model ids, before the upstream's name of the model. */
  public static final String MODEL_PREFIX = "bench/";

  private static final String FILE =
      """
      {
        "providers": [ { "slug": "alpha", "protocol": "%s", "base_url": "%s", "api_key": "upstream-key" } ],
        "models": [ %s ],
        "keys": [ { "name": "bench", "key": "%s" } ]
      }
      """;
  private static final String MODEL =
      """
      { "id": "%1$s%2$s", "endpoints": [
          { "provider": "alpha", "upstream_model": "%2$s", "context_length": 128000, "max_output_tokens": 16384,
            "pricing": { "prompt": "0.000001", "completion": "0.000004" } } ] }\
      """;

  private GatewayConfigs() {}

  /**
   * Returns a configuration file with an upstream of the chat dialect.
   *
   * @param models the upstream's names of the models
   */
  public static String file(URI upstream, String... models) {
    return file(Api.CHAT, upstream, models);
  }

  /**
   * Returns a configuration file.
   *
   * @param api the dialect of the upstream
   * @param models the upstream's names of the models
   */
  static String file(Api api, URI upstream, String... models) {
    String modelsJson =
        Arrays.stream(models)
            .map(model -> MODEL.formatted(MODEL_PREFIX, model))
            .collect(Collectors.joining(",\n"));
    return FILE.formatted(api.protocol(), upstream, modelsJson, KEY);
  }

  /** Reads a configuration file. */
  public static GatewayConfig read(String file) {
    return ConfigReader.standard().read(file.getBytes(StandardCharsets.UTF_8)).orThrow();
  }
}
