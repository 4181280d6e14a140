package io.strowger.core.preset;

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
 *   <li>A member that the request has, even an explicit null, stays; the others come from the
 *       preset, unchanged.
 *   <li>Members that are spellings of one thing, such as {@code max_tokens} and {@code
 *       max_completion_tokens}, are treated as one member; otherwise the preset's would override
 *       the request's. Open question 38 lists them.
 *   <li>{@code tools} of both are joined: a tool in both lists has the request's definition and the
 *       preset's position; the request's other tools follow.
 *   <li>The preset's system prompt precedes the caller's. A caller cannot remove it: a null means
 *       only that the caller adds none.
 * </ul>
 *
 * <p>Parts that the merge does not change keep their bytes.
 */
public final class PresetMerge {
  /** Other spellings of {@code router:web_search}. */
  private static final Set<String> SEARCHES =
      Set.of(
          "web_search",
          "web_search_preview",
          "web_search_preview_2025_03_11",
          "web_search_2025_08_26");

  private static final List<Set<String>> SPELLINGS =
      List.of(
          Set.of("max_tokens", "max_completion_tokens"),
          Set.of("reasoning", "reasoning_effort", "include_reasoning"));
  private static final Set<String> NO_MEMBERS =
      Set.of(PresetCache.ENABLED, PresetCache.TTL_SECONDS);

  private final Preset preset;
  private final Json.Obj request;
  private final Set<String> members = new HashSet<>();
  private final Map<String, int[]> items = new HashMap<>();
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
    merge.members();
    merge.tools();
    merge.systemPrompt(dialect);
    return new MergedRequest(merge.document, preset.slug(), merge.members, merge.items);
  }

  private void members() {
    Json.Obj config = preset.config();
    Json.Obj.Builder whole = Json.object().putAll(request);
    for (int i = 0; i < config.size(); i++) {
      String name = config.name(i);
      if (!NO_MEMBERS.contains(name) && !isSpelled(name)) {
        whole.put(name, config.value(i));
        members.add(name);
      }
    }
    if (!members.isEmpty()) {
      document = whole.build();
    }
  }

  /** Returns whether the request has the member, in this spelling or another. */
  private boolean isSpelled(String name) {
    for (Set<String> spellings : SPELLINGS) {
      if (spellings.contains(name)) {
        return spellings.stream().anyMatch(request::has);
      }
    }
    return request.has(name);
  }

  private void tools() {
    Json.Arr own = request.list("tools");
    Json.Arr bound = preset.config().list("tools");
    if (own == null || bound == null || bound.isEmpty()) {
      return;
    }
    var places = new HashMap<String, Integer>();
    var all = new ArrayList<Json>(bound);
    var origins = new ArrayList<Integer>();
    for (int i = 0; i < bound.size(); i++) {
      origins.add(MergedRequest.OF_PRESET);
      String identity = toolIdentity(bound.get(i));
      if (identity != null) {
        places.putIfAbsent(identity, i);
      }
    }
    for (int i = 0; i < own.size(); i++) {
      String identity = toolIdentity(own.get(i));
      Integer place = identity == null ? null : places.remove(identity);
      if (place == null) {
        all.add(own.get(i));
        origins.add(i);
      } else {
        all.set(place, own.get(i));
        origins.set(place, i);
      }
    }
    replace("tools", Json.array(all), origins.stream().mapToInt(Integer::intValue).toArray());
  }

  private void systemPrompt(Dialect dialect) {
    String prompt = preset.systemPrompt();
    if (prompt == null || prompt.isEmpty()) {
      return;
    }
    switch (dialect) {
      case CHAT -> {
        if (request.get("messages") instanceof Json.Arr messages) {
          before("messages", Json.object().put("role", "system").put("content", prompt), messages);
        }
      }
      case MESSAGES -> beforeText("system", prompt);
      case RESPONSES -> beforeText("instructions", prompt);
      case GEMINI ->
          throw new IllegalArgumentException("callers cannot use the dialect " + dialect);
    }
  }

  /**
   * Puts the prompt before a text, as text, and before an array of blocks, as a block. Any other
   * value stays, and the decoder refuses it.
   */
  private void beforeText(String name, String prompt) {
    switch (request.get(name)) {
      case null -> {
        document = document.with(name, Json.of(prompt));
        members.add(name);
      }
      case Json.Null none when name.equals("instructions") -> {
        document = document.with(name, Json.of(prompt));
        members.add(name);
      }
      case Json.Str own -> document = document.with(name, Json.of(joined(prompt, own.text())));
      case Json.Arr own when name.equals("system") ->
          before(name, Json.object().put("type", "text").put("text", prompt), own);
      case Json other -> {}
    }
  }

  private static String joined(String prompt, String own) {
    return own.isEmpty() ? prompt : prompt + "\n\n" + own;
  }

  private void before(String name, Json.Obj.Builder first, Json.Arr own) {
    var all = new ArrayList<Json>(own.size() + 1);
    all.add(first.build());
    all.addAll(own);
    int[] origins = new int[all.size()];
    for (int i = 0; i < origins.length; i++) {
      origins[i] = i == 0 ? MergedRequest.OF_PRESET : i - 1;
    }
    replace(name, Json.array(all), origins);
  }

  private void replace(String name, Json.Arr all, int[] origins) {
    document = document.with(name, all);
    items.put(name, origins);
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
      case null -> object.has("type") ? null : functionNamed(object.text("name"));
      case "custom" -> functionNamed(object.text("name"));
      case "function" -> {
        Json.Obj nested = object.object("function");
        yield functionNamed(nested == null ? object.text("name") : nested.text("name"));
      }
      case "router:advisor", "router:subagent" -> {
        Json.Obj parameters = object.object("parameters");
        String inside = parameters == null ? null : parameters.text("name");
        String name = inside == null ? object.text("name") : inside;
        yield type + (name == null ? "" : " " + name);
      }
      default -> SEARCHES.contains(type) ? "router:web_search" : type;
    };
  }

  private static @Nullable String functionNamed(@Nullable String name) {
    return name == null ? null : "function " + name;
  }
}
