package io.strowger.core.config;

import io.strowger.spi.json.Json;
import io.strowger.spi.store.Period;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Builds a configuration in code. It makes the document that a file would contain, and {@link
 * ConfigReader} reads it: the members, defaults and checks are the same, and every problem is
 * reported at once, with its place in that document.
 *
 * <pre>{@code
 * GatewayConfig config =
 *     GatewayConfig.builder()
 *         .provider("acme", "openai-chat", "https://api.acme.example/v1", p -> p.apiKeyFrom("ACME_KEY"))
 *         .model("acme/large", m -> m.endpoint("acme", e -> e.usdPerMillion("1", "2")))
 *         .key("app", "sk-app-...", k -> k.limit("10", Period.DAILY))
 *         .build();
 * }</pre>
 *
 * <p>Every method returns this builder; setting a value again replaces it. As in a file, {@code
 * ${NAME}} in a text is replaced by an environment variable, but not in secrets passed to {@code
 * apiKey}, {@code key} and {@code header}: these are taken literally and never shown in a problem
 * or {@code toString}. For one thread. docs/operating.md lists all members.
 */
public final class ConfigBuilder {
  /** The prefix of the variables that replace secrets in the document. */
  private static final String SECRET_PREFIX = "__strowger_builder_secret_";

  private final Map<String, String> secrets = new LinkedHashMap<>();
  private final List<Json> providers = new ArrayList<>();
  private final List<Json> models = new ArrayList<>();
  private final List<Json> keys = new ArrayList<>();
  private Json.Obj document = Json.Obj.EMPTY;

  ConfigBuilder() {}

  /**
   * Adds a provider.
   *
   * @param slug the name endpoints use for it: lower-case letters, digits, {@code .}, {@code _} and
   *     {@code -}
   * @param protocol the protocol it speaks, such as {@code openai-chat}
   * @param baseUrl the URL below which its API is, such as {@code https://host/v1}
   * @param configurer sets its credential and other options
   */
  public ConfigBuilder provider(
      String slug, String protocol, String baseUrl, Consumer<ProviderOptions> configurer) {
    var options = new ProviderOptions(this);
    options.set("slug", text(slug, "slug"));
    options.set("protocol", text(protocol, "protocol"));
    options.set("base_url", text(baseUrl, "baseUrl"));
    configurer.accept(options);
    providers.add(options.members);
    return this;
  }

  /**
   * Adds a model.
   *
   * @param id the name requests use for it, such as {@code acme/large}
   * @param configurer adds its endpoints, at least one, and sets other options
   */
  public ConfigBuilder model(String id, Consumer<ModelOptions> configurer) {
    var options = new ModelOptions();
    options.set("id", text(id, "id"));
    configurer.accept(options);
    models.add(options.members.with("endpoints", Json.array(options.endpoints)));
    return this;
  }

  /**
   * Adds a key without a limit.
   *
   * @param name for people
   * @param key the secret that callers send, printable ASCII without blanks; taken literally
   */
  public ConfigBuilder key(String name, String key) {
    return key(name, key, options -> {});
  }

  /**
   * Adds a key.
   *
   * @param name for people
   * @param key the secret that callers send, printable ASCII without blanks; taken literally
   * @param configurer sets its limit and other options
   */
  public ConfigBuilder key(String name, String key, Consumer<KeyOptions> configurer) {
    return key(name, "key", secret(key), configurer);
  }

  /**
   * Adds a key of which only the SHA-256 is known here.
   *
   * @param name for people
   * @param sha256 of the secret that callers send, as 64 lower-case hex digits
   * @param configurer sets its limit and other options
   */
  public ConfigBuilder keyWithHash(String name, String sha256, Consumer<KeyOptions> configurer) {
    return key(name, "key_sha256", text(sha256, "sha256"), configurer);
  }

  private ConfigBuilder key(
      String name, String member, Json value, Consumer<KeyOptions> configurer) {
    var options = new KeyOptions();
    options.set("name", text(name, "name"));
    options.set(member, value);
    configurer.accept(options);
    keys.add(options.members);
    return this;
  }

  /**
   * Sets a member of the file that has no method here.
   *
   * @param place the name of a member of the file, such as {@code account}, or a JSON pointer to a
   *     nested one, such as {@code /timeouts/total_ms}
   * @throws IllegalArgumentException for {@code providers}, {@code models} and {@code keys}, which
   *     have methods of their own, and for a pointer through a value that is not an object
   */
  public ConfigBuilder set(String place, Json value) {
    Objects.requireNonNull(value, "value");
    String path = place.startsWith("/") ? place.substring(1) : escape(place);
    List<String> names =
        List.of(path.split("/", -1)).stream()
            .map(name -> name.replace("~1", "/").replace("~0", "~"))
            .toList();
    document =
        switch (names.getFirst()) {
          case "providers", "models", "keys" ->
              throw new IllegalArgumentException(names.getFirst() + " has its own method; use it");
          default -> put(document, names, value, place);
        };
    return this;
  }

  private static String escape(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  private static Json.Obj put(Json.Obj parent, List<String> names, Json value, String place) {
    String name = names.getFirst();
    if (names.size() == 1) {
      return parent.with(name, value);
    }
    Json child = parent.get(name);
    if (child != null && !(child instanceof Json.Obj)) {
      throw new IllegalArgumentException(
          place + " leads through " + name + ", which was set to a value that is not an object");
    }
    Json.Obj childObject = child instanceof Json.Obj object ? object : Json.Obj.EMPTY;
    return parent.with(name, put(childObject, names.subList(1, names.size()), value, place));
  }

  private static Json.Str text(String text, String name) {
    return Json.of(Objects.requireNonNull(text, name));
  }

  /** Stores a secret and returns a reference to it, so that its text is never expanded. */
  private Json.Str secret(String value) {
    String name = SECRET_PREFIX + secrets.size();
    secrets.put(name, Objects.requireNonNull(value, "secret"));
    return Json.of("${" + name + "}");
  }

  /**
   * Returns the configuration, read like a file with the built-in protocols and this process's
   * environment.
   *
   * @throws io.strowger.spi.error.GatewayException with {@code INVALID_REQUEST} when something is
   *     wrong; it names every problem with its place
   */
  public GatewayConfig build() {
    return build(ConfigReader.standard());
  }

  /**
   * Returns the configuration, read by the given reader, such as one that knows more protocols or
   * has other variables.
   *
   * @throws io.strowger.spi.error.GatewayException as {@link #build()}
   */
  public GatewayConfig build(ConfigReader reader) {
    Json.Obj.Builder builder = Json.object().putAll(document);
    builder.put("providers", Json.array(providers));
    builder.put("models", Json.array(models));
    builder.put("keys", Json.array(keys));
    return reader.withVariables(Map.copyOf(secrets)).read(builder.build()).orThrow();
  }

  /** Returns only counts, no values. */
  @Override
  public String toString() {
    return "configuration with "
        + providers.size()
        + " providers, "
        + models.size()
        + " models, "
        + keys.size()
        + " keys";
  }

  /** Sets the options of a provider. For one thread, only during the call it is passed to. */
  public static final class ProviderOptions {
    private Json.Obj members = Json.Obj.EMPTY;
    private Json.Obj headers = Json.Obj.EMPTY;
    private final ConfigBuilder builder;

    private ProviderOptions(ConfigBuilder builder) {
      this.builder = builder;
    }

    /** Sets the credential itself, taken literally. Default: the provider has no credential. */
    public ProviderOptions apiKey(String secret) {
      return set("api_key", builder.secret(secret));
    }

    /** Sets the name of the environment variable that holds the credential; it must be set. */
    public ProviderOptions apiKeyFrom(String variable) {
      return set("api_key", Json.of("${" + Objects.requireNonNull(variable, "variable") + "}"));
    }

    /**
     * Sends a header with every request.
     *
     * @param value the value, taken literally, since it may be a secret
     */
    public ProviderOptions header(String name, String value) {
      headers = headers.with(Objects.requireNonNull(name, "name"), builder.secret(value));
      return set("headers", headers);
    }

    /**
     * Sets what the provider does with prompts. Default: it retains them and trains on them.
     *
     * @param retainsPrompts whether it keeps prompts
     * @param trainsOnPrompts whether it trains models on them
     */
    public ProviderOptions dataPolicy(boolean retainsPrompts, boolean trainsOnPrompts) {
      return set(
          "data_policy",
          Json.object()
              .put("retains_prompts", Json.of(retainsPrompts))
              .put("trains_on_prompts", Json.of(trainsOnPrompts))
              .build());
    }

    /** Sets any member of the provider by its name in a file. */
    public ProviderOptions set(String name, Json value) {
      members = members.with(Objects.requireNonNull(name, "name"), value);
      return this;
    }
  }

  /** Sets the options of a model. For one thread, only during the call it is passed to. */
  public static final class ModelOptions {
    private Json.Obj members = Json.Obj.EMPTY;
    private final List<Json> endpoints = new ArrayList<>();

    private ModelOptions() {}

    /**
     * Adds an endpoint: a provider that serves the model.
     *
     * @param provider the slug of the provider
     * @param configurer sets its prices and other options
     */
    public ModelOptions endpoint(String provider, Consumer<EndpointOptions> configurer) {
      var options = new EndpointOptions();
      options.set("provider", text(provider, "provider"));
      configurer.accept(options);
      endpoints.add(options.build());
      return this;
    }

    /** Sets further names that requests may use for the model. */
    public ModelOptions aliases(String... names) {
      return set("aliases", Json.array(List.of(names).stream().map(Json::of).toList()));
    }

    /**
     * Sets any member of the model by its name in a file.
     *
     * @throws IllegalArgumentException for {@code endpoints}, which has a method of its own
     */
    public ModelOptions set(String name, Json value) {
      if (name.equals("endpoints")) {
        throw new IllegalArgumentException("endpoints has its own method; use it");
      }
      members = members.with(Objects.requireNonNull(name, "name"), value);
      return this;
    }
  }

  /** Sets the options of an endpoint. For one thread, only during the call it is passed to. */
  public static final class EndpointOptions {
    private static final int MAX_ZEROS = 40;

    private Json.Obj members = Json.Obj.EMPTY;
    private Json.Obj prices = Json.Obj.EMPTY;

    private EndpointOptions() {}

    /** Sets the provider's name for the model. Default: the model's id. */
    public EndpointOptions upstreamModel(String name) {
      return set("upstream_model", text(name, "name"));
    }

    /**
     * Sets the prices of text in US dollars per million tokens, as decimals such as {@code 0.15}:
     * exact up to six decimals.
     */
    public EndpointOptions usdPerMillion(String prompt, String completion) {
      return price("prompt", perToken(prompt)).price("completion", perToken(completion));
    }

    /**
     * Converts a price; returns an invalid one unchanged, so that the reader reports it together
     * with all other problems.
     */
    private static String perToken(String usdPerMillion) {
      try {
        BigDecimal usd = new BigDecimal(usdPerMillion);
        boolean isShort = Math.abs((long) usd.scale()) <= MAX_ZEROS;
        return isShort ? usd.movePointLeft(6).toPlainString() : usdPerMillion;
      } catch (NumberFormatException e) {
        return usdPerMillion;
      }
    }

    /**
     * Sets a price in US dollars.
     *
     * @param name the name of the price in {@code pricing}, such as {@code image} or {@code
     *     request}
     * @param usd the price of one token, image, request and so on, as a decimal
     */
    public EndpointOptions price(String name, String usd) {
      prices = prices.with(Objects.requireNonNull(name, "name"), text(usd, "usd"));
      return this;
    }

    /** Sets how many tokens the prompt and the answer may have together. */
    public EndpointOptions contextLength(int tokens) {
      return set("context_length", Json.of(tokens));
    }

    /** Sets any member of the endpoint by its name in a file. */
    public EndpointOptions set(String name, Json value) {
      members = members.with(Objects.requireNonNull(name, "name"), value);
      return this;
    }

    private Json.Obj build() {
      return prices.size() == 0 ? members : members.with("pricing", prices);
    }
  }

  /** Sets the options of a key. For one thread, only during the call it is passed to. */
  public static final class KeyOptions {
    private Json.Obj members = Json.Obj.EMPTY;

    private KeyOptions() {}

    /** Sets the most the key may spend in total, in US dollars, as a decimal from 0. */
    public KeyOptions limit(String usd) {
      return set("limit", text(usd, "usd"));
    }

    /**
     * Sets the most the key may spend in each period.
     *
     * @param usd in US dollars, as a decimal from 0
     * @param period the period: a day, a week, a month or the lifetime of the key
     */
    public KeyOptions limit(String usd, Period period) {
      limit(usd);
      return set(
          "limit_reset",
          period == Period.LIFETIME ? Json.NULL : Json.of(period.name().toLowerCase(Locale.ROOT)));
    }

    /** Makes this a management key, which manages keys and presets but cannot call models. */
    public KeyOptions management() {
      return set("management", Json.TRUE);
    }

    /** Sets any member of the key by its name in a file. */
    public KeyOptions set(String name, Json value) {
      members = members.with(Objects.requireNonNull(name, "name"), value);
      return this;
    }
  }
}
