package io.strowger.core.resource;

import static io.strowger.core.resource.ConfigMember.dsn;
import static io.strowger.core.resource.ConfigMember.secret;
import static io.strowger.core.resource.ConfigMember.text;
import static io.strowger.core.resource.ConfigMember.url;
import static io.strowger.core.resource.ConfigMember.word;

import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A kind of observability destination and what its {@code config} holds. Resources fact sheet,
 * section 5; open question 77. Besides its members every config may have {@link #HEADERS}.
 *
 * @param name as {@code type} spells it
 * @param members required ones first, in the order of the fact sheet
 */
public record DestinationType(String name, List<ConfigMember> members) {
  /** The member every config may have: text by name, sent with every call; the texts are secret. */
  public static final String HEADERS = "headers";

  /** All kinds, in the order of the fact sheet. */
  public static final List<DestinationType> ALL =
      List.of(
          of(
              "arize",
              secret("apiKey"),
              secret("spaceKey"),
              text("modelId"),
              url("baseUrl").or("https://otlp.arize.com")),
          of(
              "braintrust",
              secret("apiKey"),
              text("projectId"),
              url("baseUrl").or("https://api.braintrust.dev")),
          of(
              "clickhouse",
              text("host"),
              text("database"),
              text("username"),
              secret("password").orEmpty(),
              text("table").or("ROUTER_TRACES")),
          of(
              "datadog",
              secret("apiKey"),
              text("mlApp"),
              url("url").or("https://api.us5.datadoghq.com")),
          of(
              "grafana",
              secret("apiKey"),
              text("instanceId"),
              url("baseUrl").or("https://otlp-gateway-prod-us-west-0.grafana.net")),
          of(
              "langfuse",
              secret("secretKey"),
              text("publicKey"),
              url("baseUrl").or("https://us.cloud.langfuse.com")),
          of(
              "langsmith",
              secret("apiKey"),
              url("endpoint").or("https://api.smith.langchain.com"),
              text("project").or("main"),
              text("workspaceId").optional()),
          of("newrelic", secret("licenseKey"), word("region", "us", "eu").or("us")),
          of("opik", secret("apiKey"), text("workspace"), text("projectName")),
          of("otel-collector", url("endpoint")),
          of("posthog", secret("apiKey"), url("endpoint").or("https://us.i.posthog.com")),
          of("ramp", secret("apiKey"), url("baseUrl").optional()),
          of(
              "s3",
              text("bucketName"),
              secret("accessKeyId"),
              secret("secretAccessKey"),
              text("region").optional(),
              url("endpoint").optional(),
              secret("sessionToken").optional(),
              text("prefix").orEmpty().or("router-traces"),
              text("pathTemplate").orEmpty().or("{prefix}/{date}")),
          of("sentry", url("otlpEndpoint"), dsn("dsn")),
          of(
              "snowflake",
              text("account"),
              secret("token"),
              text("database").or("SNOWFLAKE_LEARNING_DB"),
              text("schema").or("PUBLIC"),
              text("table").or("ROUTER_TRACES"),
              text("warehouse").or("COMPUTE_WH")),
          of(
              "weave",
              secret("apiKey"),
              text("entity"),
              text("project"),
              url("baseUrl").or("https://trace.wandb.ai")),
          of("webhook", url("url"), word("method", "POST", "PUT").or("POST")));

  /** What {@code type} may be. */
  public static final List<String> NAMES = ALL.stream().map(DestinationType::name).toList();

  public DestinationType {
    Objects.requireNonNull(name, "name");
    members = List.copyOf(members);
  }

  private static DestinationType of(String name, ConfigMember... members) {
    return new DestinationType(name, List.of(members));
  }

  /** The kind of this name; null when there is none. */
  public static @Nullable DestinationType named(String name) {
    int i = NAMES.indexOf(name);
    return i < 0 ? null : ALL.get(i);
  }

  /** A config of this kind in which everything that was left out has its usual value. */
  public Json.Obj withFallbacks(Json.Obj config) {
    Json.Obj.Builder complete = Json.object().putAll(config);
    for (ConfigMember member : members) {
      if (member.fallback() instanceof String fallback && !config.has(member.name())) {
        complete.put(member.name(), fallback);
      }
    }
    return complete.build();
  }

  /** A config of this kind as it may be shown. */
  public Json.Obj masked(Json.Obj config) {
    Json.Obj.Builder shown = Json.object();
    for (int i = 0; i < config.size(); i++) {
      shown.put(config.name(i), shown(config.name(i), config.value(i)));
    }
    return shown.build();
  }

  /**
   * What a change of a config of this kind really changes: a secret that comes as it was shown is
   * none. Open question 76. Headers that come as they were shown are told apart by {@link #merged}.
   */
  public Json.Obj withoutMasks(Json.Obj changes) {
    Json.Obj.Builder real = Json.object();
    for (int i = 0; i < changes.size(); i++) {
      String name = changes.name(i);
      Json value = changes.value(i);
      if (!(isSecret(name) && Masks.isMask(value))) {
        real.put(name, value);
      }
    }
    return real.build();
  }

  /**
   * Returns a config of this kind after a change: members that the change has not stay, and so do
   * headers that come as they were shown. Of {@code headers} the change says all there are to be.
   *
   * @param changes what {@link #withoutMasks} left of it
   */
  public Json.Obj merged(Json.Obj config, Json.Obj changes) {
    Json.Obj merged = config;
    for (int i = 0; i < changes.size(); i++) {
      String name = changes.name(i);
      Json value = changes.value(i);
      Json after =
          name.equals(HEADERS) && value instanceof Json.Obj headers
              ? unmasked(headers, config.object(HEADERS))
              : value;
      merged = merged.with(name, after);
    }
    return merged;
  }

  private static Json.Obj unmasked(Json.Obj headers, Json.@Nullable Obj before) {
    Json.Obj.Builder real = Json.object();
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.name(i);
      if (!Masks.isMask(headers.value(i))) {
        real.put(name, headers.value(i));
      } else if (before != null && before.get(name) instanceof Json kept) {
        real.put(name, kept);
      }
    }
    return real.build();
  }

  private Json shown(String name, Json value) {
    if (name.equals(HEADERS) && value instanceof Json.Obj headers) {
      Json.Obj.Builder masked = Json.object();
      for (int i = 0; i < headers.size(); i++) {
        masked.put(headers.name(i), Masks.mask(headers.value(i)));
      }
      return masked.build();
    }
    return isSecret(name) ? Masks.mask(value) : value;
  }

  private boolean isSecret(String name) {
    return members.stream().anyMatch(member -> member.secret() && member.name().equals(name));
  }
}
