package io.strowger.host.catalog;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A first configuration with the vendors whose keys are in the environment and one or two models of
 * each, or with simulated providers when there is no key. It contains keys of vendors only as
 * {@code ${NAME}}.
 */
public final class StarterConfig {
  /** Alternative variables for some vendors' keys, by the usual variable. */
  private static final Map<String, String> OTHER_VARIABLES =
      Map.of("GEMINI_API_KEY", "GOOGLE_API_KEY");

  /**
   * Prices as of November 2026, in dollars per million tokens. They are a working example; {@code
   * catalog import} imports the prices of all other models.
   */
  private static final List<Offer> OFFERS =
      List.of(
          offer("openai", "OpenAI", "openai/gpt-5.4-mini", "gpt-5.4-mini", "0.75 4.50 400000"),
          offer("openai", "OpenAI", "openai/gpt-5.4", "gpt-5.4", "2.50 15 1050000"),
          offer(
              "anthropic",
              "Anthropic",
              "anthropic/claude-haiku-4-5",
              "claude-haiku-4-5",
              "1 5 200000"),
          offer(
              "anthropic",
              "Anthropic",
              "anthropic/claude-sonnet-5",
              "claude-sonnet-5",
              "2 10 1000000"),
          offer(
              "google",
              "Google",
              "google/gemini-3.1-flash-lite",
              "gemini-3.1-flash-lite",
              "0.25 1.50 1048576"),
          offer(
              "google", "Google", "google/gemini-3.5-flash", "gemini-3.5-flash", "1.50 9 1048576"),
          offer(
              "mistral",
              "Mistral",
              "mistralai/mistral-small",
              "mistral-small-latest",
              "0.15 0.60 256000"),
          offer(
              "deepseek",
              "DeepSeek",
              "deepseek/deepseek-v4-flash",
              "deepseek-v4-flash",
              "0.14 0.28 1000000"),
          offer("xai", "xAI", "xai/grok-4.3", "grok-4.3", "1.25 2.50 1000000"),
          offer("groq", "Groq", "openai/gpt-oss-120b", "openai/gpt-oss-120b", "0.15 0.60 131072"),
          offer("cerebras", "Cerebras", "openai/gpt-oss-120b", "gpt-oss-120b", "0.35 0.75 131072"),
          offer(
              "togetherai",
              "Together",
              "openai/gpt-oss-120b",
              "openai/gpt-oss-120b",
              "0.15 0.60 131072"),
          offer(
              "fireworks-ai",
              "Fireworks",
              "openai/gpt-oss-120b",
              "accounts/fireworks/models/gpt-oss-120b",
              "0.15 0.60 131072"),
          offer(
              "deepinfra",
              "DeepInfra",
              "openai/gpt-oss-120b",
              "openai/gpt-oss-120b",
              "0.039 0.19 131072"),
          offer(
              "nebius", "Nebius", "openai/gpt-oss-120b", "openai/gpt-oss-120b", "0.15 0.60 128000"),
          offer(
              "cohere",
              "Cohere",
              "cohere/command-a-plus",
              "command-a-plus-05-2026",
              "2.50 10 128000"),
          offer("perplexity", "Perplexity", "perplexity/sonar", "sonar", "1 1 128000"),
          offer("moonshotai", "Moonshot", "moonshotai/kimi-k2.6", "kimi-k2.6", "0.95 4 262144"),
          offer("minimax", "MiniMax", "minimax/minimax-m3", "MiniMax-M3", "0.30 1.20 1000000"),
          offer("zai", "Z.ai", "zai/glm-5.2", "glm-5.2", "1.40 4.40 1000000"),
          offer(
              "openrouter",
              "OpenRouter",
              "openai/gpt-5.4-mini",
              "openai/gpt-5.4-mini",
              "0.75 4.50 400000"));

  private static final List<Offer> SIMULATED =
      List.of(
          offer("north", "North", "acme/large", "large", "2 8 128000"),
          offer("south", "South", "acme/large", "large", "3 12 128000"));

  private final Json.Obj document;
  private final Map<JsonPointer, String> comments;
  private final Map<String, String> variables;
  private final List<String> unusedVariables;
  private final String model;

  /**
   * One vendor's model.
   *
   * @param priceAndContext dollars per million tokens of prompt and of output, and the context
   *     length
   */
  private record Offer(
      String slug, String name, String model, String upstreamModel, String priceAndContext) {
    Json endpoint() {
      String[] parts = priceAndContext.split(" ");
      return Json.object()
          .put("provider", slug)
          .put("upstream_model", upstreamModel)
          .put(
              "pricing",
              Json.object()
                  .put("prompt", perToken(parts[0]))
                  .put("completion", perToken(parts[1]))
                  .build())
          .put("context_length", Long.parseLong(parts[2]))
          .build();
    }

    private static String perToken(String perMillion) {
      return new BigDecimal(perMillion).movePointLeft(6).stripTrailingZeros().toPlainString();
    }
  }

  private static Offer offer(
      String slug, String name, String model, String upstreamModel, String priceAndContext) {
    return new Offer(slug, name, model, upstreamModel, priceAndContext);
  }

  private StarterConfig(
      Json.Obj document,
      Map<JsonPointer, String> comments,
      Map<String, String> variables,
      List<String> unusedVariables,
      String model) {
    this.document = document;
    this.comments = Collections.unmodifiableMap(comments);
    this.variables = Collections.unmodifiableMap(variables);
    this.unusedVariables = List.copyOf(unusedVariables);
    this.model = model;
  }

  /**
   * Creates a configuration from the keys in the environment.
   *
   * @param environment returns a variable's value; null when it is not set. The values are not
   *     retained
   * @param key the key for callers, of which the file has the SHA-256
   */
  public static StarterConfig of(Function<String, @Nullable String> environment, String key) {
    var variables = new LinkedHashMap<String, String>();
    for (Offer offer : OFFERS) {
      Vendors.Vendor vendor = Vendors.of(offer.slug());
      String variable = vendor == null ? null : findVariable(vendor.variable(), environment);
      if (variable != null) {
        variables.put(offer.slug(), variable);
      }
    }
    var unusedVariables = new ArrayList<String>();
    for (String variable : Vendors.variables()) {
      if (isKey(environment.apply(variable)) && !variables.containsValue(variable)) {
        unusedVariables.add(variable);
      }
    }
    List<Offer> offers =
        variables.isEmpty()
            ? SIMULATED
            : OFFERS.stream().filter(it -> variables.containsKey(it.slug())).toList();
    var comments = new LinkedHashMap<JsonPointer, String>();
    Json.Obj document =
        Json.object()
            .put("server", server(comments))
            .put("providers", providers(offers, variables, comments))
            .put("models", models(offers, comments))
            .put("keys", keys(key, comments))
            .build();
    return new StarterConfig(
        document, comments, variables, unusedVariables, offers.getFirst().model());
  }

  /** Returns the name of the variable that has the key; null when none has. */
  private static @Nullable String findVariable(
      String variable, Function<String, @Nullable String> environment) {
    if (isKey(environment.apply(variable))) {
      return variable;
    }
    String alternative = OTHER_VARIABLES.get(variable);
    return alternative != null && isKey(environment.apply(alternative)) ? alternative : null;
  }

  /**
   * Returns whether a value can be a key: a configuration refuses one that is empty or has
   * characters other than visible ASCII.
   */
  private static boolean isKey(@Nullable String value) {
    return value != null && !value.isEmpty() && value.chars().allMatch(c -> c > ' ' && c < 127);
  }

  private static Json server(Map<JsonPointer, String> comments) {
    comments.put(
        JsonPointer.ROOT.child("server"),
        "Where the gateway listens: this machine only. Set host to 0.0.0.0 to be reached by"
            + " others.");
    return Json.object().put("host", "127.0.0.1").put("port", 8080).build();
  }

  private static Json providers(
      List<Offer> offers, Map<String, String> variables, Map<JsonPointer, String> comments) {
    JsonPointer at = JsonPointer.ROOT.child("providers");
    comments.put(
        at,
        variables.isEmpty()
            ? "Who answers. No key of a vendor was found, so these two are simulated: they make"
                + " their answers up, and no vendor charges for them. Set a key such as"
                + " OPENAI_API_KEY and run init again, or write a provider here."
            : "Who answers. ${NAME} stands for the environment variable NAME, which must be set"
                + " wherever this file is used; the key itself is not in this file.");
    JsonPointer first = at.child(0);
    comments.put(first, "slug is its name in preferences, in explain and in the records of calls.");
    comments.put(first.child("name"), "What people call it.");
    comments.put(first.child("protocol"), "The dialect it speaks; callers may speak another one.");
    comments.put(first.child("base_url"), "Requests go to addresses below this one.");
    comments.put(
        first.child("api_key"), "The key that the gateway sends to it, from the environment.");
    var providers = new LinkedHashMap<String, Json>();
    for (Offer offer : offers) {
      if (!providers.containsKey(offer.slug())) {
        providers.put(offer.slug(), provider(offer, variables.get(offer.slug())));
      }
    }
    return Json.array(List.copyOf(providers.values()));
  }

  private static Json provider(Offer offer, @Nullable String variable) {
    Json.Obj.Builder provider = Json.object().put("slug", offer.slug()).put("name", offer.name());
    Vendors.Vendor vendor = Vendors.of(offer.slug());
    if (variable == null || vendor == null) {
      return provider.put("protocol", "simulated").put("base_url", "http://localhost").build();
    }
    return provider
        .put("protocol", vendor.protocol())
        .put("base_url", vendor.url())
        .put("api_key", "${" + variable + "}")
        .build();
  }

  private static Json models(List<Offer> offers, Map<JsonPointer, String> comments) {
    JsonPointer at = JsonPointer.ROOT.child("models");
    comments.put(
        at,
        "What callers may ask for. A model with several endpoints goes to one of them, cheaper ones"
            + " more often, and to the next when one fails. Prices are dollars per token, as of"
            + " November 2026: correct them where they changed. ./gateway catalog import adds"
            + " hundreds of models.");
    JsonPointer first = at.child(0).child("endpoints").child(0);
    comments.put(at.child(0), "id is what callers write as \"model\".");
    comments.put(first, "Who offers it: the slug of a provider above.");
    comments.put(first.child("upstream_model"), "What that provider calls it.");
    comments.put(first.child("pricing"), "Dollars per token, as text so that nothing is rounded.");
    comments.put(first.child("context_length"), "Longer prompts go to others, or are refused.");
    var endpoints = new LinkedHashMap<String, List<Json>>();
    offers.forEach(
        it -> endpoints.computeIfAbsent(it.model(), id -> new ArrayList<>()).add(it.endpoint()));
    var models = new ArrayList<Json>();
    endpoints.forEach(
        (id, modelEndpoints) -> {
          if (modelEndpoints.size() > 1) {
            comments.merge(
                at.child(models.size()),
                modelEndpoints.size()
                    + " providers offer this one; explain shows which would be tried when.",
                (before, several) -> before + " " + several);
          }
          models.add(
              Json.object().put("id", id).put("endpoints", Json.array(modelEndpoints)).build());
        });
    return Json.array(models);
  }

  private static Json keys(String key, Map<JsonPointer, String> comments) {
    comments.put(
        JsonPointer.ROOT.child("keys"),
        "Who may call. Callers send the key as \"Authorization: Bearer KEY\".");
    JsonPointer first = JsonPointer.ROOT.child("keys").child(0);
    comments.put(first, "name is what records and bills call it.");
    comments.put(
        first.child("key_sha256"),
        "The SHA-256 of the key: who reads this file does not have the key. For another one:"
            + " printf %s KEY | sha256sum. Or write \"key\": \"${NAME}\", and it comes from the"
            + " environment.");
    comments.put(
        first.child("limit"),
        "The most US dollars the key may spend in each period; leave it out for no limit.");
    comments.put(first.child("limit_reset"), "The period: daily, weekly or monthly.");
    return Json.array(
        Json.object()
            .put("name", "app")
            .put("key_sha256", sha256(key))
            .put("limit", "5")
            .put("limit_reset", "daily")
            .build());
  }

  private static String sha256(String key) {
    try {
      byte[] ascii = key.getBytes(StandardCharsets.US_ASCII);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(ascii));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Returns the configuration. */
  public Json.Obj document() {
    return document;
  }

  /** Returns comments that explain parts of the configuration, by the place of each part. */
  public Map<JsonPointer, String> comments() {
    return comments;
  }

  /** Returns the variables whose keys are used, by the slugs of their providers. */
  public Map<String, String> variables() {
    return variables;
  }

  /** Returns variables that are set to keys of vendors for which this class has no model. */
  public List<String> unusedVariables() {
    return unusedVariables;
  }

  /** Returns whether no key was found, so that the providers are simulated. */
  public boolean isSimulated() {
    return variables.isEmpty();
  }

  /** Returns the id of a model that callers can request. */
  public String model() {
    return model;
  }
}
