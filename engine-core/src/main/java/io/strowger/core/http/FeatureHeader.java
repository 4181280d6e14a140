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
  private static final String CLIENT_HEADER = "anthropic-beta"; // sent by the dialect's own clients
  private static final String GATEWAY_HEADER = "x-anthropic-beta";
  private static final Pattern FEATURE = Pattern.compile("[A-Za-z0-9_-]{1,128}");
  private static final int MAX_FEATURES = 32;
  private static final int MAX_CHARS = MAX_FEATURES * 132;

  /**
   * Used instead of a header that is too long to split. This value is always rejected, since no
   * name contains a blank.
   */
  private static final String[] INVALID_NAMES = {"a name"};

  private FeatureHeader() {}

  /**
   * Returns the requested features, each once; empty when there are none, or when a problem was
   * noted.
   */
  static List<String> of(WireRequest.Headers headers, Problems problems) {
    List<String> clientValues = values(headers, CLIENT_HEADER);
    List<String> gatewayValues = values(headers, GATEWAY_HEADER);
    if (clientValues.isEmpty() && gatewayValues.isEmpty()) {
      return List.of(); // the common case, which allocates nothing
    }
    Set<String> features = new LinkedHashSet<>();
    return addAll(features, CLIENT_HEADER, clientValues, problems)
            && addAll(features, GATEWAY_HEADER, gatewayValues, problems)
        ? List.copyOf(features)
        : List.of();
  }

  /** Adds the features of all values. Returns false and notes a problem when one is invalid. */
  private static boolean addAll(
      Set<String> features, String name, List<String> values, Problems problems) {
    for (String value : values) {
      if (!addValue(features, value)) {
        problems.add(
            JsonPointer.ROOT,
            "the header "
                + name
                + " must be a list of at most 32 names of at most 128 letters, digits, _ and -",
            Problems.displayText(Json.of(value)));
        return false;
      }
    }
    return true;
  }

  /** Returns all values of a header, or the first when the host provides only that. */
  private static List<String> values(WireRequest.Headers headers, String name) {
    List<String> values = headers.all(name);
    String first = values.isEmpty() ? headers.first(name) : null;
    return first == null ? values : List.of(first);
  }

  /**
   * Adds the features of one value. Returns false when it is invalid, or when there are too many
   * features.
   */
  private static boolean addValue(Set<String> features, String value) {
    for (String item : value.length() > MAX_CHARS ? INVALID_NAMES : value.split(",", -1)) {
      String feature = item.strip();
      if (!feature.isEmpty() && !FEATURE.matcher(feature).matches()) {
        return false;
      }
      if (!feature.isEmpty()) {
        features.add(feature);
      }
    }
    return features.size() <= MAX_FEATURES;
  }
}
