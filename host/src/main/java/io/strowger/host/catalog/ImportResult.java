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
 * The result of an import: a configuration and a summary.
 *
 * @param config a configuration with {@code providers} and {@code models}
 * @param summary what was imported and what was left out
 */
public record ImportResult(Json.Obj config, Summary summary) {
  public ImportResult {
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(summary, "summary");
  }

  /** Returns the same import with another configuration and further notes. */
  ImportResult with(Json.Obj changed, List<String> notes) {
    return new ImportResult(changed, summary.with(notes));
  }

  /**
   * The numbers of imported and skipped entries of a catalog, with notes for people.
   *
   * @param providers the number of imported providers
   * @param models the number of imported models
   * @param endpoints the number of imported endpoints
   * @param skipped the number of skipped entries, by reason
   * @param keyVariables the environment variables of providers' keys, by slug; only for well-known
   *     vendors and for providers that name one
   * @param keyHosts the hosts that keys are sent to, by slug; only for providers whose key is in
   *     the configuration
   * @param withoutVariable slugs of providers without a single known key variable
   * @param placeholders slugs of providers whose {@code base_url} is a placeholder
   * @param notReady the number of providers that were left out because they have no known key or no
   *     usable address
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

    private Summary with(List<String> further) {
      var combined = new ArrayList<>(notes);
      combined.addAll(further);
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
          combined);
    }

    /**
     * Returns the variables that the configuration names, sorted. The configuration is valid only
     * where all of them are set.
     */
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

    /** Returns the number of skipped entries, for all reasons together. */
    public int totalSkipped() {
      return skipped.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns the summary as lines for people. */
    public List<String> lines() {
      var lines = new ArrayList<String>();
      lines.add(
          "%s, %s of %s"
              .formatted(
                  Quantity.of(models, "model"),
                  Quantity.of(endpoints, "endpoint"),
                  Quantity.of(providers, "provider")));
      skipped.forEach((reason, count) -> lines.add("skipped " + count + ": " + reason));
      if (!placeholders.isEmpty()) {
        lines.add(
            "base_url is a placeholder for "
                + Quantity.of(placeholders.size(), "provider")
                + ": "
                + String.join(", ", placeholders));
      }
      Set<String> required = requiredVariables();
      if (!required.isEmpty()) {
        lines.add(
            "set these environment variables where the configuration is used: "
                + String.join(", ", required));
      }
      keyHosts.forEach((slug, host) -> lines.add(keyVariables.get(slug) + " -> " + host));
      long unrequested =
          keyVariables.keySet().stream().filter(it -> !keyHosts.containsKey(it)).count();
      if (unrequested > 0) {
        lines.add(
            "api_key is left out for "
                + Quantity.of(unrequested, "provider")
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
                + " without a known key or a usable address: --only SLUG imports one of them,"
                + " --all imports all");
      }
      lines.addAll(notes);
      return List.copyOf(lines);
    }
  }
}
