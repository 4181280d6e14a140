package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.util.List;

/**
 * What the contract lets a body ask for and this version cannot do. Such a request is refused by
 * name: what was asked for is never handed to an upstream that does not know it and never ignored
 * without a word. A caller who excludes providers that train on prompts must not be routed to one.
 *
 * <p>Reads the body as it came and takes wrong types for nothing: that they are wrong is for the
 * decoders to say. A value that asks for what happens anyway is no problem. What gets built takes
 * its line out of here.
 */
public final class Unbuilt {
  private static final JsonPointer ROOT = JsonPointer.ROOT;
  private static final String NOT_YET = "is not supported by this version yet";
  private static final String TOOL =
      "is a tool of the gateway that is not available in this version";

  /** In the words of all dialects; that of messages has its own. */
  private static final List<String> PLAIN_TIERS =
      List.of("auto", "default", "standard", "standard_only");

  private static final List<String> PRICES =
      List.of("prompt", "completion", "image", "audio", "request");
  private static final List<String> PERCENTILES = List.of("p50", "p75", "p90", "p99");

  private static final String ROUTER =
      "is a router of the gateway that is not available in this version";
  private static final String ROUTERS = "router/";

  private final PluginChecks plugins;
  private final Problems problems;

  private Unbuilt(PluginChecks plugins, Problems problems) {
    this.plugins = plugins;
    this.problems = problems;
  }

  /**
   * Notes what cannot be done, but nothing at a place that already has a problem, there or below.
   *
   * @param body of an inference request, of any dialect
   * @param plugins knows which models are routers
   * @param problems with what the decoder of the body found
   */
  public static void check(Json.Obj body, PluginChecks plugins, Problems problems) {
    var unbuilt = new Unbuilt(plugins, problems);
    for (int i = 0; i < body.size(); i++) {
      unbuilt.plugin(body.name(i), body.value(i));
      unbuilt.member(body.name(i), body.value(i));
    }
  }

  /** Notes only what stands for a plugin: routers among the models, tools of the gateway. */
  public static void checkPlugins(Json.Obj body, PluginChecks plugins, Problems problems) {
    var unbuilt = new Unbuilt(plugins, problems);
    for (int i = 0; i < body.size(); i++) {
      unbuilt.plugin(body.name(i), body.value(i));
    }
  }

  private void plugin(String name, Json value) {
    switch (name) {
      case "model" -> model(ROOT.child(name), value);
      case "models" -> {
        if (value instanceof Json.Arr models) {
          for (int i = 0; i < models.size(); i++) {
            model(ROOT.child(name).child(i), models.get(i));
          }
        }
      }
      case "fallbacks" -> fallbacks(ROOT.child(name), value);
      case "tools" -> tools(ROOT.child(name), value);
      case "input" -> input(value);
      case "tool_choice" -> toolChoice(value);
      default -> {
        // stands for no plugin
      }
    }
  }

  /** Of a messages request: objects that name a model each. */
  private void fallbacks(JsonPointer at, Json value) {
    if (value instanceof Json.Arr items) {
      for (int i = 0; i < items.size(); i++) {
        if (items.get(i) instanceof Json.Obj fallback
            && fallback.get("model") instanceof Json.Str m) {
          model(at.child(i).child("model"), m);
        }
      }
    }
  }

  private void model(JsonPointer at, Json value) {
    if (value instanceof Json.Str name) {
      String slug = name.text().split(":", 2)[0];
      if (slug.regionMatches(true, 0, ROUTERS, 0, ROUTERS.length()) || plugins.isRouter(slug)) {
        note(at, ROUTER, value);
      }
    }
  }

  private void member(String name, Json value) {
    switch (name) {
      case "provider" -> provider(value);
      // an upstream would serve and bill the tier, while the plain one is routed and held for
      case "service_tier" ->
          refuse(value instanceof Json.Str tier && !PLAIN_TIERS.contains(tier.text()), name, value);
      case "speed" -> refuse(Json.of("fast").equals(value), name, value);
      case "route" -> refuse(Json.of("sort").equals(value), name, value);
      case "n" -> n(value);
      case "preset" -> refuse(!(value instanceof Json.Null), name, value);
      default -> {
        // asks for nothing, or for what is done
      }
    }
  }

  private void refuse(boolean asked, String name, Json value) {
    if (asked) {
      note(ROOT.child(name), NOT_YET, value);
    }
  }

  private void note(JsonPointer at, String why, Json value) {
    // once no more are kept, looking through them for each item would only cost
    if (problems.isFull() || !problems.concern(at)) {
      problems.add(at, why, value);
    }
  }

  /** A hold covers one answer: an upstream that writes more would pass the caller's limit. */
  private void n(Json value) {
    if (value instanceof Json.Num many && many.asLong().orElse(0) != 1) {
      note(ROOT.child("n"), "must be 1: one answer is all this version gives", value);
    }
  }

  private void tools(JsonPointer at, Json value) {
    if (value instanceof Json.Arr items) {
      for (int i = 0; i < items.size(); i++) {
        if (items.get(i) instanceof Json.Obj tool) {
          JsonPointer one = at.child(i);
          type(one, tool);
          within(one, tool, "namespace");
        }
      }
    }
  }

  /** Items of an input may add tools to those of the request. */
  private void input(Json value) {
    if (value instanceof Json.Arr items) {
      for (int i = 0; i < items.size(); i++) {
        if (items.get(i) instanceof Json.Obj item) {
          within(ROOT.child("input").child(i), item, "additional_tools");
        }
      }
    }
  }

  private void within(JsonPointer at, Json.Obj holder, String type) {
    Json tools = holder.get("tools");
    if (tools != null && holder.get("type") instanceof Json.Str kind && kind.is(type)) {
      tools(at.child("tools"), tools);
    }
  }

  private void type(JsonPointer at, Json.Obj tool) {
    if (tool.get("type") instanceof Json.Str type && isRunHere(type.text())) {
      note(at.child("type"), TOOL, type);
    }
  }

  private boolean isRunHere(String type) {
    return ServerTools.isServerTool(type) || plugins.toolTypes().contains(type);
  }

  /** One tool, or those of {@code allowed_tools}. */
  private void toolChoice(Json value) {
    if (value instanceof Json.Obj choice) {
      JsonPointer at = ROOT.child("tool_choice");
      type(at, choice);
      Json tools = choice.get("tools");
      if (tools != null) {
        tools(at.child("tools"), tools);
      }
    }
  }

  private void provider(Json value) {
    if (value instanceof Json.Obj preferences) {
      for (int i = 0; i < preferences.size(); i++) {
        if (hasEffect(preferences.name(i), preferences.value(i))) {
          note(ROOT.child("provider").child(preferences.name(i)), NOT_YET, preferences.value(i));
        }
      }
    }
  }

  private static boolean hasEffect(String preference, Json value) {
    return switch (preference) {
      case "require_parameters", "zdr", "enforce_distillable_text" -> Json.TRUE.equals(value);
      case "data_collection" -> Json.of("deny").equals(value);
      case "quantizations" -> value instanceof Json.Arr levels && !levels.isEmpty();
      case "sort" -> value instanceof Json.Str || value instanceof Json.Obj sort && sorts(sort);
      case "max_price" -> value instanceof Json.Obj caps && hasOne(caps, PRICES);
      case "preferred_min_throughput", "preferred_max_latency" ->
          value instanceof Json.Num
              || value instanceof Json.Obj cutoffs && hasOne(cutoffs, PERCENTILES);
      default -> false;
    };
  }

  private static boolean sorts(Json.Obj sort) {
    return sort.get("by") instanceof Json.Str || "none".equals(sort.text("partition"));
  }

  private static boolean hasOne(Json.Obj object, List<String> names) {
    for (String name : names) {
      if (object.has(name) && !(object.get(name) instanceof Json.Null)) {
        return true;
      }
    }
    return false;
  }
}
