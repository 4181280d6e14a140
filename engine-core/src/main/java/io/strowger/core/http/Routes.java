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
   * @param segments the segments of the path; {@code *} matches any single segment. The others are
   *     compared undecoded, since a second spelling of a path would be a way around a proxy that
   *     guards only the first one
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

    private static boolean matches(String wanted, String given) {
      return wanted.equals("*") ? !PathSegment.decoded(given).isEmpty() : wanted.equals(given);
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
    on("/health").get(HEALTH);
    on("/chat/completions").post(CHAT);
    on("/messages").post(MESSAGES);
    on("/messages/count_tokens").post(COUNT_TOKENS);
    on("/responses").post(RESPONSES);
    on("/embeddings").post(EMBEDDINGS);
    on("/audio/speech").post(SPEECH);
    on("/audio/transcriptions").post(TRANSCRIPTIONS);
    on("/rerank").post(RERANK);
    on("/images").post(IMAGES);
    on("/images/generations").post(IMAGES);
    on("/batches").get(LIST_BATCHES).post(CREATE_BATCH);
    on("/batches/*").get(GET_BATCH).delete(DELETE_BATCH);
    account();
    presets();
    reading();
  }

  private void account() {
    on("/keys").get(LIST_KEYS).post(CREATE_KEY);
    on("/keys/*").get(GET_KEY).patch(UPDATE_KEY).delete(DELETE_KEY);
    on("/keys/*/rotate").post(ROTATE_KEY);
    on("/key").get(CURRENT_KEY);
    on("/audit-log").get(LIST_AUDIT_LOG);
    on("/observability/destinations").get(LIST_DESTINATIONS).post(CREATE_DESTINATION);
    on("/observability/destinations/*")
        .get(GET_DESTINATION)
        .patch(UPDATE_DESTINATION)
        .delete(DELETE_DESTINATION);
    on("/observability/destinations/*/test").post(TEST_DESTINATION);
    on("/byok").get(LIST_BYOK_KEYS).post(CREATE_BYOK_KEY);
    on("/byok/*").get(GET_BYOK_KEY).patch(UPDATE_BYOK_KEY).delete(DELETE_BYOK_KEY);
    guardrails();
    workspaces();
    on("/credits").get(CREDITS);
    on("/generation/feedback").post(SEND_FEEDBACK);
    on("/organization/members").get(LIST_MEMBERS);
  }

  private void guardrails() {
    on("/guardrails").get(LIST_GUARDRAILS).post(CREATE_GUARDRAIL);
    on("/guardrails/*").get(GET_GUARDRAIL).patch(UPDATE_GUARDRAIL).delete(DELETE_GUARDRAIL);
    on("/guardrails/*/assignments/keys").get(LIST_KEY_ASSIGNMENTS).post(ASSIGN_KEYS);
    on("/guardrails/*/assignments/keys/remove").post(UNASSIGN_KEYS);
    on("/guardrails/*/assignments/members").get(LIST_MEMBER_ASSIGNMENTS).post(ASSIGN_MEMBERS);
    on("/guardrails/*/assignments/members/remove").post(UNASSIGN_MEMBERS);
  }

  private void workspaces() {
    on("/workspaces").get(LIST_WORKSPACES).post(CREATE_WORKSPACE);
    on("/workspaces/*").get(GET_WORKSPACE).patch(UPDATE_WORKSPACE).delete(DELETE_WORKSPACE);
    on("/workspaces/*/budgets").get(LIST_BUDGETS);
    on("/workspaces/*/budgets/*").put(SET_BUDGET).delete(DELETE_BUDGET);
  }

  private void presets() {
    on("/presets").get(LIST_PRESETS);
    on("/presets/*").get(GET_PRESET);
    on("/presets/*/versions").get(LIST_PRESET_VERSIONS);
    on("/presets/*/versions/*").get(GET_PRESET_VERSION);
    on("/presets/*/chat/completions").post(PRESET_FROM_CHAT);
    on("/presets/*/messages").post(PRESET_FROM_MESSAGES);
    on("/presets/*/responses").post(PRESET_FROM_RESPONSES);
  }

  private void reading() {
    on("/generation").get(GET_GENERATION);
    on("/generation/content").get(GET_GENERATION_CONTENT);
    on("/models").get(LIST_MODELS);
    on("/models/count").get(COUNT_MODELS);
    on("/models/user").get(LIST_USABLE_MODELS);
    on("/models/*/*/endpoints").get(LIST_MODEL_ENDPOINTS);
    on("/model/*/*").get(GET_MODEL);
    on("/models/*/*").get(GET_MODEL);
    on("/providers").get(LIST_PROVIDERS);
    on("/endpoints/zdr").get(LIST_ZDR_ENDPOINTS);
  }

  /** Adds a path. */
  private Path on(String pattern) {
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
   * @param given the path, not decoded
   */
  private Path find(String given) {
    if (given.length() > MAX_CHARS) {
      return UNKNOWN; // so that a huge path is not compared with every pattern
    }
    String path = withoutLastSlash(given);
    Path known = exact.get(path);
    if (known != null) {
      return known;
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
    Path known = find(path);
    if (known == UNKNOWN) {
      return UNKNOWN_PATH;
    }
    return method.equals("OPTIONS") ? OPTIONS : known.methods().getOrDefault(method, OTHER_METHOD);
  }

  /** Returns the methods of a path for the {@code Allow} header; null for an unknown path. */
  @Nullable String allowed(String path) {
    Path known = find(path);
    if (known == UNKNOWN) {
      return null;
    }
    var methods = new TreeSet<>(known.methods().keySet());
    if (methods.contains("GET")) {
      methods.add("HEAD"); // hosts pass HEAD on as GET
    }
    methods.add("OPTIONS");
    return String.join(", ", methods);
  }

  /** Returns the error envelope of a path, even of one that does not exist. */
  static ErrorEnvelope envelope(String given) {
    String path = withoutLastSlash(given);
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
