package io.strowger.core.config;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.ModelInfo.Reasoning;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code models}. No two ids or aliases may be equal. */
final class ModelReader {
  private static final String NAME_ALLOWED =
      "must be a name of 1 to 200 characters such as acme/large, without blanks, not beginning with"
          + " ~ or @ and not ending in :nitro, :floor, :exacto or :online, which are for requests";
  private static final Pattern NAME = Pattern.compile("[^~@\\s\\p{Cntrl}][^\\s\\p{Cntrl}]{0,199}");
  private static final Set<String> VARIANTS = Set.of("nitro", "floor", "exacto", "online");
  private static final List<String> EFFORTS =
      List.of("none", "minimal", "low", "medium", "high", "xhigh", "max");
  private static final WordChoice<String> EFFORT = WordChoice.words(EFFORTS.toArray(new String[0]));

  private final UniqueNames names = new UniqueNames();
  private final Map<String, ProviderConfig> providers;

  /** One model of the file. */
  record Entry(ModelInfo model, List<Endpoint> endpoints) {}

  /**
   * @param providers the providers of the file by slug
   */
  ModelReader(Map<String, ProviderConfig> providers) {
    this.providers = providers;
  }

  Entry read(Section in) {
    String id = in.text("id", NAME_ALLOWED, ModelReader::isName);
    in.require("id");
    names.check(in, "id", id);
    var model =
        ModelInfo.builder(id == null ? "" : id)
            .family(in.text("family"))
            .createdAt(created(in))
            .isHidden(in.flag("hidden", false))
            .isPrivate(in.flag("private", false))
            .aliases(aliases(in))
            .distillable(in.flag("distillable", false))
            .codingScore(in.number("coding_score", 0, 1))
            .intelligenceScore(in.number("intelligence_score", 0, 1))
            .reasoning(in.section("reasoning", ModelReader::reasoning));
    String name = in.text("name");
    if (name != null) {
      model.name(name);
    }
    var endpoints = new EndpointReader(id == null ? "" : id, providers);
    var endpointList = in.sections("endpoints", (endpoint, i) -> endpoints.read(endpoint));
    in.require("endpoints");
    if (in.isEmptyList("endpoints")) {
      in.problem("endpoints", "must have at least one endpoint, or no request can use the model");
    }
    return new Entry(model.build(), endpointList);
  }

  private static @Nullable Instant created(Section in) {
    String text =
        in.text(
            "created",
            "must be a moment such as 2026-05-01T00:00:00Z",
            moment -> instant(moment) != null);
    return text == null ? null : instant(text);
  }

  private static @Nullable Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      return null;
    }
  }

  private List<String> aliases(Section in) {
    var aliases = new ArrayList<String>();
    in.eachText(
        "aliases",
        NAME_ALLOWED,
        ModelReader::isName,
        (alias, i) -> {
          names.checkItem(in, "aliases", i, alias);
          aliases.add(alias);
        });
    return aliases;
  }

  private static Reasoning reasoning(Section in) {
    boolean mandatory = in.flag("mandatory", false);
    List<String> listed = in.choices("efforts", EFFORT);
    var efforts = EFFORTS.stream().filter(e -> listed != null && listed.contains(e)).toList();
    return new Reasoning(mandatory, efforts, in.flag("max_tokens", false));
  }

  /** Returns whether requests can use this name; reserved variants and prefixes are excluded. */
  static boolean isName(String name) {
    String variant = name.substring(name.lastIndexOf(':') + 1).toLowerCase(Locale.ROOT);
    return NAME.matcher(name).matches() && !(name.contains(":") && VARIANTS.contains(variant));
  }
}
