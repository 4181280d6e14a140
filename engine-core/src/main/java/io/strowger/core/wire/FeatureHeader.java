package io.strowger.core.wire;

import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * {@code x-anthropic-beta}: features of one dialect of upstreams, handed on to those that speak it.
 * Provider-routing fact sheet, section 14.
 */
final class FeatureHeader {
  private static final String NAME = "x-anthropic-beta";
  private static final Pattern FEATURE = Pattern.compile("[A-Za-z0-9_-]{1,128}");
  private static final int MOST = 32;
  private static final int MOST_CHARS = MOST * 132;

  /** Stands for a header that is not even split: no name has a blank in it. */
  private static final String[] TOO_LONG = {"a name"};

  private FeatureHeader() {}

  /** The features named, each once; none when the header is absent or wrong, which is noted. */
  static List<String> of(WireRequest.Headers headers, Problems problems) {
    String said = headers.first(NAME);
    if (said == null || said.isBlank()) {
      return List.of();
    }
    Set<String> features = new LinkedHashSet<>();
    for (String item : said.length() > MOST_CHARS ? TOO_LONG : said.split(",", -1)) {
      String feature = item.strip();
      if (!feature.isEmpty()) {
        features.add(feature);
      }
    }
    if (features.size() <= MOST && features.stream().allMatch(f -> FEATURE.matcher(f).matches())) {
      return List.copyOf(features);
    }
    problems.add(
        JsonPointer.ROOT,
        "the header "
            + NAME
            + " must be a list of at most 32 names of at most 128 letters, digits, _ and -",
        Problems.shown(Json.of(said)));
    return List.of();
  }
}
