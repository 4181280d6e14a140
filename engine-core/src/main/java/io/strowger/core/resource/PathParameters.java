package io.strowger.core.resource;

import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.store.KeyId;
import java.util.HexFormat;
import java.util.UUID;
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
  private static final QueryParameter<Long> VERSION = QueryParameter.whole(1, Integer.MAX_VALUE);

  private PathParameters() {}

  /**
   * Reads {@code slug} of {@code /presets/{slug}}. Open question 69.
   *
   * @return null when a problem was noted
   */
  public static @Nullable String presetSlug(String given, Problems problems) {
    if (PresetSlug.isValid(given)) {
      return given;
    }
    wrong("the preset slug " + PresetSlug.ALLOWED, given, problems);
    return null;
  }

  /**
   * Reads {@code version} of {@code /presets/{slug}/versions/{version}}: a whole number from 1.
   *
   * @return null when a problem was noted
   */
  public static @Nullable Integer presetVersion(String given, Problems problems) {
    Long version = VERSION.read().apply(given);
    if (version == null) {
      wrong("the preset version must be a whole number of at least 1", given, problems);
    }
    return version == null ? null : version.intValue();
  }

  /** Reads {@code hash} of {@code /keys/{hash}}; null when there can be no such key. */
  public static @Nullable KeyId keyHash(String given) {
    return HASH.matcher(given).matches() ? KeyId.of(HexFormat.of().parseHex(given)) : null;
  }

  /**
   * Reads {@code id} of {@code /observability/destinations/{id}}; null when there can be no such
   * destination.
   */
  public static @Nullable UUID destinationId(String given) {
    return IDENTIFIER.matcher(given).matches() ? UUID.fromString(given) : null;
  }

  /**
   * Reads {@code id} of a resource that is named by a UUID; null when there can be no such
   * resource.
   */
  public static @Nullable UUID uuid(String given) {
    return destinationId(given);
  }

  private static void wrong(String allowed, String given, Problems problems) {
    problems.add(JsonPointer.ROOT, allowed, Problems.shown(Json.of(given)));
  }
}
