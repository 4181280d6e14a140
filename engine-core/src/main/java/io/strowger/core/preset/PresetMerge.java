package io.strowger.core.preset;

import io.strowger.core.dialect.ServerTools;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges a preset under a request, member by member, before the request is decoded. Resources fact
 * sheet, section 2; open questions 65 and 67. An instance serves one merge.
 *
 * <ul>
 *   <li>A member that the request has, even an explicit null, stays. Members that only the preset
 *       has are added unchanged.
 *   <li>Members that are spellings of one thing, such as {@code max_tokens} and {@code
 *       max_completion_tokens}, are treated as one member; otherwise the preset's would override
 *       the request's. Open question 38 lists them.
 *   <li>The {@code tools} of preset and request are joined: a tool in both lists has the request's
 *       definition and the preset's position; the request's other tools follow.
 *   <li>The preset's system prompt precedes the caller's. A caller cannot remove it: a null means
 *       only that the caller adds none.
 * </ul>
 *
 * <p>Parts that the merge does not change keep their bytes.
 */
public final class PresetMerge {
  private static final List<Set<String>> SPELLINGS =
      List.of(
          Set.of("max_tokens", "max_completion_tokens"),
          Set.of("reasoning", "reasoning_effort", "include_reasoning"));
  private static final Set<String> CACHE_MEMBERS =
      Set.of(PresetCacheSettings.ENABLED, PresetCacheSettings.TTL_SECONDS);

  private final Preset preset;
  private final Json.Obj request;
  private final Set<String> presetMembers = new HashSet<>();
  private final Map<String, int[]> itemOrigins = new HashMap<>();
  private Json.Obj document;

  private PresetMerge(Preset preset, Json.Obj request) {
    this.preset = preset;
    this.request = request;
    this.document = request;
  }

  /**
   * Returns the request with the preset merged into it.
   *
   * @param request the request without its reference to the preset
   */
  public static MergedRequest merge(Preset preset, Json.Obj request, Dialect dialect) {
    var merge = new PresetMerge(preset, request);
    merge.mergeMembers();
    merge.mergeTools();
    merge.mergeSystemPrompt(dialect);
    return new MergedRequest(merge.document, preset.slug(), merge.presetMembers, merge.itemOrigins);
  }

  private void mergeMembers() {
    Json.Obj config = preset.config();
    Json.Obj.Builder merged = Json.object().putAll(request);
    for (int i = 0; i < config.size(); i++) {
      String name = config.name(i);
      if (!CACHE_MEMBERS.contains(name) && !isInRequest(name)) {
        merged.put(name, config.value(i));
        presetMembers.add(name);
      }
    }
    if (!presetMembers.isEmpty()) {
      document = merged.build();
    }
  }

  /** Returns whether the request has the member, in this spelling or another. */
  private boolean isInRequest(String name) {
    for (Set<String> spellings : SPELLINGS) {
      if (spellings.contains(name)) {
        return spellings.stream().anyMatch(request::has);
      }
    }
    return request.has(name);
  }

  private void mergeTools() {
    Json.Arr requestTools = request.list("tools");
    Json.Arr presetTools = preset.config().list("tools");
    if (requestTools == null || presetTools == null || presetTools.isEmpty()) {
      return;
    }
    var positions = new HashMap<String, Integer>();
    var mergedTools = new ArrayList<Json>(presetTools);
    var origins = new ArrayList<Integer>();
    for (int i = 0; i < presetTools.size(); i++) {
      origins.add(MergedRequest.FROM_PRESET);
      String identity = toolIdentity(presetTools.get(i));
      if (identity != null) {
        positions.putIfAbsent(identity, i);
      }
    }
    for (int i = 0; i < requestTools.size(); i++) {
      String identity = toolIdentity(requestTools.get(i));
      Integer position = identity == null ? null : positions.remove(identity);
      if (position == null) {
        mergedTools.add(requestTools.get(i));
        origins.add(i);
      } else {
        mergedTools.set(position, requestTools.get(i));
        origins.set(position, i);
      }
    }
    replace(
        "tools", Json.array(mergedTools), origins.stream().mapToInt(Integer::intValue).toArray());
  }

  private void mergeSystemPrompt(Dialect dialect) {
    String prompt = preset.systemPrompt();
    if (prompt == null || prompt.isEmpty()) {
      return;
    }
    switch (dialect) {
      case CHAT -> {
        if (request.get("messages") instanceof Json.Arr messages) {
          prepend("messages", Json.object().put("role", "system").put("content", prompt), messages);
        }
      }
      case MESSAGES -> prependText("system", prompt);
      case RESPONSES -> prependText("instructions", prompt);
      case GEMINI ->
          throw new IllegalArgumentException("callers cannot use the dialect " + dialect);
    }
  }

  /**
   * Puts the prompt in front of the caller's value: as text if the value is text, as a block if it
   * is an array of blocks. Any other value stays as it is, and the decoder refuses it.
   */
  private void prependText(String name, String prompt) {
    switch (request.get(name)) {
      case null -> {
        document = document.with(name, Json.of(prompt));
        presetMembers.add(name);
      }
      case Json.Null none when name.equals("instructions") -> {
        document = document.with(name, Json.of(prompt));
        presetMembers.add(name);
      }
      case Json.Str callerValue ->
          document = document.with(name, Json.of(joined(prompt, callerValue.text())));
      case Json.Arr callerValue when name.equals("system") ->
          prepend(name, Json.object().put("type", "text").put("text", prompt), callerValue);
      case Json unmergeable -> {}
    }
  }

  private static String joined(String prompt, String callerText) {
    return callerText.isEmpty() ? prompt : prompt + "\n\n" + callerText;
  }

  private void prepend(String name, Json.Obj.Builder first, Json.Arr callerItems) {
    var mergedItems = new ArrayList<Json>(callerItems.size() + 1);
    mergedItems.add(first.build());
    mergedItems.addAll(callerItems);
    int[] origins = new int[mergedItems.size()];
    for (int i = 0; i < origins.length; i++) {
      origins[i] = i == 0 ? MergedRequest.FROM_PRESET : i - 1;
    }
    replace(name, Json.array(mergedItems), origins);
  }

  private void replace(String name, Json.Arr mergedItems, int[] origins) {
    document = document.with(name, mergedItems);
    itemOrigins.put(name, origins);
  }

  /**
   * Returns the identity of a tool; null when it has none. Resources fact sheet, section 2; chat
   * fact sheet, section 5; messages fact sheet, section 2; responses fact sheet.
   */
  private static @Nullable String toolIdentity(Json tool) {
    if (!(tool instanceof Json.Obj object)) {
      return null;
    }
    String type = object.text("type");
    return switch (type) {
      case null -> object.has("type") ? null : functionIdentity(object.text("name"));
      case "custom" -> functionIdentity(object.text("name"));
      case "function" -> {
        Json.Obj nested = object.object("function");
        yield functionIdentity(nested == null ? object.text("name") : nested.text("name"));
      }
      case "router:advisor", "router:subagent" -> {
        Json.Obj parameters = object.object("parameters");
        String nestedName = parameters == null ? null : parameters.text("name");
        String name = nestedName == null ? object.text("name") : nestedName;
        yield type + (name == null ? "" : " " + name);
      }
      default -> ServerTools.canonicalType(type);
    };
  }

  private static @Nullable String functionIdentity(@Nullable String name) {
    return name == null ? null : "function " + name;
  }
}
