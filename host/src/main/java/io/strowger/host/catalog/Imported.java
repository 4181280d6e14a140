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
   * @param requiredVariables those of them that the configuration names, so that it is valid only
   *     where they are set
   * @param placeholders slugs of providers whose {@code base_url} is a placeholder
   * @param notes further sentences for people
   */
  public record Summary(
      int providers,
      int models,
      int endpoints,
      Map<String, Integer> skipped,
      Map<String, String> keyVariables,
      Set<String> requiredVariables,
      List<String> placeholders,
      List<String> notes) {
    public Summary {
      skipped = Collections.unmodifiableMap(new LinkedHashMap<>(skipped));
      keyVariables = Collections.unmodifiableMap(new LinkedHashMap<>(keyVariables));
      requiredVariables = Collections.unmodifiableSet(new TreeSet<>(requiredVariables));
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
          requiredVariables,
          placeholders,
          all);
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
      if (!requiredVariables.isEmpty()) {
        lines.add("to be set where it is used: " + String.join(", ", requiredVariables));
      }
      long without =
          keyVariables.values().stream().filter(v -> !requiredVariables.contains(v)).count();
      if (without > 0) {
        lines.add(
            "api_key is left out for "
                + Quantity.of(without, "provider")
                + " that --only does not name");
      }
      lines.addAll(notes);
      return List.copyOf(lines);
    }
  }
}
