package io.strowger.host.catalog;

import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Converts the abilities of endpoints in price lists to the members of a configuration. */
final class Abilities {
  private static final Set<String> PARAMETERS =
      EnumSet.allOf(Parameter.class).stream()
          .map(Parameter::wireName)
          .collect(Collectors.toUnmodifiableSet());
  private static final Set<String> MODALITIES =
      EnumSet.allOf(Modality.class).stream()
          .map(Modality::wireName)
          .collect(Collectors.toUnmodifiableSet());

  private Abilities() {}

  /**
   * Returns the parameters for length, for stop texts and, if requested, for sampling. Every chat
   * endpoint is assumed to support these, since price lists name only special abilities.
   */
  static EnumSet<Parameter> basicParameters(boolean sampling) {
    var parameters =
        EnumSet.of(Parameter.MAX_TOKENS, Parameter.MAX_COMPLETION_TOKENS, Parameter.STOP);
    if (sampling) {
      parameters.add(Parameter.TEMPERATURE);
      parameters.add(Parameter.TOP_P);
    }
    return parameters;
  }

  static Json.Arr parameters(EnumSet<Parameter> parameters) {
    return Json.array(parameters.stream().map(it -> Json.of(it.wireName())).toList());
  }

  /** Returns the known names of a list of parameters; null when the value is not a list. */
  static Json.@Nullable Arr knownParameters(@Nullable Json list) {
    return known(list, PARAMETERS);
  }

  /**
   * Returns the known names of a list of modalities, with {@code pdf} as {@code file}; null when
   * none is known or the value is not a list.
   */
  static Json.@Nullable Arr knownModalities(@Nullable Json list) {
    Json.Arr modalities = known(list, MODALITIES);
    return modalities == null || modalities.isEmpty() ? null : modalities;
  }

  private static Json.@Nullable Arr known(@Nullable Json list, Set<String> words) {
    if (!(list instanceof Json.Arr items)) {
      return null;
    }
    var result = new ArrayList<Json>();
    for (Json item : items) {
      if (item instanceof Json.Str str) {
        String word = str.text().toLowerCase(Locale.ROOT).replaceAll("^pdf$", "file");
        if (words.contains(word) && !result.contains(Json.of(word))) {
          result.add(Json.of(word));
        }
      }
    }
    return Json.array(List.copyOf(result));
  }

  static boolean isTrue(Json.Obj entry, String name) {
    return entry.get(name) instanceof Json.Bool bool && bool.value();
  }

  /**
   * Puts a length in tokens, unless it is absent, 0 (which means unknown) or above {@link
   * Integer#MAX_VALUE}.
   */
  static void putTokens(Json.Obj.Builder out, String name, Json.Obj entry, String from) {
    long tokens = entry.longValue(from, 0);
    if (tokens > 0 && tokens <= Integer.MAX_VALUE) {
      out.put(name, tokens);
    }
  }

  static void putUnlessNull(Json.Obj.Builder out, String name, @Nullable Json value) {
    if (value != null) {
      out.put(name, value);
    }
  }
}
