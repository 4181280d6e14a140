package io.strowger.core.resource;

import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.store.KeyId;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parameters in paths, already percent-decoded. Where the contract defines an error for a
 * parameter, an invalid value is a problem; elsewhere it is treated as the id of a resource that
 * does not exist.
 */
public final class PathParameters {
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern IDENTIFIER =
      Pattern.compile("(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final QueryParameter<Long> VERSION = QueryParameter.integer(1, Integer.MAX_VALUE);

  private PathParameters() {}

  /**
   * Reads {@code slug} of {@code /presets/{slug}}. Open question 69.
   *
   * @return null when a problem was noted
   */
  public static @Nullable String presetSlug(String value, Problems problems) {
    if (PresetSlug.isValid(value)) {
      return value;
    }
    addProblem("the preset slug " + PresetSlug.ALLOWED, value, problems);
    return null;
  }

  /**
   * Reads {@code version} of {@code /presets/{slug}/versions/{version}}: a whole number from 1.
   *
   * @return null when a problem was noted
   */
  public static @Nullable Integer presetVersion(String value, Problems problems) {
    Long version = VERSION.parser().apply(value);
    if (version == null) {
      addProblem("the preset version must be a whole number of at least 1", value, problems);
    }
    return version == null ? null : version.intValue();
  }

  /** Reads {@code hash} of {@code /keys/{hash}}; null when there can be no such key. */
  public static @Nullable KeyId keyHash(String value) {
    return HASH.matcher(value).matches() ? KeyId.of(HexFormat.of().parseHex(value)) : null;
  }

  /**
   * Reads {@code id} of a resource that is named by a UUID, in lower case; null when there can be
   * no such resource.
   */
  public static @Nullable String uuid(String value) {
    return IDENTIFIER.matcher(value).matches() ? value.toLowerCase(Locale.ROOT) : null;
  }

  private static void addProblem(String allowed, String value, Problems problems) {
    problems.add(JsonPointer.ROOT, allowed, Problems.displayText(Json.of(value)));
  }
}
