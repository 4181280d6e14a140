package io.strowger.core.wire;

import static io.strowger.core.wire.Operation.CHAT;
import static io.strowger.core.wire.Operation.HEALTH;
import static io.strowger.core.wire.Operation.LATER_ANY;
import static io.strowger.core.wire.Operation.LATER_INFERENCE;
import static io.strowger.core.wire.Operation.LATER_MANAGEMENT;
import static io.strowger.core.wire.Operation.NOWHERE;
import static io.strowger.core.wire.Operation.OTHER_METHOD;

import io.strowger.core.encode.Envelope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Every path of the interface. Contract: "Endpoints"; the operations it names without showing them
 * are those of the resources fact sheet, section 1.
 */
final class Routes {
  private static final Path UNKNOWN = new Path("", Map.of());

  private final Map<String, Path> exact = new HashMap<>();
  private final List<Path> patterns = new ArrayList<>();

  /**
   * A path and its methods.
   *
   * @param pattern segments, of which {@code *} stands for any one and a last {@code **} for any
   *     number
   */
  private record Path(String pattern, Map<String, Operation> methods) {
    boolean matches(String path) {
      String[] wanted = pattern.split("/", -1);
      String[] given = path.split("/", -1);
      for (int i = 0; i < wanted.length; i++) {
        if (wanted[i].equals("**")) {
          return true;
        }
        if (i >= given.length || !matches(wanted[i], given[i])) {
          return false;
        }
      }
      return wanted.length == given.length;
    }

    private static boolean matches(String wanted, String given) {
      return wanted.equals("*") ? !given.isEmpty() : wanted.equals(given);
    }
  }

  Routes() {
    add("/health", HEALTH, "GET");
    add("/chat/completions", CHAT, "POST");
    add("/messages", LATER_INFERENCE, "POST");
    add("/responses", LATER_INFERENCE, "POST");
    add("/embeddings", LATER_INFERENCE, "POST");
    add("/audio/speech", LATER_INFERENCE, "POST");
    add("/batches", LATER_INFERENCE, "GET", "POST");
    add("/batches/*", LATER_INFERENCE, "GET", "DELETE");
    account();
    presets();
    reading();
  }

  private void account() {
    add("/keys", LATER_MANAGEMENT, "GET", "POST");
    add("/keys/*", LATER_MANAGEMENT, "GET", "PATCH", "DELETE");
    add("/observability/destinations", LATER_MANAGEMENT, "GET", "POST");
    add("/observability/destinations/*", LATER_MANAGEMENT, "GET", "PATCH", "DELETE");
    for (String family : List.of("/guardrails", "/workspaces", "/byok")) {
      add(family, LATER_MANAGEMENT, "GET", "POST");
      add(family + "/**", LATER_MANAGEMENT, "GET", "POST", "PATCH", "PUT", "DELETE");
    }
    add("/credits", LATER_MANAGEMENT, "GET");
    add("/generation/feedback", LATER_MANAGEMENT, "POST");
    add("/organization/members", LATER_MANAGEMENT, "GET");
  }

  private void presets() {
    add("/presets", LATER_ANY, "GET");
    add("/presets/*", LATER_ANY, "GET");
    add("/presets/*/versions", LATER_ANY, "GET");
    add("/presets/*/versions/*", LATER_ANY, "GET");
    add("/presets/*/chat/completions", LATER_MANAGEMENT, "POST");
    add("/presets/*/messages", LATER_MANAGEMENT, "POST");
    add("/presets/*/responses", LATER_MANAGEMENT, "POST");
  }

  private void reading() {
    add("/key", LATER_ANY, "GET");
    add("/generation", LATER_ANY, "GET");
    add("/generation/content", LATER_ANY, "GET");
    add("/models", LATER_ANY, "GET");
    add("/models/count", LATER_ANY, "GET");
    add("/models/user", LATER_ANY, "GET");
    add("/models/*/*/endpoints", LATER_ANY, "GET");
    add("/model/*/*", LATER_ANY, "GET");
    add("/providers", LATER_ANY, "GET");
    add("/endpoints/zdr", LATER_ANY, "GET");
  }

  private void add(String pattern, Operation operation, String... methods) {
    var operations = new TreeMap<String, Operation>();
    for (String method : methods) {
      operations.put(method, operation);
    }
    put(pattern, operations);
  }

  private void put(String pattern, Map<String, Operation> methods) {
    var path = new Path(pattern, methods);
    if (pattern.contains("*")) {
      patterns.add(path);
    } else {
      exact.put(pattern, path);
    }
  }

  private Path find(String path) {
    Path known = exact.get(path);
    if (known != null) {
      return known;
    }
    for (Path pattern : patterns) {
      if (pattern.matches(path)) {
        return pattern;
      }
    }
    return UNKNOWN;
  }

  Operation operation(String method, String path) {
    Path known = find(path);
    if (known == UNKNOWN) {
      return NOWHERE;
    }
    return known.methods().getOrDefault(method, OTHER_METHOD);
  }

  /** The methods of a path, for the {@code Allow} header; null when there is no such path. */
  @Nullable String allowed(String path) {
    Path known = find(path);
    return known == UNKNOWN ? null : String.join(", ", known.methods().keySet());
  }

  /** How a path wraps its errors, also when there is no such path. */
  static Envelope envelope(String path) {
    if (path.equals("/messages")) {
      return Envelope.MESSAGES;
    }
    if (path.equals("/responses")) {
      return Envelope.RESPONSES;
    }
    return path.equals("/batches") || path.startsWith("/batches/")
        ? Envelope.BATCHES
        : Envelope.GATEWAY;
  }
}
