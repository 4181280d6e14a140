package io.strowger.core.http;

import static io.strowger.core.http.Operation.ASSIGN_KEYS;
import static io.strowger.core.http.Operation.ASSIGN_MEMBERS;
import static io.strowger.core.http.Operation.CHAT;
import static io.strowger.core.http.Operation.COUNT_MODELS;
import static io.strowger.core.http.Operation.COUNT_TOKENS;
import static io.strowger.core.http.Operation.CREATE_BATCH;
import static io.strowger.core.http.Operation.CREATE_BYOK_KEY;
import static io.strowger.core.http.Operation.CREATE_DESTINATION;
import static io.strowger.core.http.Operation.CREATE_GUARDRAIL;
import static io.strowger.core.http.Operation.CREATE_KEY;
import static io.strowger.core.http.Operation.CREATE_WORKSPACE;
import static io.strowger.core.http.Operation.CREDITS;
import static io.strowger.core.http.Operation.CURRENT_KEY;
import static io.strowger.core.http.Operation.DELETE_BATCH;
import static io.strowger.core.http.Operation.DELETE_BUDGET;
import static io.strowger.core.http.Operation.DELETE_BYOK_KEY;
import static io.strowger.core.http.Operation.DELETE_DESTINATION;
import static io.strowger.core.http.Operation.DELETE_GUARDRAIL;
import static io.strowger.core.http.Operation.DELETE_KEY;
import static io.strowger.core.http.Operation.DELETE_WORKSPACE;
import static io.strowger.core.http.Operation.EMBEDDINGS;
import static io.strowger.core.http.Operation.GET_BATCH;
import static io.strowger.core.http.Operation.GET_BYOK_KEY;
import static io.strowger.core.http.Operation.GET_DESTINATION;
import static io.strowger.core.http.Operation.GET_GENERATION;
import static io.strowger.core.http.Operation.GET_GENERATION_CONTENT;
import static io.strowger.core.http.Operation.GET_GUARDRAIL;
import static io.strowger.core.http.Operation.GET_KEY;
import static io.strowger.core.http.Operation.GET_MODEL;
import static io.strowger.core.http.Operation.GET_PRESET;
import static io.strowger.core.http.Operation.GET_PRESET_VERSION;
import static io.strowger.core.http.Operation.GET_WORKSPACE;
import static io.strowger.core.http.Operation.HEALTH;
import static io.strowger.core.http.Operation.IMAGES;
import static io.strowger.core.http.Operation.LIST_AUDIT_LOG;
import static io.strowger.core.http.Operation.LIST_BATCHES;
import static io.strowger.core.http.Operation.LIST_BUDGETS;
import static io.strowger.core.http.Operation.LIST_BYOK_KEYS;
import static io.strowger.core.http.Operation.LIST_DESTINATIONS;
import static io.strowger.core.http.Operation.LIST_GUARDRAILS;
import static io.strowger.core.http.Operation.LIST_KEYS;
import static io.strowger.core.http.Operation.LIST_KEY_ASSIGNMENTS;
import static io.strowger.core.http.Operation.LIST_MEMBERS;
import static io.strowger.core.http.Operation.LIST_MEMBER_ASSIGNMENTS;
import static io.strowger.core.http.Operation.LIST_MODELS;
import static io.strowger.core.http.Operation.LIST_MODEL_ENDPOINTS;
import static io.strowger.core.http.Operation.LIST_PRESETS;
import static io.strowger.core.http.Operation.LIST_PRESET_VERSIONS;
import static io.strowger.core.http.Operation.LIST_PROVIDERS;
import static io.strowger.core.http.Operation.LIST_USABLE_MODELS;
import static io.strowger.core.http.Operation.LIST_WORKSPACES;
import static io.strowger.core.http.Operation.LIST_ZDR_ENDPOINTS;
import static io.strowger.core.http.Operation.MESSAGES;
import static io.strowger.core.http.Operation.OPTIONS;
import static io.strowger.core.http.Operation.OTHER_METHOD;
import static io.strowger.core.http.Operation.PRESET_FROM_CHAT;
import static io.strowger.core.http.Operation.PRESET_FROM_MESSAGES;
import static io.strowger.core.http.Operation.PRESET_FROM_RESPONSES;
import static io.strowger.core.http.Operation.RERANK;
import static io.strowger.core.http.Operation.RESPONSES;
import static io.strowger.core.http.Operation.ROTATE_KEY;
import static io.strowger.core.http.Operation.SEND_FEEDBACK;
import static io.strowger.core.http.Operation.SET_BUDGET;
import static io.strowger.core.http.Operation.SPEECH;
import static io.strowger.core.http.Operation.TEST_DESTINATION;
import static io.strowger.core.http.Operation.TRANSCRIPTIONS;
import static io.strowger.core.http.Operation.UNASSIGN_KEYS;
import static io.strowger.core.http.Operation.UNASSIGN_MEMBERS;
import static io.strowger.core.http.Operation.UNKNOWN_PATH;
import static io.strowger.core.http.Operation.UPDATE_BYOK_KEY;
import static io.strowger.core.http.Operation.UPDATE_DESTINATION;
import static io.strowger.core.http.Operation.UPDATE_GUARDRAIL;
import static io.strowger.core.http.Operation.UPDATE_KEY;
import static io.strowger.core.http.Operation.UPDATE_WORKSPACE;

import io.strowger.core.dialect.ErrorEnvelope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The paths of the API and their operations. Contract: "Endpoints"; operations that the contract
 * only names are described in the resources fact sheet, section 1.
 */
final class Routes {
  private static final Path UNKNOWN = new Path(List.of(), Map.of());

  /** The maximum length of a path that is looked up, in characters. */
  private static final int MAX_CHARS = 2048;

  private final Map<String, Path> exact = new HashMap<>();
  private final List<Path> patterns = new ArrayList<>();

  /**
   * A path and its methods.
   *
   * @param segments the segments of the path; {@code *} matches any single segment. The other
   *     segments are compared undecoded: otherwise a second spelling of a path would get around a
   *     proxy that guards only the first spelling
   */
  private record Path(List<String> segments, Map<String, Operation> methods) {
    boolean matches(String[] given) {
      if (given.length != segments.size()) {
        return false;
      }
      for (int i = 0; i < given.length; i++) {
        if (!matches(segments.get(i), given[i])) {
          return false;
        }
      }
      return true;
    }

    private static boolean matches(String pattern, String given) {
      return pattern.equals("*") ? !PathSegment.decode(given).isEmpty() : pattern.equals(given);
    }

    Path get(Operation operation) {
      return method("GET", operation);
    }

    Path post(Operation operation) {
      return method("POST", operation);
    }

    Path patch(Operation operation) {
      return method("PATCH", operation);
    }

    Path put(Operation operation) {
      return method("PUT", operation);
    }

    Path delete(Operation operation) {
      return method("DELETE", operation);
    }

    private Path method(String name, Operation operation) {
      methods.put(name, operation);
      return this;
    }
  }

  Routes() {
    route("/health").get(HEALTH);
    route("/chat/completions").post(CHAT);
    route("/messages").post(MESSAGES);
    route("/messages/count_tokens").post(COUNT_TOKENS);
    route("/responses").post(RESPONSES);
    route("/embeddings").post(EMBEDDINGS);
    route("/audio/speech").post(SPEECH);
    route("/audio/transcriptions").post(TRANSCRIPTIONS);
    route("/rerank").post(RERANK);
    route("/images").post(IMAGES);
    route("/images/generations").post(IMAGES);
    route("/batches").get(LIST_BATCHES).post(CREATE_BATCH);
    route("/batches/*").get(GET_BATCH).delete(DELETE_BATCH);
    addAccountPaths();
    addPresetPaths();
    addReadOnlyPaths();
  }

  private void addAccountPaths() {
    route("/keys").get(LIST_KEYS).post(CREATE_KEY);
    route("/keys/*").get(GET_KEY).patch(UPDATE_KEY).delete(DELETE_KEY);
    route("/keys/*/rotate").post(ROTATE_KEY);
    route("/key").get(CURRENT_KEY);
    route("/audit-log").get(LIST_AUDIT_LOG);
    route("/observability/destinations").get(LIST_DESTINATIONS).post(CREATE_DESTINATION);
    route("/observability/destinations/*")
        .get(GET_DESTINATION)
        .patch(UPDATE_DESTINATION)
        .delete(DELETE_DESTINATION);
    route("/observability/destinations/*/test").post(TEST_DESTINATION);
    route("/byok").get(LIST_BYOK_KEYS).post(CREATE_BYOK_KEY);
    route("/byok/*").get(GET_BYOK_KEY).patch(UPDATE_BYOK_KEY).delete(DELETE_BYOK_KEY);
    addGuardrailPaths();
    addWorkspacePaths();
    route("/credits").get(CREDITS);
    route("/generation/feedback").post(SEND_FEEDBACK);
    route("/organization/members").get(LIST_MEMBERS);
  }

  private void addGuardrailPaths() {
    route("/guardrails").get(LIST_GUARDRAILS).post(CREATE_GUARDRAIL);
    route("/guardrails/*").get(GET_GUARDRAIL).patch(UPDATE_GUARDRAIL).delete(DELETE_GUARDRAIL);
    route("/guardrails/*/assignments/keys").get(LIST_KEY_ASSIGNMENTS).post(ASSIGN_KEYS);
    route("/guardrails/*/assignments/keys/remove").post(UNASSIGN_KEYS);
    route("/guardrails/*/assignments/members").get(LIST_MEMBER_ASSIGNMENTS).post(ASSIGN_MEMBERS);
    route("/guardrails/*/assignments/members/remove").post(UNASSIGN_MEMBERS);
  }

  private void addWorkspacePaths() {
    route("/workspaces").get(LIST_WORKSPACES).post(CREATE_WORKSPACE);
    route("/workspaces/*").get(GET_WORKSPACE).patch(UPDATE_WORKSPACE).delete(DELETE_WORKSPACE);
    route("/workspaces/*/budgets").get(LIST_BUDGETS);
    route("/workspaces/*/budgets/*").put(SET_BUDGET).delete(DELETE_BUDGET);
  }

  private void addPresetPaths() {
    route("/presets").get(LIST_PRESETS);
    route("/presets/*").get(GET_PRESET);
    route("/presets/*/versions").get(LIST_PRESET_VERSIONS);
    route("/presets/*/versions/*").get(GET_PRESET_VERSION);
    route("/presets/*/chat/completions").post(PRESET_FROM_CHAT);
    route("/presets/*/messages").post(PRESET_FROM_MESSAGES);
    route("/presets/*/responses").post(PRESET_FROM_RESPONSES);
  }

  private void addReadOnlyPaths() {
    route("/generation").get(GET_GENERATION);
    route("/generation/content").get(GET_GENERATION_CONTENT);
    route("/models").get(LIST_MODELS);
    route("/models/count").get(COUNT_MODELS);
    route("/models/user").get(LIST_USABLE_MODELS);
    route("/models/*/*/endpoints").get(LIST_MODEL_ENDPOINTS);
    route("/model/*/*").get(GET_MODEL);
    route("/models/*/*").get(GET_MODEL);
    route("/providers").get(LIST_PROVIDERS);
    route("/endpoints/zdr").get(LIST_ZDR_ENDPOINTS);
  }

  /** Adds a path. */
  private Path route(String pattern) {
    var path = new Path(segments(pattern), new TreeMap<>());
    if (pattern.contains("*")) {
      patterns.add(path);
    } else {
      exact.put(pattern, path);
    }
    return path;
  }

  private static List<String> segments(String pattern) {
    return List.of(pattern.split("/", -1));
  }

  /** Returns a path without its final slash; nothing else is normalized. */
  static String withoutLastSlash(String path) {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  /**
   * Returns the path that matches; {@link #UNKNOWN} when there is none.
   *
   * @param rawPath the path, not decoded
   */
  private Path find(String rawPath) {
    if (rawPath.length() > MAX_CHARS) {
      return UNKNOWN; // so that a huge path is not compared with every pattern
    }
    String path = withoutLastSlash(rawPath);
    Path exactMatch = exact.get(path);
    if (exactMatch != null) {
      return exactMatch;
    }
    String[] segments = path.split("/", -1);
    for (Path pattern : patterns) {
      if (pattern.matches(segments)) {
        return pattern;
      }
    }
    return UNKNOWN;
  }

  Operation operation(String method, String path) {
    Path match = find(path);
    if (match == UNKNOWN) {
      return UNKNOWN_PATH;
    }
    return method.equals("OPTIONS") ? OPTIONS : match.methods().getOrDefault(method, OTHER_METHOD);
  }

  /** Returns the methods of a path for the {@code Allow} header; null for an unknown path. */
  @Nullable String allowed(String path) {
    Path match = find(path);
    if (match == UNKNOWN) {
      return null;
    }
    var methods = new TreeSet<>(match.methods().keySet());
    if (methods.contains("GET")) {
      methods.add("HEAD"); // hosts pass HEAD on as GET
    }
    methods.add("OPTIONS");
    return String.join(", ", methods);
  }

  /** Returns the error envelope of a path, even of one that does not exist. */
  static ErrorEnvelope envelope(String rawPath) {
    String path = withoutLastSlash(rawPath);
    if (path.equals("/messages") || path.equals("/messages/count_tokens")) {
      return ErrorEnvelope.MESSAGES;
    }
    if (path.equals("/responses")) {
      return ErrorEnvelope.RESPONSES;
    }
    return path.equals("/batches") || path.startsWith("/batches/")
        ? ErrorEnvelope.BATCHES
        : ErrorEnvelope.GATEWAY;
  }
}
