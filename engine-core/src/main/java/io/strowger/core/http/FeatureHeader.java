package io.strowger.core.http;

import io.strowger.core.decode.Problems;
import io.strowger.core.wire.WireRequest;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The features that a caller requests from upstreams of the messages dialect: {@code
 * anthropic-beta}, which that dialect's own clients send, and {@code x-anthropic-beta}. Both
 * headers, and repeated ones, are merged into one list. Only upstreams of that dialect get them.
 * Provider-routing fact sheet, section 14.
 */
final class FeatureHeader {
  private static final String OWN = "anthropic-beta"; // sent by the dialect's own clients
  private static final String OURS = "x-anthropic-beta";
  private static final Pattern FEATURE = Pattern.compile("[A-Za-z0-9_-]{1,128}");
  private static final int MOST = 32;
  private static final int MAX_CHARS = MOST * 132;

  /**
   * Used instead of a header that is too long to split. It is rejected, since no name contains a
   * blank.
   */
  private static final String[] TOO_LONG = {"a name"};

  private FeatureHeader() {}

  /**
   * Returns the requested features, each once; empty when there are none, or when a problem was
   * noted.
   */
  static List<String> of(WireRequest.Headers headers, Problems problems) {
    List<String> own = given(headers, OWN);
    List<String> ours = given(headers, OURS);
    if (own.isEmpty() && ours.isEmpty()) {
      return List.of(); // the common case, which allocates nothing
    }
    Set<String> features = new LinkedHashSet<>();
    return addAll(features, OWN, own, problems) && addAll(features, OURS, ours, problems)
        ? List.copyOf(features)
        : List.of();
  }

  /** Adds the features of all values. Returns false and notes a problem when one is invalid. */
  private static boolean addAll(
      Set<String> features, String name, List<String> values, Problems problems) {
    for (String value : values) {
      if (!addTo(features, value)) {
        problems.add(
            JsonPointer.ROOT,
            "the header "
                + name
                + " must be a list of at most 32 names of at most 128 letters, digits, _ and -",
            Problems.shown(Json.of(value)));
        return false;
      }
    }
    return true;
  }

  /** Returns all values of a header, or the first when the host provides only that. */
  private static List<String> given(WireRequest.Headers headers, String name) {
    List<String> all = headers.all(name);
    String first = all.isEmpty() ? headers.first(name) : null;
    return first == null ? all : List.of(first);
  }

  /**
   * Adds the features of one value. Returns false when it is invalid, or when there are too many
   * features.
   */
  private static boolean addTo(Set<String> features, String value) {
    for (String item : value.length() > MAX_CHARS ? TOO_LONG : value.split(",", -1)) {
      String feature = item.strip();
      if (!feature.isEmpty() && !FEATURE.matcher(feature).matches()) {
        return false;
      }
      if (!feature.isEmpty()) {
        features.add(feature);
      }
    }
    return features.size() <= MOST;
  }
}
