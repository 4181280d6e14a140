package io.strowger.core.resource;

import static io.strowger.core.resource.ConfigMember.dsn;
import static io.strowger.core.resource.ConfigMember.host;
import static io.strowger.core.resource.ConfigMember.secret;
import static io.strowger.core.resource.ConfigMember.text;
import static io.strowger.core.resource.ConfigMember.url;
import static io.strowger.core.resource.ConfigMember.word;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A type of observability destination and what its {@code config} holds. Resources fact sheet,
 * section 5; open question 77. Besides its members every config may have {@link #HEADERS}.
 *
 * @param name the value of {@code type}
 * @param members required ones first, in the order of the fact sheet
 */
public record DestinationType(String name, List<ConfigMember> members) {
  /** The member every config may have: header values by name, sent with every call; all secret. */
  public static final String HEADERS = "headers";

  private static final JsonPointer CONFIG = JsonPointer.ROOT.child("config");

  /** Scheme, user, host and port of an address. */
  private static final Pattern ORIGIN = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*://[^/?#]*");

  /** All types, in the order of the fact sheet. */
  public static final List<DestinationType> ALL =
      List.of(
          of(
              "arize",
              secret("apiKey"),
              secret("spaceKey"),
              text("modelId"),
              url("baseUrl").withDefault("https://otlp.arize.com")),
          of(
              "braintrust",
              secret("apiKey"),
              text("projectId"),
              url("baseUrl").withDefault("https://api.braintrust.dev")),
          of(
              "clickhouse",
              host("host"),
              text("database"),
              text("username"),
              secret("password").allowEmpty(),
              text("table").withDefault("ROUTER_TRACES")),
          of(
              "datadog",
              secret("apiKey"),
              text("mlApp"),
              url("url").withDefault("https://api.us5.datadoghq.com")),
          of(
              "grafana",
              secret("apiKey"),
              text("instanceId"),
              url("baseUrl").withDefault("https://otlp-gateway-prod-us-west-0.grafana.net")),
          of(
              "langfuse",
              secret("secretKey"),
              text("publicKey"),
              url("baseUrl").withDefault("https://us.cloud.langfuse.com")),
          of(
              "langsmith",
              secret("apiKey"),
              url("endpoint").withDefault("https://api.smith.langchain.com"),
              text("project").withDefault("main"),
              text("workspaceId").optional()),
          of("newrelic", secret("licenseKey"), word("region", "us", "eu").withDefault("us")),
          of("opik", secret("apiKey"), text("workspace"), text("projectName")),
          of("otel-collector", url("endpoint")),
          of("posthog", secret("apiKey"), url("endpoint").withDefault("https://us.i.posthog.com")),
          of("ramp", secret("apiKey"), url("baseUrl").optional()),
          of(
              "s3",
              text("bucketName"),
              secret("accessKeyId"),
              secret("secretAccessKey"),
              text("region").optional(),
              url("endpoint").optional(),
              secret("sessionToken").optional(),
              text("prefix").allowEmpty().withDefault("router-traces"),
              text("pathTemplate").allowEmpty().withDefault("{prefix}/{date}")),
          of("sentry", url("otlpEndpoint"), dsn("dsn")),
          of(
              "snowflake",
              host("account"),
              secret("token"),
              text("database").withDefault("SNOWFLAKE_LEARNING_DB"),
              text("schema").withDefault("PUBLIC"),
              text("table").withDefault("ROUTER_TRACES"),
              text("warehouse").withDefault("COMPUTE_WH")),
          of(
              "weave",
              secret("apiKey"),
              text("entity"),
              text("project"),
              url("baseUrl").withDefault("https://trace.wandb.ai")),
          of("webhook", url("url"), word("method", "POST", "PUT").withDefault("POST")));

  /** The allowed values of {@code type}. */
  public static final List<String> NAMES = ALL.stream().map(DestinationType::name).toList();

  public DestinationType {
    Objects.requireNonNull(name, "name");
    members = List.copyOf(members);
  }

  private static DestinationType of(String name, ConfigMember... members) {
    return new DestinationType(name, List.of(members));
  }

  /** Returns the type with this name; null when there is none. */
  public static @Nullable DestinationType find(String name) {
    int i = NAMES.indexOf(name);
    return i < 0 ? null : ALL.get(i);
  }

  /**
   * Returns a config of this type in which members that were left out have their default values.
   * Members unknown to this type are dropped, since they might be secret.
   */
  public Json.Obj withDefaults(Json.Obj config) {
    Json.Obj.Builder result = Json.object();
    for (int i = 0; i < config.size(); i++) {
      if (isKnown(config.name(i)) && !Json.NULL.equals(config.value(i))) {
        result.put(config.name(i), config.value(i));
      }
    }
    for (ConfigMember member : members) {
      if (member.defaultValue() instanceof String defaultValue && !isSet(config, member.name())) {
        result.put(member.name(), defaultValue);
      }
    }
    return result.build();
  }

  private boolean isKnown(String name) {
    return name.equals(HEADERS) || members.stream().anyMatch(member -> member.name().equals(name));
  }

  private static boolean isSet(Json.Obj config, String name) {
    return config.get(name) instanceof Json value && !Json.NULL.equals(value);
  }

  /** Returns a config of this type as it may be shown, with secrets masked. */
  public Json.Obj mask(Json.Obj config) {
    Json.Obj.Builder masked = Json.object();
    for (int i = 0; i < config.size(); i++) {
      if (!isKnown(config.name(i))) {
        continue;
      }
      masked.put(config.name(i), maskIfSecret(config.name(i), config.value(i)));
    }
    return masked.build();
  }

  /**
   * Returns a change of a config without the secrets that are sent back masked, which change
   * nothing. Open question 76. Masked headers are handled by {@link #merge}.
   */
  public Json.Obj withoutMasks(Json.Obj changes) {
    Json.Obj.Builder unmasked = Json.object();
    for (int i = 0; i < changes.size(); i++) {
      String name = changes.name(i);
      Json value = changes.value(i);
      if (!(isSecret(name) && ConfigMask.isMask(value))) {
        unmasked.put(name, value);
      }
    }
    return unmasked.build();
  }

  /**
   * Returns the places of masked secrets for which no value is stored.
   *
   * @param currentConfig the stored config; empty for a new destination
   */
  public List<JsonPointer> unknownMasks(Json.Obj config, Json.Obj currentConfig) {
    var pointers = new ArrayList<JsonPointer>();
    for (int i = 0; i < config.size(); i++) {
      String name = config.name(i);
      if (isSecret(name) && !currentConfig.has(name) && ConfigMask.isMask(config.value(i))) {
        pointers.add(CONFIG.child(name));
      }
    }
    Json.Obj headers = config.object(HEADERS);
    Json.Obj currentHeaders =
        Objects.requireNonNullElse(currentConfig.object(HEADERS), Json.Obj.EMPTY);
    for (int i = 0; headers != null && i < headers.size(); i++) {
      if (ConfigMask.isMask(headers.value(i)) && !currentHeaders.has(headers.name(i))) {
        pointers.add(CONFIG.child(HEADERS).child(headers.name(i)));
      }
    }
    return List.copyOf(pointers);
  }

  /**
   * Returns the places of the secrets that a change must repeat: all of them when the change gives
   * an address another scheme, user, host or port, otherwise none. So a changed address cannot be
   * used to read the stored secrets.
   *
   * @param currentConfig the config that is changed
   * @param changes the change as returned by {@link #withoutMasks}
   */
  public List<JsonPointer> secretsToRepeat(Json.Obj currentConfig, Json.Obj changes) {
    Json.Obj updatedConfig = merge(currentConfig, changes);
    boolean isAddressChanged =
        members.stream()
            .filter(ConfigMember::isAddress)
            .anyMatch(
                member -> !origin(currentConfig, member).equals(origin(updatedConfig, member)));
    if (!isAddressChanged) {
      return List.of();
    }
    var pointers = new ArrayList<JsonPointer>();
    for (ConfigMember member : members) {
      if (member.secret() && isSet(updatedConfig, member.name()) && !changes.has(member.name())) {
        pointers.add(CONFIG.child(member.name()));
      }
    }
    Json.Obj headers = updatedConfig.object(HEADERS);
    Json.Obj changedHeaders = Objects.requireNonNullElse(changes.object(HEADERS), Json.Obj.EMPTY);
    for (int i = 0; headers != null && i < headers.size(); i++) {
      Json changedValue = changedHeaders.get(headers.name(i));
      if (changedValue == null || ConfigMask.isMask(changedValue)) {
        pointers.add(CONFIG.child(HEADERS).child(headers.name(i)));
      }
    }
    return List.copyOf(pointers);
  }

  /** Returns the part of an address that identifies the server, in lower case. */
  private static String origin(Json.Obj config, ConfigMember member) {
    String text = Objects.requireNonNullElse(config.text(member.name()), "");
    Matcher matcher = ORIGIN.matcher(text);
    return (matcher.lookingAt() ? matcher.group() : text).toLowerCase(Locale.ROOT);
  }

  /**
   * Returns a config of this type after a change: members missing from the change stay, and so do
   * headers that are sent masked. Null removes an optional member. {@code headers} in the change
   * replace all former ones.
   *
   * @param changes the change as returned by {@link #withoutMasks}
   */
  public Json.Obj merge(Json.Obj config, Json.Obj changes) {
    Json.Obj result = config;
    for (int i = 0; i < changes.size(); i++) {
      String name = changes.name(i);
      Json value = changes.value(i);
      Json newValue =
          name.equals(HEADERS) && value instanceof Json.Obj headers
              ? unmaskHeaders(headers, config.object(HEADERS))
              : value;
      result = result.with(name, newValue);
    }
    return withDefaults(result);
  }

  private static Json.Obj unmaskHeaders(Json.Obj headers, Json.@Nullable Obj currentHeaders) {
    Json.Obj.Builder unmasked = Json.object();
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.name(i);
      if (!ConfigMask.isMask(headers.value(i))) {
        unmasked.put(name, headers.value(i));
      } else if (currentHeaders != null && currentHeaders.get(name) instanceof Json currentValue) {
        unmasked.put(name, currentValue);
      }
    }
    return unmasked.build();
  }

  private Json maskIfSecret(String name, Json value) {
    if (name.equals(HEADERS) && value instanceof Json.Obj headers) {
      Json.Obj.Builder masked = Json.object();
      for (int i = 0; i < headers.size(); i++) {
        masked.put(headers.name(i), ConfigMask.mask(headers.value(i)));
      }
      return masked.build();
    }
    return isSecret(name) ? ConfigMask.mask(value) : value;
  }

  private boolean isSecret(String name) {
    return members.stream().anyMatch(member -> member.secret() && member.name().equals(name));
  }
}
