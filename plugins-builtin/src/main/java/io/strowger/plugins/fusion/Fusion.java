package io.strowger.plugins.fusion;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.ModelRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Offers the model the tool {@code router:fusion} with the parameters of the plugin entry, and
 * replaces {@code router/fusion} in the request by the model that answers. A request with an
 * invalid panel is refused with 400 before anything is sent; a request for a panel without enough
 * money is refused with 402 or 403.
 */
final class Fusion implements Interceptor {
  private static final JsonPointer PLUGINS = JsonPointer.ROOT.child("plugins");

  private final PluginConfig config;
  private final Panels panels;

  Fusion(PluginConfig config, Panels panels) {
    this.config = config;
    this.panels = panels;
  }

  /**
   * The models to ask and the analyst.
   *
   * @param analyst the model that compares; null for the model of the request
   */
  private record Panel(List<String> models, @Nullable String analyst) {}

  @Override
  public EventStream intercept(InferenceRequest request, Chain chain) {
    String slug = slug(request);
    var problems = new ArrayList<Problem>();
    Panel panel = panel(slug, request, chain.catalog(), problems);
    List<PanelTool> tools = tools(request, chain.innerTools(), problems);
    if (!problems.isEmpty()) {
      throw GatewayError.of(ErrorCode.INVALID_REQUEST, problems).toException();
    }
    InferenceRequest.Builder builder = request.toBuilder();
    if (slug != null && panel.analyst() != null) {
      builder.models(replaceSlug(request.models(), panel.analyst()));
    }
    builder.tools(withTool(request.tools(), parameters(panel, tools)));
    InferenceRequest changedRequest = builder.build();
    boolean isRequested = slug != null || isNamed(request);
    return chain.proceed(
        isRequested && mayCall(request) ? fund(changedRequest, panel, chain) : changedRequest);
  }

  /** Returns whether the caller itself asks for the plugin, not only the account or the host. */
  private static boolean isNamed(InferenceRequest request) {
    return request.plugins().stream()
        .anyMatch(entry -> entry.id().equals("fusion") && entry.enabled());
  }

  private static boolean mayCall(InferenceRequest request) {
    Json choice = request.member("tool_choice");
    String kind = choice instanceof Json.Obj object ? object.text("type") : null;
    boolean isNone = choice instanceof Json.Str text && text.is("none") || "none".equals(kind);
    return request.mayCallTools() && !isNone;
  }

  /**
   * Holds the money for the panel and returns the request that names the paid members. The money is
   * held now because the request cannot be refused later: text that the model writes before it
   * calls the tool may already have reached the caller.
   */
  private static InferenceRequest fund(InferenceRequest changedRequest, Panel panel, Chain chain) {
    var call = new ServerTool.Invocation(Json.Obj.EMPTY, declared(changedRequest), changedRequest);
    List<Integer> members;
    try {
      members = new PanelRun(call, chain, panel.models()).fundAhead();
    } catch (IllegalStateException e) {
      return changedRequest; // thrown within an inner call, whose model is not offered the tool
    }
    if (members.isEmpty()) {
      return changedRequest;
    }
    Json.Arr indices = Json.array(members.stream().<Json>map(Json::of).toList());
    Json.Obj parameters = Json.object().put(PanelRun.FUNDED_MEMBERS, indices).build();
    return changedRequest.toBuilder()
        .tools(
            changedRequest.tools().stream()
                .map(tool -> isTool(tool) ? with(parameters, tool) : tool)
                .toList())
        .build();
  }

  private static Tool with(Json.Obj added, Tool tool) {
    Json.Obj declared = tool instanceof Tool.Server server ? server.parameters() : Json.Obj.EMPTY;
    return new Tool.Server(FusionTool.TYPE, merge(declared, added), null);
  }

  /** Returns the slug of this plugin that the request names as a model; null when it names none. */
  private static @Nullable String slug(InferenceRequest request) {
    for (ModelRef model : request.models()) {
      if (FusionProvider.isSlug(model)) {
        return model.slug().toLowerCase(Locale.ROOT);
      }
    }
    return null;
  }

  private static boolean isTool(Tool tool) {
    return tool instanceof Tool.Server server && server.type().equals(FusionTool.TYPE);
  }

  /** Returns the parameters of the request's own declaration of the tool; empty if it has none. */
  private static Json.Obj declared(InferenceRequest request) {
    for (Tool tool : request.tools()) {
      if (tool instanceof Tool.Server server && isTool(tool)) {
        return server.parameters();
      }
    }
    return Json.Obj.EMPTY;
  }

  /** Returns the tools with this one added; the request's own parameters win over the entry's. */
  private static List<Tool> withTool(List<Tool> tools, Json.Obj parameters) {
    var result = new ArrayList<Tool>();
    boolean isDeclared = false;
    for (Tool tool : tools) {
      isDeclared |= isTool(tool);
      result.add(
          tool instanceof Tool.Server server && isTool(tool)
              ? new Tool.Server(FusionTool.TYPE, merge(parameters, server.parameters()), null)
              : tool);
    }
    if (!isDeclared) {
      result.add(new Tool.Server(FusionTool.TYPE, parameters, null));
    }
    return result;
  }

  private static Json.Obj merge(Json.Obj base, Json.Obj overrides) {
    return Json.object().putAll(base).putAll(overrides).build();
  }

  /** Returns the models with this plugin's slug replaced, keeping the variants asked for. */
  private static List<ModelRef> replaceSlug(List<ModelRef> models, String answeringName) {
    ModelRef answeringModel = ModelRef.parse(answeringName);
    var result = new ArrayList<ModelRef>();
    for (ModelRef model : models) {
      if (FusionProvider.isSlug(model)) {
        var variants = new ArrayList<>(answeringModel.variants());
        variants.addAll(model.variants());
        result.add(new ModelRef(answeringModel.slug(), variants));
      } else {
        result.add(model);
      }
    }
    return result;
  }

  private Panel panel(
      @Nullable String slug, InferenceRequest request, Catalog catalog, List<Problem> problems) {
    String preset =
        config.isSet(FusionProvider.PRESET)
            ? config.get(FusionProvider.PRESET)
            : FusionProvider.FLASH.equals(slug) ? Panels.FAST : null;
    PresetPanel presetPanel = panels.of(preset == null ? Panels.HIGH : preset);
    List<String> models = presetPanel.models();
    Json.Obj declared = declared(request);
    if (config.isSet(FusionProvider.ANALYSIS_MODELS)) {
      models = config.get(FusionProvider.ANALYSIS_MODELS);
      for (int i = 0; i < models.size(); i++) {
        Panels.check(
            models.get(i), entry(request).child("analysis_models").child(i), catalog, problems);
      }
    } else if (presetPanel.isEmpty() && !declared.has("analysis_models")) {
      problems.add(
          Panels.noDefaultPanel(slug == null ? entry(request) : JsonPointer.ROOT.child("model")));
    }
    if (declared.list("analysis_models") != null) {
      models = declared.texts("analysis_models");
    }
    if (config.isSet(FusionProvider.MODEL)) {
      Panels.check(
          config.get(FusionProvider.MODEL), entry(request).child("model"), catalog, problems);
    }
    if (declared.text("model") instanceof String analyst) {
      return new Panel(models, analyst);
    }
    if (config.isSet(FusionProvider.MODEL)) {
      return new Panel(models, config.get(FusionProvider.MODEL));
    }
    return new Panel(models, analyst(slug, preset != null, presetPanel, models));
  }

  private static @Nullable String analyst(
      @Nullable String slug, boolean hasPreset, PresetPanel presetPanel, List<String> models) {
    if (hasPreset && !presetPanel.isEmpty()) {
      return presetPanel.analyst();
    }
    if (slug == null || models.isEmpty()) {
      return null;
    }
    return models.equals(presetPanel.models()) ? presetPanel.analyst() : models.getFirst();
  }

  /** Returns the tools of the entry, which must all exist, or those default tools that exist. */
  private List<PanelTool> tools(
      InferenceRequest request, Set<String> available, List<Problem> problems) {
    List<PanelTool> configured = config.get(PanelTool.FIELD);
    if (config.isSet(PanelTool.FIELD)) {
      problems.addAll(
          PanelTool.problemsOfUnavailable(configured, entry(request).child("tools"), available));
    }
    return configured.stream().filter(tool -> available.contains(tool.qualifiedType())).toList();
  }

  /**
   * Returns the pointer to the request's entry, or to the list of plugins when the request has
   * none.
   */
  private static JsonPointer entry(InferenceRequest request) {
    for (int i = 0; i < request.plugins().size(); i++) {
      if (request.plugins().get(i).id().equals("fusion")) {
        return PLUGINS.child(i);
      }
    }
    return PLUGINS;
  }

  private Json.Obj parameters(Panel panel, List<PanelTool> tools) {
    var parameters =
        Json.object()
            .put("analysis_models", Json.array(panel.models().stream().map(Json::of).toList()))
            .put("tools", Json.array(tools.stream().map(PanelTool::json).toList()))
            .put("max_tool_calls", config.get(FusionProvider.MAX_TOOL_CALLS));
    if (panel.analyst() != null) {
      parameters.put("model", panel.analyst());
    }
    return parameters.build();
  }
}
