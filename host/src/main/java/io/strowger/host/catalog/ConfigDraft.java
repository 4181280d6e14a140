package io.strowger.host.catalog;

import io.strowger.spi.json.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Collects providers, models and endpoints, and writes them as a configuration. */
final class ConfigDraft {
  private static final Pattern MODEL_ID =
      Pattern.compile("[^~@\\s\\p{Cntrl}][^\\s\\p{Cntrl}]{0,199}");
  private static final Pattern DYNAMIC_VARIANT = Pattern.compile(".*:(nitro|floor|exacto|online)");

  private static final Pattern KEY_VARIABLE = Pattern.compile("[A-Z0-9_]*(KEY|TOKEN|_PAT)");

  /** A variable of a pair that signs requests; it is not a key that can be sent. */
  private static final Pattern SIGNING_VARIABLE =
      Pattern.compile(".*(ACCESS_KEY_ID|SECRET_ACCESS_KEY)");

  private static final String FREE = ":free";

  /** The beginning of a reference to an environment variable, which lists must not contain. */
  private static final String REFERENCE = "${";

  private final ImportOptions options;
  private final Map<String, Json.Obj> providers = new LinkedHashMap<>();
  private final Map<String, String> exclusionReasons = new HashMap<>(); // reasons by slug
  private final Map<String, Json.Obj> modelFacts = new HashMap<>();
  private final Map<String, List<Offer>> offers = new LinkedHashMap<>();
  private final Map<String, Integer> skipCounts = new TreeMap<>();
  private final Map<String, String> keyVariables = new LinkedHashMap<>();
  private final Map<String, String> keyHosts = new LinkedHashMap<>(); // of configured keys
  private final Set<String> placeholders = new HashSet<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * One endpoint of a model.
   *
   * @param slug the slug of the provider
   * @param upstreamModel the provider's name for the model
   * @param tag the tag that the endpoint must have; null for any
   * @param free whether the endpoint is free, so that it may become an endpoint of the {@code
   *     :free} variant
   */
  private record Offer(
      String slug, String upstreamModel, @Nullable String tag, Json.Obj body, boolean free) {}

  ConfigDraft(ImportOptions options) {
    this.options = options;
  }

  /** Adds a provider without an address or variables. */
  void addProvider(String slug, String name) {
    addProvider(slug, name, null, List.of(), false);
  }

  /**
   * Adds a provider; it is written only when an endpoint uses it. A known vendor's own data takes
   * precedence, so that no list can send a vendor's key to another address.
   *
   * @param listedUrl the address in the list; null when the list has none
   * @param listedVariables the environment variables that the list names for the provider
   * @param listedAsSubscription whether the list shows that the provider is paid by subscription
   */
  void addProvider(
      String slug,
      String name,
      @Nullable String listedUrl,
      List<String> listedVariables,
      boolean listedAsSubscription) {
    Vendors.Vendor vendor = Vendors.of(slug);
    boolean isSubscription = listedAsSubscription || Vendors.isSubscription(slug, name, listedUrl);
    if (vendor == null) {
      add(slug, name, baseUrl(listedUrl), keyVariable(listedVariables), isSubscription);
    } else {
      add(slug, name, vendor.url(), vendor.variable(), isSubscription);
    }
  }

  /** Adds a provider with a placeholder address, even for a known vendor. */
  void addProviderWithoutAddress(String slug, String name) {
    Vendors.Vendor vendor = Vendors.of(slug);
    String variable = vendor == null ? null : vendor.variable();
    add(slug, name, null, variable, Vendors.isSubscription(slug, name, null));
  }

  private void add(
      String slug,
      String name,
      @Nullable String url,
      @Nullable String variable,
      boolean isSubscription) {
    if (providers.containsKey(slug)) {
      return;
    }
    String usableUrl = url != null && isUsable(url) ? url : null;
    boolean isReady = usableUrl != null && Vendors.of(slug) != null;
    String reason = options.exclusionReason(slug, isSubscription, isReady);
    if (!reason.isEmpty()) {
      exclusionReasons.put(slug, reason);
    }
    if (usableUrl == null) {
      placeholders.add(slug);
    }
    if (variable != null) {
      keyVariables.put(slug, variable);
    }
    String host = slug.replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    String address = usableUrl == null ? "https://" + host + ".invalid/v1" : usableUrl;
    var provider =
        Json.object()
            .put("slug", slug)
            .put("name", cleanName(name, slug))
            .put("protocol", Vendors.protocol(slug, url))
            .put("base_url", address);
    if (variable != null && (isReady || options.onlySlugs().contains(slug))) {
      provider.put("api_key", "${" + variable + "}");
      keyHosts.put(slug, host(address));
    }
    providers.put(slug, provider.build());
  }

  /**
   * Returns the variable of a provider's key: the only one that ends in KEY, TOKEN or PAT; null
   * with none, several or a signing pair.
   */
  private static @Nullable String keyVariable(List<String> variables) {
    if (variables.stream().anyMatch(name -> SIGNING_VARIABLE.matcher(name).matches())) {
      return null;
    }
    List<String> keys =
        variables.stream().filter(name -> KEY_VARIABLE.matcher(name).matches()).toList();
    return keys.size() == 1 ? keys.getFirst() : null;
  }

  /** Returns the host of an address, with the port if any. */
  private static String host(String address) {
    return URI.create(address).getRawAuthority();
  }

  /** Returns the address without the path of a call, which some lists include. */
  private static @Nullable String baseUrl(@Nullable String url) {
    return url == null ? null : url.replaceFirst("/(chat/completions|messages|responses)/?$", "");
  }

  /**
   * Adds facts about a model.
   *
   * @param replaces whether these facts replace those of an earlier source
   */
  void addFacts(String id, Json.Obj facts, boolean replaces) {
    if (replaces) {
      modelFacts.put(id, facts);
    } else {
      modelFacts.putIfAbsent(id, facts);
    }
  }

  /** Adds an endpoint of a provider that was added before; returns false when it is skipped. */
  boolean addEndpoint(
      String model, String slug, String upstreamModel, @Nullable String tag, Json.Obj body) {
    return addEndpoint(model, new Offer(slug, upstreamModel, tag, body, false));
  }

  /** Adds an endpoint that is free according to the list; returns false when it is skipped. */
  boolean addFreeEndpoint(String model, String slug, String upstreamModel, Json.Obj body) {
    return addEndpoint(model, new Offer(slug, upstreamModel, null, body, true));
  }

  private boolean addEndpoint(String model, Offer offer) {
    if (!MODEL_ID.matcher(model).matches() || DYNAMIC_VARIANT.matcher(model).matches()) {
      skip("its name means something else in a request");
      return false;
    }
    if (model.contains(REFERENCE) || offer.upstreamModel.contains(REFERENCE)) {
      skip("its name would be replaced by an environment variable");
      return false;
    }
    String reason = exclusionReasons.get(offer.slug);
    if (reason != null) {
      skip(reason);
      return false;
    }
    var existing = offers.computeIfAbsent(model, id -> new ArrayList<>());
    if (offer.tag == null
        && existing.stream()
            .anyMatch(
                it -> it.slug.equals(offer.slug) && it.upstreamModel.equals(offer.upstreamModel))) {
      skip("the same endpoint under another name");
      return false;
    }
    existing.add(offer);
    return true;
  }

  void skip(String reason) {
    skipCounts.merge(reason, 1, Integer::sum);
  }

  void note(String sentence) {
    notes.add(sentence);
  }

  boolean hasEndpoints(String model) {
    return offers.containsKey(model);
  }

  /** Returns a name as a slug: lower case, with dashes for other characters; may be empty. */
  static String slug(String name) {
    String slug = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9._-]+", "-");
    slug = slug.replaceAll("^[^a-z0-9]+", "");
    return slug.substring(0, Math.min(slug.length(), 100));
  }

  /**
   * Returns the id for a provider's name of a model: that name when it begins with an author,
   * otherwise {@code provider/name}. A name with {@code @} begins with a namespace, not an author.
   */
  static String modelId(String slug, String upstreamModel) {
    boolean hasNamespace = upstreamModel.startsWith("@");
    String name = hasNamespace ? upstreamModel.substring(1) : upstreamModel;
    return (!hasNamespace && name.contains("/") ? name : slug + "/" + name)
        .toLowerCase(Locale.ROOT);
  }

  /**
   * Returns a name without control characters; the fallback when it is empty or refers to an
   * environment variable.
   */
  static String cleanName(@Nullable String name, String fallback) {
    String cleaned = name == null ? "" : name.replaceAll("\\p{Cntrl}+", " ").strip();
    return cleaned.isEmpty() || cleaned.contains(REFERENCE)
        ? fallback.replace(REFERENCE, "{")
        : cleaned.substring(0, Math.min(cleaned.length(), 1000));
  }

  private static boolean isUsable(String url) {
    try {
      URI uri = new URI(url);
      String scheme = String.valueOf(uri.getScheme());
      return (scheme.equals("http") || scheme.equals("https"))
          && uri.getHost() != null
          && uri.getPort() <= 65_535
          && uri.getRawUserInfo() == null
          && uri.getRawQuery() == null
          && uri.getRawFragment() == null;
    } catch (URISyntaxException malformed) {
      return false;
    }
  }

  /**
   * Returns the configuration made of everything that was added.
   *
   * @throws IllegalArgumentException when a requested provider is missing
   */
  ImportResult build() {
    var missing = new TreeSet<>(options.onlySlugs());
    missing.removeAll(providers.keySet());
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException("the list has no provider " + String.join(", ", missing));
    }
    separateFreeVariants();
    var models = new ArrayList<Json>();
    var usedSlugs = new HashSet<String>();
    int endpoints = 0;
    for (var entry : offers.entrySet()) {
      models.add(model(entry.getKey(), entry.getValue()));
      entry.getValue().forEach(offer -> usedSlugs.add(offer.slug));
      endpoints += entry.getValue().size();
    }
    var usedProviders = new LinkedHashMap<>(providers);
    usedProviders.keySet().retainAll(usedSlugs);
    var variables = new LinkedHashMap<>(keyVariables);
    variables.keySet().retainAll(usedSlugs);
    var hosts = new LinkedHashMap<>(keyHosts);
    hosts.keySet().retainAll(usedSlugs);
    var config =
        Json.object()
            .put("providers", Json.array(List.copyOf(usedProviders.values())))
            .put("models", Json.array(models))
            .build();
    var summary =
        new ImportResult.Summary(
            usedProviders.size(),
            models.size(),
            endpoints,
            skipCounts,
            variables,
            hosts,
            usedProviders.keySet().stream().filter(slug -> !variables.containsKey(slug)).toList(),
            usedProviders.keySet().stream().filter(placeholders::contains).toList(),
            Collections.frequency(exclusionReasons.values(), ImportOptions.NOT_READY),
            notes);
    return new ImportResult(config, summary);
  }

  /** Moves the free endpoints of a model to its {@code :free} variant if it also has paid ones. */
  private void separateFreeVariants() {
    var free = new LinkedHashMap<String, List<Offer>>();
    offers.forEach(
        (model, modelOffers) -> {
          List<Offer> freeOffers = modelOffers.stream().filter(Offer::free).toList();
          if (!freeOffers.isEmpty()
              && freeOffers.size() < modelOffers.size()
              && !model.endsWith(FREE)) {
            free.put(model, freeOffers);
          }
        });
    free.forEach(
        (model, freeOffers) -> {
          offers.getOrDefault(model, List.of()).removeAll(freeOffers);
          offers.computeIfAbsent(model + FREE, id -> new ArrayList<>()).addAll(freeOffers);
          Json.Obj facts = modelFacts.get(model);
          if (facts != null) {
            modelFacts.putIfAbsent(model + FREE, facts.without("family"));
          }
        });
  }

  private Json.Obj model(String id, List<Offer> modelOffers) {
    var perProvider = new HashMap<String, Integer>();
    modelOffers.forEach(offer -> perProvider.merge(offer.slug, 1, Integer::sum));
    var tags = new HashSet<String>();
    var endpoints = new ArrayList<Json>();
    for (Offer offer : modelOffers) {
      boolean singleOffer = perProvider.getOrDefault(offer.slug, 0) == 1;
      String baseTag = offer.tag == null ? singleOffer ? offer.slug : tag(offer) : offer.tag;
      String tag = baseTag;
      for (int i = 2; !tags.add(tag); i++) {
        tag = baseTag + "-" + i;
      }
      var endpoint = Json.object().put("provider", offer.slug);
      if (!tag.equals(offer.slug)) {
        endpoint.put("tag", tag);
      }
      endpoints.add(endpoint.put("upstream_model", offer.upstreamModel).putAll(offer.body).build());
    }
    return Json.object()
        .put("id", id)
        .putAll(modelFacts.getOrDefault(id, Json.Obj.EMPTY))
        .put("endpoints", Json.array(endpoints))
        .build();
  }

  private static String tag(Offer offer) {
    String last = offer.upstreamModel.substring(offer.upstreamModel.lastIndexOf('/') + 1);
    String name = slug(last.replace(':', '-'));
    return offer.slug + "/" + (name.isEmpty() ? "other" : name);
  }
}
