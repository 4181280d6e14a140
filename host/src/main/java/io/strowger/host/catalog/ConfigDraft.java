package io.strowger.host.catalog;

import io.strowger.spi.json.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Collects providers, models and endpoints, and writes them as a configuration. */
final class ConfigDraft {
  private static final Pattern MODEL_ID =
      Pattern.compile("[^~@\\s\\p{Cntrl}][^\\s\\p{Cntrl}]{0,199}");
  private static final Pattern DYNAMIC_VARIANT = Pattern.compile(".*:(nitro|floor|exacto|online)");

  private final Map<String, Json.Obj> providers = new LinkedHashMap<>();
  private final Map<String, Json.Obj> described = new HashMap<>();
  private final Map<String, List<Offer>> offers = new LinkedHashMap<>();
  private final Map<String, Integer> skipped = new TreeMap<>();
  private final Map<String, String> keyVariables = new LinkedHashMap<>();
  private final Set<String> placeholders = new HashSet<>();
  private final List<String> notes = new ArrayList<>();

  /** One endpoint: whose, what the provider calls the model, its tag if it must have that one. */
  private record Offer(String slug, String own, @Nullable String tag, Json.Obj body) {}

  /** A provider; it is written only when an endpoint names it. */
  void provider(String slug, String name, @Nullable String url, @Nullable String keyVariable) {
    if (providers.containsKey(slug)) {
      return;
    }
    boolean usable = url != null && isUsable(url);
    if (!usable) {
      placeholders.add(slug);
    }
    if (keyVariable != null) {
      keyVariables.put(slug, keyVariable);
    }
    String host = slug.replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    providers.put(
        slug,
        Json.object()
            .put("slug", slug)
            .put("name", plain(name, slug))
            .put("protocol", "openai-chat")
            .put("base_url", usable ? String.valueOf(url) : "https://" + host + ".invalid/v1")
            .build());
  }

  /**
   * What is known about a model besides its endpoints.
   *
   * @param better the source knows best, and replaces what another one said before
   */
  void describe(String id, Json.Obj facts, boolean better) {
    if (better) {
      described.put(id, facts);
    } else {
      described.putIfAbsent(id, facts);
    }
  }

  /** An endpoint of a provider named before; says whether it was taken. */
  boolean endpoint(String model, String slug, String own, @Nullable String tag, Json.Obj body) {
    if (!MODEL_ID.matcher(model).matches() || DYNAMIC_VARIANT.matcher(model).matches()) {
      skip("its name means something else in a request");
      return false;
    }
    var others = offers.computeIfAbsent(model, id -> new ArrayList<>());
    if (tag == null && others.stream().anyMatch(it -> it.slug.equals(slug) && it.own.equals(own))) {
      skip("the same endpoint under another name");
      return false;
    }
    others.add(new Offer(slug, own, tag, body));
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

  /** A name as a slug: lower case, everything unusual a dash; empty when nothing is left. */
  static String slug(String name) {
    String slug = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9._-]+", "-");
    slug = slug.replaceAll("^[^a-z0-9]+", "");
    return slug.substring(0, Math.min(slug.length(), 100));
  }

  /**
   * The id of a model a provider has under a name of its own: that name when it has an author in
   * front, otherwise {@code provider/name}. A name that begins with {@code @} has a place of the
   * provider in front, not an author.
   */
  static String modelId(String slug, String own) {
    boolean place = own.startsWith("@");
    String name = place ? own.substring(1) : own;
    return (!place && name.contains("/") ? name : slug + "/" + name).toLowerCase(Locale.ROOT);
  }

  /** A name without control characters, or the other one when nothing is left. */
  static String plain(@Nullable String name, String otherwise) {
    String plain = name == null ? "" : name.replaceAll("\\p{Cntrl}+", " ").strip();
    return plain.isEmpty() ? otherwise : plain.substring(0, Math.min(plain.length(), 1000));
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
    } catch (URISyntaxException hasGaps) {
      return false;
    }
  }

  Imported imported() {
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
            kept.keySet().stream().filter(placeholders::contains).toList(),
            notes);
    return new Imported(config, summary);
  }

  private Json.Obj model(String id, List<Offer> offered) {
    var perProvider = new HashMap<String, Integer>();
    offered.forEach(offer -> perProvider.merge(offer.slug, 1, Integer::sum));
    var tags = new HashSet<String>();
    var endpoints = new ArrayList<Json>();
    for (Offer offer : offered) {
      boolean alone = perProvider.getOrDefault(offer.slug, 0) == 1;
      String wanted = offer.tag == null ? alone ? offer.slug : tag(offer) : offer.tag;
      String tag = wanted;
      for (int i = 2; !tags.add(tag); i++) {
        tag = wanted + "-" + i;
      }
      var endpoint = Json.object().put("provider", offer.slug);
      if (!tag.equals(offer.slug)) {
        endpoint.put("tag", tag);
      }
      endpoints.add(endpoint.put("upstream_model", offer.own).putAll(offer.body).build());
    }
    return Json.object()
        .put("id", id)
        .putAll(described.getOrDefault(id, Json.Obj.EMPTY))
        .put("endpoints", Json.array(endpoints))
        .build();
  }

  private static String tag(Offer offer) {
    String last = offer.own.substring(offer.own.lastIndexOf('/') + 1);
    String name = slug(last.replace(':', '-'));
    return offer.slug + "/" + (name.isEmpty() ? "other" : name);
  }
}
