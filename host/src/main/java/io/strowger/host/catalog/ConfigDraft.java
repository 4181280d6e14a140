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
  private final Map<String, String> leftOut = new HashMap<>(); // reasons by slug
  private final Map<String, Json.Obj> described = new HashMap<>();
  private final Map<String, List<Offer>> offers = new LinkedHashMap<>();
  private final Map<String, Integer> skipped = new TreeMap<>();
  private final Map<String, String> keyVariables = new LinkedHashMap<>();
  private final Map<String, String> keyHosts = new LinkedHashMap<>(); // of configured keys
  private final Set<String> placeholders = new HashSet<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * One endpoint.
   *
   * @param slug the slug of the provider
   * @param upstreamModel the provider's name for the model
   * @param tag the tag it must have; null for any
   * @param free whether it is free, so that it may become an endpoint of the {@code :free} variant
   */
  private record Offer(
      String slug, String upstreamModel, @Nullable String tag, Json.Obj body, boolean free) {}

  ConfigDraft(ImportOptions options) {
    this.options = options;
  }

  /** Adds a provider without an address or variables. */
  void provider(String slug, String name) {
    provider(slug, name, null, List.of(), false);
  }

  /**
   * Adds a provider; it is written only when an endpoint uses it. A known vendor's own data takes
   * precedence, so that no list can send a vendor's key to another address.
   *
   * @param listedUrl the address in the list; null when it has none
   * @param listedVariables the environment variables that the list names for it
   * @param isPlan whether its prices are those of a subscription
   */
  void provider(
      String slug,
      String name,
      @Nullable String listedUrl,
      List<String> listedVariables,
      boolean isPlan) {
    Vendors.Vendor vendor = Vendors.of(slug);
    boolean plan = isPlan || Vendors.isPlan(slug, name, listedUrl);
    if (vendor == null) {
      add(slug, name, base(listedUrl), keyVariable(listedVariables), plan);
    } else {
      add(slug, name, vendor.url(), vendor.variable(), plan);
    }
  }

  /** Adds a provider with a placeholder address, even for a known vendor. */
  void providerWithoutAddress(String slug, String name) {
    Vendors.Vendor vendor = Vendors.of(slug);
    String variable = vendor == null ? null : vendor.variable();
    add(slug, name, null, variable, Vendors.isPlan(slug, name, null));
  }

  private void add(
      String slug, String name, @Nullable String url, @Nullable String variable, boolean isPlan) {
    if (providers.containsKey(slug)) {
      return;
    }
    String usable = url != null && isUsable(url) ? url : null;
    boolean ready = usable != null && Vendors.of(slug) != null;
    String reason = options.reasonAgainst(slug, isPlan, ready);
    if (!reason.isEmpty()) {
      leftOut.put(slug, reason);
    }
    if (usable == null) {
      placeholders.add(slug);
    }
    if (variable != null) {
      keyVariables.put(slug, variable);
    }
    String host = slug.replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    String address = usable == null ? "https://" + host + ".invalid/v1" : usable;
    var provider =
        Json.object()
            .put("slug", slug)
            .put("name", plain(name, slug))
            .put("protocol", Vendors.protocol(slug, url))
            .put("base_url", address);
    if (variable != null && (ready || options.only().contains(slug))) {
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
  private static @Nullable String base(@Nullable String url) {
    return url == null ? null : url.replaceFirst("/(chat/completions|messages|responses)/?$", "");
  }

  /**
   * Adds facts about a model.
   *
   * @param replaces whether these facts replace those of an earlier source
   */
  void describe(String id, Json.Obj facts, boolean replaces) {
    if (replaces) {
      described.put(id, facts);
    } else {
      described.putIfAbsent(id, facts);
    }
  }

  /** Adds an endpoint of a provider that was added before; returns false when it is skipped. */
  boolean endpoint(
      String model, String slug, String upstreamModel, @Nullable String tag, Json.Obj body) {
    return endpoint(model, new Offer(slug, upstreamModel, tag, body, false));
  }

  /** Adds an endpoint that is free according to the list; returns false when it is skipped. */
  boolean freeEndpoint(String model, String slug, String upstreamModel, Json.Obj body) {
    return endpoint(model, new Offer(slug, upstreamModel, null, body, true));
  }

  private boolean endpoint(String model, Offer offer) {
    if (!MODEL_ID.matcher(model).matches() || DYNAMIC_VARIANT.matcher(model).matches()) {
      skip("its name means something else in a request");
      return false;
    }
    if (model.contains(REFERENCE) || offer.upstreamModel.contains(REFERENCE)) {
      skip("its name would be replaced by an environment variable");
      return false;
    }
    String reason = leftOut.get(offer.slug);
    if (reason != null) {
      skip(reason);
      return false;
    }
    var others = offers.computeIfAbsent(model, id -> new ArrayList<>());
    if (offer.tag == null
        && others.stream()
            .anyMatch(
                it -> it.slug.equals(offer.slug) && it.upstreamModel.equals(offer.upstreamModel))) {
      skip("the same endpoint under another name");
      return false;
    }
    others.add(offer);
    return true;
  }

  void skip(String why) {
    skipped.merge(why, 1, Integer::sum);
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
  static String plain(@Nullable String name, String otherwise) {
    String plain = name == null ? "" : name.replaceAll("\\p{Cntrl}+", " ").strip();
    return plain.isEmpty() || plain.contains(REFERENCE)
        ? otherwise.replace(REFERENCE, "{")
        : plain.substring(0, Math.min(plain.length(), 1000));
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
  Imported build() {
    var missing = new TreeSet<>(options.only());
    missing.removeAll(providers.keySet());
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException("it has no provider " + String.join(", ", missing));
    }
    separateFreeVariants();
    var models = new ArrayList<Json>();
    var used = new HashSet<String>();
    int endpoints = 0;
    for (var entry : offers.entrySet()) {
      models.add(model(entry.getKey(), entry.getValue()));
      entry.getValue().forEach(offer -> used.add(offer.slug));
      endpoints += entry.getValue().size();
    }
    var kept = new LinkedHashMap<>(providers);
    kept.keySet().retainAll(used);
    var variables = new LinkedHashMap<>(keyVariables);
    variables.keySet().retainAll(used);
    var hosts = new LinkedHashMap<>(keyHosts);
    hosts.keySet().retainAll(used);
    var config =
        Json.object()
            .put("providers", Json.array(List.copyOf(kept.values())))
            .put("models", Json.array(models))
            .build();
    var summary =
        new Imported.Summary(
            kept.size(),
            models.size(),
            endpoints,
            skipped,
            variables,
            hosts,
            kept.keySet().stream().filter(slug -> !variables.containsKey(slug)).toList(),
            kept.keySet().stream().filter(placeholders::contains).toList(),
            Collections.frequency(leftOut.values(), ImportOptions.NOT_READY),
            notes);
    return new Imported(config, summary);
  }

  /** Moves the free endpoints of a model to its {@code :free} variant if it also has paid ones. */
  private void separateFreeVariants() {
    var free = new LinkedHashMap<String, List<Offer>>();
    offers.forEach(
        (model, offered) -> {
          List<Offer> unpaid = offered.stream().filter(Offer::free).toList();
          if (!unpaid.isEmpty() && unpaid.size() < offered.size() && !model.endsWith(FREE)) {
            free.put(model, unpaid);
          }
        });
    free.forEach(
        (model, unpaid) -> {
          offers.getOrDefault(model, List.of()).removeAll(unpaid);
          offers.computeIfAbsent(model + FREE, id -> new ArrayList<>()).addAll(unpaid);
          Json.Obj facts = described.get(model);
          if (facts != null) {
            described.putIfAbsent(model + FREE, facts.without("family"));
          }
        });
  }

  private Json.Obj model(String id, List<Offer> offered) {
    var perProvider = new HashMap<String, Integer>();
    offered.forEach(offer -> perProvider.merge(offer.slug, 1, Integer::sum));
    var tags = new HashSet<String>();
    var endpoints = new ArrayList<Json>();
    for (Offer offer : offered) {
      boolean singleOffer = perProvider.getOrDefault(offer.slug, 0) == 1;
      String wanted = offer.tag == null ? singleOffer ? offer.slug : tag(offer) : offer.tag;
      String tag = wanted;
      for (int i = 2; !tags.add(tag); i++) {
        tag = wanted + "-" + i;
      }
      var endpoint = Json.object().put("provider", offer.slug);
      if (!tag.equals(offer.slug)) {
        endpoint.put("tag", tag);
      }
      endpoints.add(endpoint.put("upstream_model", offer.upstreamModel).putAll(offer.body).build());
    }
    return Json.object()
        .put("id", id)
        .putAll(described.getOrDefault(id, Json.Obj.EMPTY))
        .put("endpoints", Json.array(endpoints))
        .build();
  }

  private static String tag(Offer offer) {
    String last = offer.upstreamModel.substring(offer.upstreamModel.lastIndexOf('/') + 1);
    String name = slug(last.replace(':', '-'));
    return offer.slug + "/" + (name.isEmpty() ? "other" : name);
  }
}
