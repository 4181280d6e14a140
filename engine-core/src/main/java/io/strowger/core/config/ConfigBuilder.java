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
 * Builds a configuration in code. It makes the document that a file would have, and {@link
 * ConfigReader} reads it: what it may say, its defaults and what is wrong with it are the same, and
 * every problem is named at once, with its place in that document.
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
 * <p>Every method returns the builder itself; what is set twice is what was set last. As in a file,
 * {@code ${NAME}} in a text stands for an environment variable, but not in what {@code apiKey} and
 * {@code key} are given: those are taken as they are, and no problem and no {@code toString} shows
 * them. For one thread. What members there are: docs/operating.md.
 */
public final class ConfigBuilder {
  /** Begins the names that stand for secrets in the document; no environment has it. */
  private static final String SECRET = "__strowger_builder_secret_";

  private final Map<String, String> secrets = new LinkedHashMap<>();
  private final List<Json> providers = new ArrayList<>();
  private final List<Json> models = new ArrayList<>();
  private final List<Json> keys = new ArrayList<>();
  private Json.Obj document = Json.Obj.EMPTY;

  ConfigBuilder() {}

  /**
   * Adds a provider.
   *
   * @param slug by which endpoints name it: lower-case letters, digits, {@code .}, {@code _} and
   *     {@code -}
   * @param protocol that it speaks, such as {@code openai-chat}
   * @param baseUrl where its API begins, such as {@code https://host/v1}
   * @param more its credential and whatever else is to be set
   */
  public ConfigBuilder provider(
      String slug, String protocol, String baseUrl, Consumer<ProviderOptions> more) {
    var options = new ProviderOptions(this);
    options.set("slug", text(slug, "slug"));
    options.set("protocol", text(protocol, "protocol"));
    options.set("base_url", text(baseUrl, "baseUrl"));
    more.accept(options);
    providers.add(options.members.build());
    return this;
  }

  /**
   * Adds a model.
   *
   * @param id by which requests name it, such as {@code acme/large}
   * @param more its endpoints, at least one, and whatever else is to be set
   */
  public ConfigBuilder model(String id, Consumer<ModelOptions> more) {
    var options = new ModelOptions();
    options.set("id", text(id, "id"));
    more.accept(options);
    models.add(options.members.build().with("endpoints", Json.array(options.endpoints)));
    return this;
  }

  /**
   * Adds a key without a limit.
   *
   * @param name for people
   * @param key the secret that callers send, printable ASCII without blanks; taken as it is
   */
  public ConfigBuilder key(String name, String key) {
    return key(name, key, options -> {});
  }

  /**
   * Adds a key.
   *
   * @param name for people
   * @param key the secret that callers send, printable ASCII without blanks; taken as it is
   * @param more its limit and whatever else is to be set
   */
  public ConfigBuilder key(String name, String key, Consumer<KeyOptions> more) {
    var options = new KeyOptions();
    options.set("name", text(name, "name"));
    options.set("key", secret(key));
    more.accept(options);
    keys.add(options.members.build());
    return this;
  }

  /**
   * Sets what has no method here.
   *
   * @param place name of a member of the file, such as {@code account}, or the pointer of one
   *     within objects, such as {@code /timeouts/total_ms}
   * @throws IllegalArgumentException for {@code providers}, {@code models} and {@code keys}, which
   *     have methods of their own, and for a pointer through something that is no object
   */
  public ConfigBuilder set(String place, Json value) {
    Objects.requireNonNull(value, "value");
    String path = place.startsWith("/") ? place.substring(1) : escaped(place);
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

  private static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  private static Json.Obj put(Json.Obj in, List<String> names, Json value, String place) {
    String name = names.getFirst();
    if (names.size() == 1) {
      return in.with(name, value);
    }
    Json there = in.get(name);
    if (there != null && !(there instanceof Json.Obj)) {
      throw new IllegalArgumentException(
          place + " leads through " + name + ", which was set to something that is no object");
    }
    Json.Obj within = there instanceof Json.Obj object ? object : Json.Obj.EMPTY;
    return in.with(name, put(within, names.subList(1, names.size()), value, place));
  }

  private static Json.Str text(String text, String name) {
    return Json.of(Objects.requireNonNull(text, name));
  }

  /** Returns a reference to a secret, which nothing in it can be mistaken for another. */
  private Json.Str secret(String value) {
    String name = SECRET + secrets.size();
    secrets.put(name, Objects.requireNonNull(value, "secret"));
    return Json.of("${" + name + "}");
  }

  /**
   * Returns the configuration, read as a file with the usual protocols and this process's
   * environment.
   *
   * @throws io.strowger.spi.error.GatewayException with {@code INVALID_REQUEST} when something is
   *     wrong; it names every problem with its place
   */
  public GatewayConfig build() {
    return build(ConfigReader.standard());
  }

  /**
   * Returns the configuration as a reader reads it, such as one that knows more protocols or has
   * other variables.
   *
   * @throws io.strowger.spi.error.GatewayException as {@link #build()}
   */
  public GatewayConfig build(ConfigReader reader) {
    Json.Obj.Builder whole = Json.object().putAll(document);
    whole.put("providers", Json.array(providers));
    whole.put("models", Json.array(models));
    whole.put("keys", Json.array(keys));
    return reader.withVariables(Map.copyOf(secrets)).read(whole.build()).orThrow();
  }

  /** Sizes, no values. */
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

  /** The members of an object; of two with one name the later one. */
  private static final class Members {
    private final Map<String, Json> values = new LinkedHashMap<>();

    void put(String name, Json value) {
      values.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
    }

    boolean isEmpty() {
      return values.isEmpty();
    }

    Json.Obj build() {
      Json.Obj.Builder object = Json.object();
      values.forEach(object::put);
      return object.build();
    }
  }

  /** What a provider is set up with. For one thread, within the call it is passed to. */
  public static final class ProviderOptions {
    private final Members members = new Members();
    private final Members headers = new Members();
    private final ConfigBuilder of;

    private ProviderOptions(ConfigBuilder of) {
      this.of = of;
    }

    /**
     * Sets the credential itself; taken as it is. None when neither this is called nor the next.
     */
    public ProviderOptions apiKey(String secret) {
      return set("api_key", of.secret(secret));
    }

    /** Sets the environment variable whose value is the credential; it must be set. */
    public ProviderOptions apiKeyFrom(String variable) {
      return set("api_key", Json.of("${" + Objects.requireNonNull(variable, "variable") + "}"));
    }

    /**
     * Sends a header with every request.
     *
     * @param value taken as it is, since it may be a secret
     */
    public ProviderOptions header(String name, String value) {
      headers.put(name, of.secret(value));
      return set("headers", headers.build());
    }

    /**
     * Says what the provider does with what it is sent; the worse of both when not said.
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
      members.put(name, value);
      return this;
    }
  }

  /** What a model is set up with. For one thread, within the call it is passed to. */
  public static final class ModelOptions {
    private final Members members = new Members();
    private final List<Json> endpoints = new ArrayList<>();

    private ModelOptions() {}

    /**
     * Adds an endpoint: a provider that serves the model.
     *
     * @param provider its slug
     * @param more its prices and whatever else is to be set
     */
    public ModelOptions endpoint(String provider, Consumer<EndpointOptions> more) {
      var options = new EndpointOptions();
      options.set("provider", text(provider, "provider"));
      more.accept(options);
      endpoints.add(options.build());
      return this;
    }

    /** Sets further names by which requests may name the model. */
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
      members.put(name, value);
      return this;
    }
  }

  /** What an endpoint is set up with. For one thread, within the call it is passed to. */
  public static final class EndpointOptions {
    private static final int MOST_ZEROS = 40;

    private final Members members = new Members();
    private final Members prices = new Members();

    private EndpointOptions() {}

    /** Sets what the provider calls the model; its id when not said. */
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
     * What is no number, or no price, goes on as it is, so that it is named together with
     * everything else.
     */
    private static String perToken(String usdPerMillion) {
      try {
        BigDecimal usd = new BigDecimal(usdPerMillion);
        boolean isShort = Math.abs((long) usd.scale()) <= MOST_ZEROS;
        return isShort ? usd.movePointLeft(6).toPlainString() : usdPerMillion;
      } catch (NumberFormatException named) {
        return usdPerMillion;
      }
    }

    /**
     * Sets a price in US dollars.
     *
     * @param of its name in {@code pricing} of a file, such as {@code image} or {@code request}
     * @param usd for one token, image, request and so on, as a decimal
     */
    public EndpointOptions price(String of, String usd) {
      prices.put(of, text(usd, "usd"));
      return this;
    }

    /** Sets how many tokens prompt and answer may have together. */
    public EndpointOptions contextLength(int tokens) {
      return set("context_length", Json.of(tokens));
    }

    /** Sets any member of the endpoint by its name in a file. */
    public EndpointOptions set(String name, Json value) {
      members.put(name, value);
      return this;
    }

    private Json.Obj build() {
      Json.Obj own = members.build();
      return prices.isEmpty() ? own : own.with("pricing", prices.build());
    }
  }

  /** What a key is set up with. For one thread, within the call it is passed to. */
  public static final class KeyOptions {
    private final Members members = new Members();

    private KeyOptions() {}

    /** Sets what the key may spend in all, in US dollars, as a decimal from 0. */
    public KeyOptions limit(String usd) {
      return set("limit", text(usd, "usd"));
    }

    /**
     * Sets what the key may spend in each period.
     *
     * @param usd in US dollars, as a decimal from 0
     * @param each a day, a week or a month, or the lifetime of the key
     */
    public KeyOptions limit(String usd, Period each) {
      limit(usd);
      return set(
          "limit_reset",
          each == Period.LIFETIME ? Json.NULL : Json.of(each.name().toLowerCase(Locale.ROOT)));
    }

    /** Makes it a key for the API of keys, presets and so on, which sends no requests to models. */
    public KeyOptions management() {
      return set("management", Json.TRUE);
    }

    /** Sets any member of the key by its name in a file. */
    public KeyOptions set(String name, Json value) {
      members.put(name, value);
      return this;
    }
  }
}
