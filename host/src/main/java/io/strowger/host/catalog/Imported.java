package io.strowger.host.catalog;

import io.strowger.host.show.Quantity;
import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * A configuration made from a catalog.
 *
 * @param config {@code providers} and {@code models}
 * @param summary what became of the catalog
 */
public record Imported(Json.Obj config, Summary summary) {
  public Imported {
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(summary, "summary");
  }

  /** Returns the same import with another configuration and further notes. */
  Imported with(Json.Obj changed, List<String> notes) {
    return new Imported(changed, summary.with(notes));
  }

  /**
   * What an import took over and what not.
   *
   * @param providers how many have an endpoint
   * @param models how many have an endpoint
   * @param endpoints how many in all
   * @param skipped how many entries were left out, by the reason why
   * @param keyVariables the environment variable a provider's key usually comes from, by slug; only
   *     of providers that are well known or say so
   * @param keyHosts the host a provider's key is sent to, by slug; only of providers whose key the
   *     configuration names
   * @param withoutVariable slugs of providers for which nobody names a single key variable
   * @param placeholders slugs of providers whose {@code base_url} is a placeholder
   * @param notReady how many providers were left out for want of a known key and a usable address
   * @param notes further sentences for people
   */
  public record Summary(
      int providers,
      int models,
      int endpoints,
      Map<String, Integer> skipped,
      Map<String, String> keyVariables,
      Map<String, String> keyHosts,
      List<String> withoutVariable,
      List<String> placeholders,
      int notReady,
      List<String> notes) {
    public Summary {
      skipped = Collections.unmodifiableMap(new LinkedHashMap<>(skipped));
      keyVariables = Collections.unmodifiableMap(new LinkedHashMap<>(keyVariables));
      keyHosts = Collections.unmodifiableMap(new LinkedHashMap<>(keyHosts));
      withoutVariable = List.copyOf(withoutVariable);
      placeholders = List.copyOf(placeholders);
      notes = List.copyOf(notes);
    }

    private Summary with(List<String> more) {
      var all = new ArrayList<>(notes);
      all.addAll(more);
      return new Summary(
          providers,
          models,
          endpoints,
          skipped,
          keyVariables,
          keyHosts,
          withoutVariable,
          placeholders,
          notReady,
          all);
    }

    /** The variables the configuration names; it is valid only where all of them are set. */
    public Set<String> requiredVariables() {
      var required = new TreeSet<String>();
      keyVariables.forEach(
          (slug, variable) -> {
            if (keyHosts.containsKey(slug)) {
              required.add(variable);
            }
          });
      return Collections.unmodifiableSet(required);
    }

    /** Entries left out for whatever reason. */
    public int skippedInAll() {
      return skipped.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** The summary as lines for people. */
    public List<String> lines() {
      var lines = new ArrayList<String>();
      lines.add(
          "%s, %s of %s"
              .formatted(
                  Quantity.of(models, "model"),
                  Quantity.of(endpoints, "endpoint"),
                  Quantity.of(providers, "provider")));
      skipped.forEach((why, count) -> lines.add("skipped " + count + ": " + why));
      if (!placeholders.isEmpty()) {
        lines.add(
            "base_url is a placeholder for "
                + Quantity.of(placeholders.size(), "provider")
                + ": "
                + String.join(", ", placeholders));
      }
      Set<String> required = requiredVariables();
      if (!required.isEmpty()) {
        lines.add("to be set where it is used: " + String.join(", ", required));
      }
      keyHosts.forEach((slug, host) -> lines.add(keyVariables.get(slug) + " -> " + host));
      long unasked = keyVariables.keySet().stream().filter(it -> !keyHosts.containsKey(it)).count();
      if (unasked > 0) {
        lines.add(
            "api_key is left out for "
                + Quantity.of(unasked, "provider")
                + " that --only does not name");
      }
      if (!withoutVariable.isEmpty()) {
        lines.add(
            "api_key is left out for "
                + Quantity.of(withoutVariable.size(), "provider")
                + " without a single known key variable: "
                + String.join(", ", withoutVariable));
      }
      if (notReady > 0) {
        lines.add(
            "left out "
                + Quantity.of(notReady, "provider")
                + " without a known key and a usable address: --only SLUG imports one of them,"
                + " --all imports all");
      }
      lines.addAll(notes);
      return List.copyOf(lines);
    }
  }
}
