package io.strowger.core.registry;

import io.strowger.core.ambient.BoundedCloser.Resource;
import io.strowger.core.config.PluginSettings;
import io.strowger.core.plan.PluginFailureException;
import io.strowger.core.plan.Routers;
import io.strowger.core.routing.ContextCompressionScope;
import io.strowger.core.routing.RouterStep;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The plugins of one gateway, prepared for one catalog and the defaults of one account. Immutable
 * except for caches, safe on any thread. Made by {@link PluginRegistry#prepare}.
 *
 * <p>An interceptor acts where a request, the account or the host asks for it, and where one of its
 * slugs is a requested model; it then replaces the slug by a model. A router acts for each
 * requested model that is one of its slugs, and on every request when the host says so. The entry
 * of a router that does not act has no effect, as {@link #notes} reports. A request that names a
 * router's slug needs the router: {@code "enabled":false} then drops the request's entry and leaves
 * what the account has saved. Contract: "Plugins"; plugins fact sheet, section 1.
 */
public final class PreparedPlugins implements Routers {
  /** The prepared plugins of a gateway without plugins. */
  public static final PreparedPlugins NONE =
      new PreparedPlugins(List.of(), List.of(), Map.of(), List.of(), PluginSettings.NONE);

  /** The note on a request's entry that has no effect because the account's is final. */
  static final String OVERRIDES_PREVENTED_NOTE = "without effect: the account's settings are final";

  /** The note on an entry that cannot switch off a router whose slug is a requested model. */
  static final String ROUTER_NEEDED_NOTE =
      "enabled:false is ignored, since the request names this plugin as its model; the entry's"
          + " other members have no effect";

  private final List<PreparedPlugin> routers; // in the order they act
  private final List<PreparedPlugin> alwaysRouters;
  private final Map<String, PreparedPlugin> routersById;
  private final Map<String, PreparedPlugin> routersBySlug; // in lower case
  private final List<PreparedPlugin> interceptors; // in the order they act
  private final Map<String, PreparedPlugin> interceptorsBySlug; // in lower case
  private final boolean anyRunsByDefault; // an interceptor runs on requests that do not name it
  private final boolean anyReadsFiles; // an interceptor has the trait
  private final boolean answersOnline; // an interceptor has the trait
  private final @Nullable PreparedPlugin promptCompressor; // the first that makes prompts fit
  private final Map<String, ServerTool> tools;
  private final List<Resource> closeable;
  private final PluginSettings settings;

  /**
   * @param routers in the order they act
   * @param interceptors in the order they act
   * @param tools by type
   * @param closeable the providers that were made with settings
   * @param settings the settings they were made with
   */
  PreparedPlugins(
      List<PreparedPlugin> routers,
      List<PreparedPlugin> interceptors,
      Map<String, ServerTool> tools,
      List<Resource> closeable,
      PluginSettings settings) {
    this.settings = settings;
    this.closeable = List.copyOf(closeable);
    this.tools = Map.copyOf(tools);
    this.routers = List.copyOf(routers);
    this.interceptors = List.copyOf(interceptors);
    alwaysRouters = routers.stream().filter(PreparedPlugin::runsAlways).toList();
    routersById =
        routers.stream()
            .collect(Collectors.toUnmodifiableMap(it -> it.descriptor().id(), it -> it));
    routersBySlug = bySlug(routers);
    interceptorsBySlug = bySlug(interceptors);
    anyRunsByDefault = interceptors.stream().anyMatch(it -> it.effectiveConfig().runsByDefault());
    anyReadsFiles = find(Descriptor.Trait.READS_FILES) != null;
    answersOnline = find(Descriptor.Trait.ANSWERS_ONLINE) != null;
    promptCompressor = find(Descriptor.Trait.COMPRESSES_PROMPTS);
  }

  private static Map<String, PreparedPlugin> bySlug(List<PreparedPlugin> plugins) {
    var bySlug = new HashMap<String, PreparedPlugin>();
    for (PreparedPlugin plugin : plugins) {
      for (String slug : plugin.descriptor().slugs()) {
        bySlug.put(slug.toLowerCase(Locale.ROOT), plugin);
      }
    }
    return Map.copyOf(bySlug);
  }

  /** Returns the first interceptor with a trait; null when there is none. */
  private @Nullable PreparedPlugin find(Descriptor.Trait trait) {
    return interceptors.stream().filter(it -> it.descriptor().has(trait)).findFirst().orElse(null);
  }

  /**
   * Returns the router of a step with the step's configuration; null when there is none.
   *
   * @throws IllegalArgumentException when the configuration does not fit the plugin's schema, as
   *     may happen if another version recorded it
   * @throws PluginFailureException when the plugin fails
   */
  @Override
  public @Nullable RouterPlugin find(RouterStep step) {
    PreparedPlugin router = routersById.get(step.plugin());
    return router == null ? null : router.routerFor(step.config());
  }

  /** Returns the tool of this type with its settings; null when there is none. */
  public @Nullable ServerTool tool(String type) {
    return tools.get(type);
  }

  /** Returns the tool of this type if inner calls may be offered it; null otherwise. */
  public @Nullable ServerTool innerTool(String type) {
    ServerTool tool = tools.get(type);
    return tool == null || tool.makesInnerCalls() ? null : tool;
  }

  /**
   * Returns the types of the tools that inner calls may be offered and that can work here.
   *
   * @param isBatch whether the calls belong to a request of a batch
   */
  public Set<String> innerTools(boolean isBatch) {
    return tools.entrySet().stream()
        .filter(entry -> !entry.getValue().makesInnerCalls())
        .filter(entry -> !isBatch || entry.getValue().runsInBatches())
        .filter(entry -> entry.getValue().unusableReason(Json.Obj.EMPTY) == null)
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Returns the closeable providers made with the settings of a configuration. The owner of this
   * object closes them when it is no longer used.
   */
  public List<Resource> closeable() {
    return closeable;
  }

  /** Returns what the configuration says of these plugins. */
  public PluginSettings settings() {
    return settings;
  }

  /** Returns the routers that take part in deciding a request, for the models it names. */
  public List<RouterStep> steps(InferenceRequest request) {
    return steps(request, request.models());
  }

  /**
   * Returns the routers that take part in deciding a request, by order and id. A router that acts
   * more than once has a step for each model that names it, in the order of the models, and its
   * step for every request last.
   *
   * @param models the models the request is for; the account's default if the request names none
   * @throws PluginFailureException when a plugin fails
   */
  public List<RouterStep> steps(InferenceRequest request, List<ModelRef> models) {
    if (alwaysRouters.isEmpty() && !namesRouter(models)) {
      return List.of();
    }
    InferenceRequest effectiveRequest =
        request.models().equals(models) ? request : request.toBuilder().models(models).build();
    var steps = new ArrayList<RouterStep>();
    for (PreparedPlugin preparedPlugin : routers) {
      steps(preparedPlugin, effectiveRequest, steps);
    }
    return List.copyOf(steps);
  }

  private void steps(
      PreparedPlugin preparedPlugin, InferenceRequest request, List<RouterStep> steps) {
    PluginEntry entry = preparedPlugin.entryOf(request);
    List<Integer> places = places(preparedPlugin, request.models());
    if (preparedPlugin.runsAlways() && preparedPlugin.effectiveConfig().runsWith(entry)) {
      places.add(RouterStep.EVERY_REQUEST);
    }
    if (places.isEmpty()) {
      return;
    }
    Json.Obj config =
        preparedPlugin.effectiveConfig().mergeWith(preparedPlugin.descriptor(), entry);
    RouterPlugin router = preparedPlugin.routerFor(config);
    if (router == null) {
      return;
    }
    Json facts = preparedPlugin.facts(router, request);
    String id = preparedPlugin.descriptor().id();
    for (int place : places) {
      steps.add(new RouterStep(id, preparedPlugin.descriptor().version(), place, config, facts));
    }
  }

  private List<Integer> places(PreparedPlugin preparedPlugin, List<ModelRef> models) {
    var places = new ArrayList<Integer>();
    for (int i = 0; i < models.size(); i++) {
      if (pluginOfSlug(models.get(i)) == preparedPlugin) {
        places.add(i);
      }
    }
    return places;
  }

  private boolean namesRouter(List<ModelRef> models) {
    for (ModelRef model : models) {
      if (pluginOfSlug(model) != null) {
        return true;
      }
    }
    return false;
  }

  private @Nullable PreparedPlugin pluginOfSlug(ModelRef model) {
    PreparedPlugin exact = routersBySlug.get(model.slug());
    return exact != null ? exact : routersBySlug.get(model.slug().toLowerCase(Locale.ROOT));
  }

  /**
   * Returns the interceptors that act on a request, outermost first: by order and id, never by the
   * order of the request. They act when the request names them, when the account has them saved,
   * and when the host runs them always, unless they are switched off; and when one of their slugs
   * is a requested model.
   *
   * @param models the models the request is for; the account's default if the request names none
   * @param notes receives the interceptors that have nothing to do for the request, and why
   * @return the interceptors with the configuration of this request; {@link
   *     io.strowger.spi.plugin.Interceptor#scope()} says what each wraps
   * @throws PluginFailureException when a plugin fails
   */
  public List<ActiveInterceptor> interceptors(
      InferenceRequest request, List<ModelRef> models, Consumer<TraceEntry.Note> notes) {
    boolean hasFiles = anyReadsFiles && hasFile(request);
    boolean isOnline = answersOnline && isOnline(models);
    if (interceptors.isEmpty()
        || !anyRunsByDefault
            && !hasFiles
            && !isOnline
            && request.plugins().isEmpty()
            && (interceptorsBySlug.isEmpty() || !isAnyInterceptorNamed(models))) {
      return List.of();
    }
    var selected = new ArrayList<ActiveInterceptor>();
    for (PreparedPlugin preparedPlugin : interceptors) {
      PluginEntry entry = preparedPlugin.entryOf(request);
      EffectiveConfig effectiveConfig = preparedPlugin.effectiveConfig();
      boolean isNeeded =
          hasFiles && preparedPlugin.descriptor().has(Descriptor.Trait.READS_FILES)
              || isOnline && preparedPlugin.descriptor().has(Descriptor.Trait.ANSWERS_ONLINE);
      if (effectiveConfig.runsWith(entry)
          || isNamed(preparedPlugin, models)
          || isNeeded && effectiveConfig.runsWhereNeeded(entry)) {
        Interceptor interceptor = createInterceptor(preparedPlugin, entry, notes);
        if (interceptor != null) {
          selected.add(new ActiveInterceptor(preparedPlugin.descriptor(), interceptor));
        }
      }
    }
    return List.copyOf(selected);
  }

  /** Returns the interceptors that act on a request, for the models it names and without notes. */
  public List<ActiveInterceptor> interceptors(InferenceRequest request) {
    return interceptors(request, request.models(), note -> {});
  }

  private boolean isAnyInterceptorNamed(List<ModelRef> models) {
    for (ModelRef model : models) {
      if (interceptorsBySlug.containsKey(model.slug().toLowerCase(Locale.ROOT))) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether one of the models is a slug of the plugin. */
  private boolean isNamed(PreparedPlugin preparedPlugin, List<ModelRef> models) {
    if (!preparedPlugin.descriptor().slugs().isEmpty()) {
      for (ModelRef model : models) {
        if (interceptorsBySlug.get(model.slug().toLowerCase(Locale.ROOT)) == preparedPlugin) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean hasFile(InferenceRequest request) {
    for (Message message : request.messages()) {
      if (hasFile(message.parts())) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasFile(List<Part> parts) {
    for (Part part : parts) {
      if (part instanceof Part.File
          || part instanceof Part.ToolResult result && hasFile(result.content())) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a model has the suffix {@code :online}, ignoring case. */
  public static boolean isOnline(List<ModelRef> models) {
    for (ModelRef model : models) {
      if (model.hasVariant("online")) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the suffix {@code :online} of a model has an effect. */
  public boolean answersOnline() {
    return answersOnline;
  }

  /** Returns which prompts of a request are shortened to fit the chosen endpoint. */
  public ContextCompressionScope compression(InferenceRequest request) {
    PreparedPlugin preparedPlugin = promptCompressor;
    if (preparedPlugin == null) {
      return ContextCompressionScope.UNAVAILABLE;
    }
    PluginEntry entry = preparedPlugin.entryOf(request);
    if (preparedPlugin.effectiveConfig().runsWith(entry)) {
      return ContextCompressionScope.ALL;
    }
    return preparedPlugin.effectiveConfig().runsWhereNeeded(entry)
        ? ContextCompressionScope.SMALL_CONTEXTS
        : ContextCompressionScope.OFF;
  }

  /**
   * Returns the interceptor that shortens prompts, if it does so only for small contexts because it
   * was neither asked for nor switched off; null otherwise.
   *
   * @throws PluginFailureException when the plugin fails
   */
  public @Nullable ActiveInterceptor promptCompressor(InferenceRequest request) {
    PreparedPlugin preparedPlugin = promptCompressor;
    if (preparedPlugin == null || compression(request) != ContextCompressionScope.SMALL_CONTEXTS) {
      return null;
    }
    Interceptor interceptor =
        createInterceptor(preparedPlugin, preparedPlugin.entryOf(request), note -> {});
    return interceptor == null
        ? null
        : new ActiveInterceptor(preparedPlugin.descriptor(), interceptor);
  }

  private static @Nullable Interceptor createInterceptor(
      PreparedPlugin preparedPlugin, @Nullable PluginEntry entry, Consumer<TraceEntry.Note> notes) {
    String id = preparedPlugin.descriptor().id();
    return switch (preparedPlugin.pluginFor(
        preparedPlugin.effectiveConfig().mergeWith(preparedPlugin.descriptor(), entry))) {
      case Interceptor interceptor -> interceptor;
      case Plugin.Inactive(var reason) -> {
        notes.accept(new TraceEntry.Note(id, "has nothing to do: " + reason));
        yield null;
      }
      case RouterPlugin router -> throw new IllegalStateException(id + " is an interceptor");
    };
  }

  /** Returns notes on the request's plugin entries without effect, for the models it names. */
  public List<TraceEntry.Note> notes(InferenceRequest request) {
    return notes(request, request.models());
  }

  /**
   * Returns notes on the request's plugin entries without effect, in the request's order.
   *
   * @param models the models the request is for
   */
  public List<TraceEntry.Note> notes(InferenceRequest request, List<ModelRef> models) {
    if (request.plugins().isEmpty()) {
      return List.of();
    }
    var notes = new ArrayList<TraceEntry.Note>();
    for (PluginEntry entry : request.plugins()) {
      PreparedPlugin router = routersById.get(entry.id());
      String reason =
          router == null ? noEffectReason(entry, models) : noEffectReason(router, entry, models);
      if (reason != null) {
        notes.add(new TraceEntry.Note(entry.id(), reason));
      }
    }
    return List.copyOf(notes);
  }

  /**
   * Returns why a request's entry has no effect; null when it has an effect, or is not for an
   * interceptor.
   */
  private @Nullable String noEffectReason(PluginEntry entry, List<ModelRef> models) {
    for (PreparedPlugin preparedPlugin : interceptors) {
      if (preparedPlugin.descriptor().id().equals(entry.id())) {
        return preparedPlugin.effectiveConfig().isFinal()
            ? OVERRIDES_PREVENTED_NOTE
            : !entry.enabled() && isNamed(preparedPlugin, models) ? ROUTER_NEEDED_NOTE : null;
      }
    }
    return null;
  }

  private @Nullable String noEffectReason(
      PreparedPlugin preparedPlugin, PluginEntry entry, List<ModelRef> models) {
    boolean isNamed = !places(preparedPlugin, models).isEmpty();
    if ((isNamed || preparedPlugin.runsAlways())
        && preparedPlugin.effectiveConfig().preventsOverrides()) {
      return OVERRIDES_PREVENTED_NOTE;
    }
    if (isNamed && !entry.enabled()) {
      return ROUTER_NEEDED_NOTE;
    }
    if (isNamed || preparedPlugin.runsAlways() || !entry.enabled()) {
      return null;
    }
    if (preparedPlugin.descriptor().slugs().isEmpty()) {
      return "accepted without effect: the host does not run it";
    }
    return "accepted without effect: it acts for "
        + String.join(", ", preparedPlugin.descriptor().slugs())
        + " only";
  }
}
