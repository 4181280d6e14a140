package io.strowger.core.dialect;

import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rules;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import org.jspecify.annotations.Nullable;

/**
 * Notes the features of a request that the contract allows and this version does not support. The
 * problem names the feature, which is never sent to an upstream that does not know it, and never
 * ignored silently.
 *
 * <p>Reads the body as it came and skips values of a wrong type, which the decoders report. A value
 * that asks for the default behaviour is no problem. Remove the check of a feature here once it is
 * supported.
 */
public final class UnsupportedFeatures {
  private static final JsonPointer ROOT = JsonPointer.ROOT;
  private static final String UNSUPPORTED = "is not supported by this version yet";
  private static final String UNREGISTERED_ROUTER =
      "is a router whose plugin is not registered with this gateway";
  private static final String UNREGISTERED_TOOL =
      "is a tool of the gateway that no registered plugin runs";
  private static final String ROUTER_PREFIX = "router/";

  private final PluginChecks plugins;
  private final Problems problems;

  private UnsupportedFeatures(PluginChecks plugins, Problems problems) {
    this.plugins = plugins;
    this.problems = problems;
  }

  /**
   * Notes unsupported features, except where a problem at the same place or below it is already
   * noted.
   *
   * @param body the body of an inference request, of any dialect
   * @param plugins tells which models are routers and which tools exist
   * @param problems the problems the decoder found in the body; more are added
   */
  public static void check(Json.Obj body, PluginChecks plugins, Problems problems) {
    var features = new UnsupportedFeatures(plugins, problems);
    for (int i = 0; i < body.size(); i++) {
      features.checkPlugin(body.name(i), body.value(i));
      features.checkMember(body.name(i), body.value(i));
    }
  }

  /** Notes only missing plugins: routers among the models, and tools of the gateway. */
  public static void checkPlugins(Json.Obj body, PluginChecks plugins, Problems problems) {
    var features = new UnsupportedFeatures(plugins, problems);
    for (int i = 0; i < body.size(); i++) {
      features.checkPlugin(body.name(i), body.value(i));
    }
  }

  private void checkPlugin(String name, Json value) {
    switch (name) {
      case "model" -> checkModel(ROOT.child(name), value);
      case "models" -> {
        if (value instanceof Json.Arr models) {
          for (int i = 0; i < models.size(); i++) {
            checkModel(ROOT.child(name).child(i), models.get(i));
          }
        }
      }
      case "fallbacks" -> checkFallbacks(ROOT.child(name), value);
      case "tools" -> checkTools(ROOT.child(name), value);
      case "input" -> checkInput(value);
      case "tool_choice" -> checkToolChoice(value);
      default -> {
        // names no plugin
      }
    }
  }

  /** Checks the fallbacks of a messages request, objects that name a model each. */
  private void checkFallbacks(JsonPointer at, Json value) {
    if (value instanceof Json.Arr items) {
      for (int i = 0; i < items.size(); i++) {
        if (items.get(i) instanceof Json.Obj fallback
            && fallback.get("model") instanceof Json.Str model) {
          checkModel(at.child(i).child("model"), model);
        }
      }
    }
  }

  private void checkModel(JsonPointer at, Json value) {
    if (value instanceof Json.Str name && Rules.isName(name)) {
      String reason = missingRouter(name.text(), plugins);
      if (reason != null) {
        note(at, reason, value);
      }
    }
  }

  /**
   * Returns why nothing can be routed by a name, as the rest of a sentence that begins with the
   * name; null for the name of a model or of a registered router.
   *
   * @param name the name of a model or a router, with or without variants
   */
  public static @Nullable String missingRouter(String name, PluginChecks plugins) {
    String slug = name.split(":", 2)[0];
    boolean missing =
        slug.regionMatches(true, 0, ROUTER_PREFIX, 0, ROUTER_PREFIX.length())
            && !plugins.isPluginSlug(slug);
    return missing ? UNREGISTERED_ROUTER : null;
  }

  private void checkMember(String name, Json value) {
    switch (name) {
      case "n" -> checkChoiceCount(value);
      case "preset" -> {
        if (!(value instanceof Json.Null)) {
          note(ROOT.child(name), UNSUPPORTED, value);
        }
      }
      default -> {
        // is supported, or asks for no feature
      }
    }
  }

  private void note(JsonPointer at, String reason, Json value) {
    // a full list accepts no more problems, so the search would be useless
    if (problems.isFull() || !problems.hasProblemUnder(at)) {
      problems.add(at, reason, value);
    }
  }

  /**
   * Allows only 1, since a hold covers one answer, and more answers could exceed the caller's
   * budget.
   */
  private void checkChoiceCount(Json value) {
    if (value instanceof Json.Num count && count.asLong().orElse(0) != 1) {
      note(ROOT.child("n"), "must be 1: this version returns only one answer", value);
    }
  }

  private void checkTools(JsonPointer at, Json value) {
    if (value instanceof Json.Arr items) {
      for (int i = 0; i < items.size(); i++) {
        if (items.get(i) instanceof Json.Obj tool) {
          JsonPointer pointer = at.child(i);
          checkType(pointer, tool);
          checkNestedTools(pointer, tool, "namespace");
        }
      }
    }
  }

  /** Checks the items of an input, which may add tools to those of the request. */
  private void checkInput(Json value) {
    if (value instanceof Json.Arr items) {
      for (int i = 0; i < items.size(); i++) {
        if (items.get(i) instanceof Json.Obj item) {
          checkNestedTools(ROOT.child("input").child(i), item, "additional_tools");
        }
      }
    }
  }

  private void checkNestedTools(JsonPointer at, Json.Obj holder, String type) {
    Json tools = holder.get("tools");
    if (tools != null && holder.get("type") instanceof Json.Str holderType && holderType.is(type)) {
      checkTools(at.child("tools"), tools);
    }
  }

  private void checkType(JsonPointer at, Json.Obj tool) {
    if (tool.get("type") instanceof Json.Str type
        && Rules.isName(type)
        && ServerTools.isServerTool(type.text())
        && !plugins.toolTypes().contains(ServerTools.canonicalType(type.text()))) {
      note(at.child("type"), UNREGISTERED_TOOL, type);
    }
  }

  /** Checks one chosen tool, or those of {@code allowed_tools}. */
  private void checkToolChoice(Json value) {
    if (value instanceof Json.Obj choice) {
      JsonPointer at = ROOT.child("tool_choice");
      checkType(at, choice);
      Json tools = choice.get("tools");
      if (tools != null) {
        checkTools(at.child("tools"), tools);
      }
    }
  }
}
