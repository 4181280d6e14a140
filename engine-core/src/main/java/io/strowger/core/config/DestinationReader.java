package io.strowger.core.config;

import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks an observability destination in the form of its resource. Contract: "Observability
 * destination"; the members of {@code config} are those of the resources fact sheet, section 5.
 */
final class DestinationReader {
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  /** What the config of each type must have; everything in it is text. */
  private static final Map<String, List<String>> REQUIRED =
      Map.ofEntries(
          Map.entry("arize", List.of("apiKey", "spaceKey", "modelId")),
          Map.entry("braintrust", List.of("apiKey", "projectId")),
          Map.entry("clickhouse", List.of("host", "database", "username", "password")),
          Map.entry("datadog", List.of("apiKey", "mlApp")),
          Map.entry("grafana", List.of("apiKey", "instanceId")),
          Map.entry("langfuse", List.of("secretKey", "publicKey")),
          Map.entry("langsmith", List.of("apiKey")),
          Map.entry("newrelic", List.of("licenseKey")),
          Map.entry("opik", List.of("apiKey", "workspace", "projectName")),
          Map.entry("otel-collector", List.of("endpoint")),
          Map.entry("posthog", List.of("apiKey")),
          Map.entry("ramp", List.of("apiKey")),
          Map.entry("s3", List.of("bucketName", "accessKeyId", "secretAccessKey")),
          Map.entry("sentry", List.of("otlpEndpoint", "dsn")),
          Map.entry("snowflake", List.of("account", "token")),
          Map.entry("weave", List.of("apiKey", "entity", "project")),
          Map.entry("webhook", List.of("url")));

  private static final Choice<String> TYPES =
      Choice.of(REQUIRED.keySet().stream().sorted().toList(), type -> type);
  private static final Choice<String> LOGIC = Choice.words("and", "or");
  private static final Choice<String> FIELDS =
      Choice.words(
          "model",
          "provider",
          "session_id",
          "user_id",
          "api_key_name",
          "finish_reason",
          "input",
          "output",
          "total_cost",
          "total_tokens",
          "prompt_tokens",
          "completion_tokens");
  private static final Choice<String> OPERATORS =
      Choice.words(
          "equals",
          "not_equals",
          "contains",
          "not_contains",
          "regex",
          "starts_with",
          "ends_with",
          "gt",
          "lt",
          "gte",
          "lte",
          "exists",
          "not_exists");

  private final Unique ids = new Unique();

  Json.Obj read(Section in) {
    ids.check(in, "id", in.text("id"));
    in.require("id");
    in.text("name");
    in.require("name");
    String type = in.choice("type", TYPES);
    in.require("type");
    in.require("config");
    in.section("config", config -> config(config, type));
    in.flag("enabled", true);
    in.flag("privacy_mode", false);
    in.rate("sampling_rate");
    in.section("filter_rules", DestinationReader::filterRules);
    in.texts(
        "api_key_hashes",
        "must be the SHA-256 of a key, 64 lower-case hex digits",
        hash -> HASH.matcher(hash).matches());
    in.flag("broadcast_generation_cost", false);
    in.flag("broadcast_generation_identity", false);
    in.flag("broadcast_generation_request_context", false);
    for (String text : new String[] {"workspace_id", "created_at", "updated_at"}) {
      in.text(text);
    }
    return in.all();
  }

  /** Shows nothing of what a config holds. */
  private static boolean config(Section in, @Nullable String type) {
    List<String> required = type == null ? null : REQUIRED.get(type);
    if (required != null) {
      for (String name : required) {
        in.secret(name, "must be text that is not empty", text -> !text.isBlank());
        in.require(name);
      }
    }
    in.all();
    return true;
  }

  private static boolean filterRules(Section in) {
    in.flag("enabled", true);
    in.sections(
        "groups",
        (group, i) -> {
          group.choice("logic", LOGIC);
          group.sections("rules", (rule, j) -> rule(rule));
          return true;
        });
    return true;
  }

  private static boolean rule(Section in) {
    in.choice("field", FIELDS);
    in.require("field");
    in.choice("operator", OPERATORS);
    in.require("operator");
    in.scalar("value");
    return true;
  }
}
