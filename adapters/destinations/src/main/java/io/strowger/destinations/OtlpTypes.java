package io.strowger.destinations;

import io.strowger.destinations.OtlpTarget.Conventions;
import io.strowger.spi.provider.Transport;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The destination types that receive OpenTelemetry spans: for each, the path below its address, the
 * headers with its credential, and the attributes of the resource. {@code webhook}, {@code
 * otel-collector} and {@code ramp} are sent JSON, all others the binary form.
 */
final class OtlpTypes {
  private static final String TRACES_PATH = "/v1/traces";

  private static final Map<String, Function<ConfigValues, OtlpTarget>> TYPES =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(
                  "arize",
                  config ->
                      binaryTarget(
                          config,
                          ConfigValues.appendPath(config.uri("baseUrl"), TRACES_PATH),
                          arizeHeaders(config),
                          Map.of(
                              "model_id",
                              config.text("modelId"),
                              "openinference.project.name",
                              config.text("modelId")),
                          Conventions.OPEN_INFERENCE)),
              Map.entry(
                  "braintrust",
                  config ->
                      binaryTarget(
                          config,
                          ConfigValues.appendPath(config.uri("baseUrl"), "/otel" + TRACES_PATH),
                          Map.of(
                              "Authorization",
                              bearer(config.text("apiKey")),
                              "x-bt-parent",
                              "project_id:" + config.text("projectId")))),
              Map.entry(
                  "grafana",
                  config ->
                      binaryTarget(
                          config,
                          ConfigValues.appendPath(config.uri("baseUrl"), "/otlp" + TRACES_PATH),
                          Map.of(
                              "Authorization",
                              basic(config.text("instanceId"), config.text("apiKey"))))),
              Map.entry(
                  "langfuse",
                  config ->
                      binaryTarget(
                          config,
                          ConfigValues.appendPath(
                              config.uri("baseUrl"), "/api/public/otel" + TRACES_PATH),
                          Map.of(
                              "Authorization",
                              basic(config.text("publicKey"), config.text("secretKey"))))),
              Map.entry(
                  "langsmith",
                  config ->
                      binaryTarget(
                          config,
                          ConfigValues.appendPath(config.uri("endpoint"), "/otel" + TRACES_PATH),
                          langsmithHeaders(config),
                          Map.of(),
                          Conventions.LANGSMITH)),
              Map.entry(
                  "newrelic",
                  config ->
                      binaryTarget(
                          config,
                          URI.create(
                              config.text("region", "us").equals("eu")
                                  ? "https://otlp.eu01.nr-data.net" + TRACES_PATH
                                  : "https://otlp.nr-data.net" + TRACES_PATH),
                          Map.of("api-key", config.text("licenseKey")))),
              Map.entry(
                  "opik",
                  config ->
                      binaryTarget(
                          config,
                          URI.create(
                              "https://www.comet.com/opik/api/v1/private/otel" + TRACES_PATH),
                          Map.of(
                              "Authorization",
                              config.text("apiKey"),
                              "Comet-Workspace",
                              config.text("workspace"),
                              "projectName",
                              config.text("projectName")))),
              Map.entry(
                  "otel-collector", config -> jsonTarget(config, collectorUri(config), Map.of())),
              Map.entry(
                  "ramp",
                  config ->
                      jsonTarget(
                          config,
                          tracesUri(config.uri("baseUrl")), // the contract has no default
                          Map.of("Authorization", bearer(config.text("apiKey"))))),
              Map.entry(
                  "sentry",
                  config ->
                      binaryTarget(
                          config,
                          tracesUri(config.uri("otlpEndpoint")),
                          Map.of(
                              "x-sentry-auth",
                              "sentry sentry_key=" + publicKey(config.text("dsn"))))),
              Map.entry(
                  "weave",
                  config -> {
                    String project = config.text("entity") + "/" + config.text("project");
                    return binaryTarget(
                        config,
                        ConfigValues.appendPath(config.uri("baseUrl"), "/otel" + TRACES_PATH),
                        Map.of(
                            "Authorization",
                            basic("api", config.text("apiKey")),
                            "project_id",
                            project),
                        Map.of(
                            "wandb.entity",
                            config.text("entity"),
                            "wandb.project",
                            config.text("project")),
                        Conventions.GEN_AI);
                  }),
              Map.entry(
                  "webhook",
                  config ->
                      new OtlpTarget(
                          config.text("method", "POST").equals("PUT")
                              ? Transport.Method.PUT
                              : Transport.Method.POST,
                          config.uri("url"),
                          config.headers(Map.of()),
                          true,
                          Map.of(),
                          Conventions.GEN_AI))));

  static final Set<String> NAMES = Set.copyOf(TYPES.keySet());

  private OtlpTypes() {}

  /**
   * Returns the target of a destination, from its type and config.
   *
   * @throws IllegalArgumentException when the type is unknown or the config cannot work
   */
  static OtlpTarget target(String type, ConfigValues config) {
    Function<ConfigValues, OtlpTarget> factory = TYPES.get(type);
    if (factory == null) {
      throw new IllegalArgumentException("type " + type + " has no exporter");
    }
    return factory.apply(config);
  }

  private static OtlpTarget binaryTarget(
      ConfigValues config, URI uri, Map<String, String> headers) {
    return binaryTarget(config, uri, headers, Map.of(), Conventions.GEN_AI);
  }

  private static OtlpTarget binaryTarget(
      ConfigValues config,
      URI uri,
      Map<String, String> headers,
      Map<String, String> resource,
      Conventions conventions) {
    return new OtlpTarget(
        Transport.Method.POST, uri, config.headers(headers), false, resource, conventions);
  }

  private static OtlpTarget jsonTarget(ConfigValues config, URI uri, Map<String, String> headers) {
    return new OtlpTarget(
        Transport.Method.POST, uri, config.headers(headers), true, Map.of(), Conventions.GEN_AI);
  }

  /**
   * Returns Arize's headers twice: under their documented names, and without the prefix, as older
   * clients send them.
   */
  private static Map<String, String> arizeHeaders(ConfigValues config) {
    String space = config.text("spaceKey");
    String key = config.text("apiKey");
    return Map.of("arize-space-id", space, "arize-api-key", key, "space_id", space, "api_key", key);
  }

  private static Map<String, String> langsmithHeaders(ConfigValues config) {
    var headers = new LinkedHashMap<String, String>();
    headers.put("x-api-key", config.text("apiKey"));
    headers.put("Langsmith-Project", config.text("project", "main"));
    String workspace = config.textOrNull("workspaceId");
    if (workspace != null) {
      headers.put("X-Tenant-Id", workspace);
    }
    return headers;
  }

  /** Returns a collector's address for traces; adds the path when the config has none. */
  private static URI collectorUri(ConfigValues config) {
    URI endpoint = config.uri("endpoint");
    String path = endpoint.getRawPath();
    return path == null || path.isEmpty() || path.equals("/")
        ? ConfigValues.appendPath(endpoint, TRACES_PATH)
        : endpoint;
  }

  /** Returns an address that ends in the path for traces, appended if it is missing. */
  private static URI tracesUri(URI endpoint) {
    String path = endpoint.getRawPath();
    return path != null && path.endsWith(TRACES_PATH)
        ? endpoint
        : ConfigValues.appendPath(endpoint, TRACES_PATH);
  }

  private static String bearer(String key) {
    return "Bearer " + key;
  }

  private static String basic(String user, String password) {
    byte[] credentials = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(credentials);
  }

  /**
   * Returns the public key of {@code https://<public key>@<host>/<project>}; in an older DSN a
   * colon and a secret key follow it.
   */
  private static String publicKey(String dsn) {
    int from = dsn.indexOf("://");
    int to = dsn.indexOf('@');
    if (from < 0 || to < from + 4) {
      throw new IllegalArgumentException("dsn must have a public key");
    }
    String user = dsn.substring(from + 3, to);
    int colon = user.indexOf(':');
    return colon < 0 ? user : user.substring(0, colon);
  }
}
