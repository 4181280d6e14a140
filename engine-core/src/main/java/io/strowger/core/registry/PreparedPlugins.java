package io.strowger.core.registry;

import io.strowger.core.ambient.BoundedCloser.Resource;
import io.strowger.core.config.PluginSettings;
import io.strowger.core.plan.PluginFailureException;
import io.strowger.core.plan.Routers;
import io.strowger.core.routing.ContextCompressionScope;
import io.strowger.core.routing.RouterStep;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
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
 * requested model that is one of its slugs, and on every request when the host says so; its entry
 * beside another model has no effect, as {@link #notes} reports. A request that names a router's
 * slug needs the router: {@code "enabled":false} then drops the request's entry and leaves what the
 * account has saved. Contract: "Plugins"; plugins fact sheet, section 1.
 */
public final class PreparedPlugins implements Routers {
  /** The prepared plugins of a gateway without plugins. */
  public static final PreparedPlugins NONE =
      new PreparedPlugins(List.of(), List.of(), Map.of(), List.of(), PluginSettings.NONE);

  /** The note on a request's entry that has no effect because the account's is final. */
  static final String FINAL = "without effect: the account's settings are final";

  /** The note on an entry that cannot switch off a router whose slug is a requested model. */
  static final String NEEDED =
      "enabled:false only drops the entry: the model asked for is this router";

  private final List<ReadyPlugin> inOrder; // only routers
  private final List<ReadyPlugin> always;
  private final Map<String, ReadyPlugin> byId;
  private final Map<String, ReadyPlugin> bySlug; // in lower case
  private final ReadyInterceptors interceptors;
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
      List<ReadyPlugin> routers,
      List<ReadyPlugin> interceptors,
      Map<String, ServerTool> tools,
      List<Resource> closeable,
      PluginSettings settings) {
    this.settings = settings;
    this.closeable = List.copyOf(closeable);
    this.tools = Map.copyOf(tools);
    this.interceptors = new ReadyInterceptors(interceptors);
    inOrder = List.copyOf(routers);
    always = inOrder.stream().filter(ReadyPlugin::always).toList();
    var ids = new LinkedHashMap<String, ReadyPlugin>();
    var slugs = new LinkedHashMap<String, ReadyPlugin>();
    for (ReadyPlugin router : inOrder) {
      ids.put(router.descriptor().id(), router);
      for (String slug : router.descriptor().slugs()) {
        slugs.put(slug.toLowerCase(Locale.ROOT), router);
      }
    }
    byId = Collections.unmodifiableMap(ids);
    bySlug = Collections.unmodifiableMap(slugs);
  }

  /**
   * Returns the router of a step with the step's configuration; null when there is none.
   *
   * @throws IllegalArgumentException when the configuration does not fit the plugin's schema, as
   *     may happen to one that another version recorded
   * @throws PluginFailureException when the plugin fails
   */
  @Override
  public @Nullable RouterPlugin of(RouterStep step) {
    ReadyPlugin router = byId.get(step.plugin());
    return router == null ? null : router.with(step.config());
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
   * @param batch whether the calls belong to a request of a batch
   */
  public Set<String> innerTools(boolean batch) {
    return tools.entrySet().stream()
        .filter(one -> !one.getValue().makesInnerCalls())
        .filter(one -> !batch || one.getValue().runsInBatches())
        .filter(one -> one.getValue().unusableReason(Json.Obj.EMPTY) == null)
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
   * @param models what the request is for, which is the account's default when it names none
   * @throws PluginFailureException when a plugin fails
   */
  public List<RouterStep> steps(InferenceRequest request, List<ModelRef> models) {
    if (always.isEmpty() && !namesRouter(models)) {
      return List.of();
    }
    InferenceRequest asked =
        request.models().equals(models) ? request : request.toBuilder().models(models).build();
    var steps = new ArrayList<RouterStep>();
    for (ReadyPlugin ready : inOrder) {
      steps(ready, asked, steps);
    }
    return List.copyOf(steps);
  }

  private void steps(ReadyPlugin ready, InferenceRequest request, List<RouterStep> steps) {
    PluginEntry entry = ready.entryOf(request);
    List<Integer> places = places(ready, request.models());
    if (ready.always() && ready.effectiveConfig().runsWith(entry)) {
      places.add(RouterStep.EVERY);
    }
    if (places.isEmpty()) {
      return;
    }
    Json.Obj config = ready.effectiveConfig().mergedWith(ready.descriptor(), entry);
    RouterPlugin router = ready.with(config);
    if (router == null) {
      return;
    }
    Json facts = ready.facts(router, request);
    String id = ready.descriptor().id();
    for (int place : places) {
      steps.add(new RouterStep(id, ready.descriptor().version(), place, config, facts));
    }
  }

  private List<Integer> places(ReadyPlugin ready, List<ModelRef> models) {
    var places = new ArrayList<Integer>();
    for (int i = 0; i < models.size(); i++) {
      if (routerOf(models.get(i)) == ready) {
        places.add(i);
      }
    }
    return places;
  }

  private boolean namesRouter(List<ModelRef> models) {
    for (ModelRef model : models) {
      if (routerOf(model) != null) {
        return true;
      }
    }
    return false;
  }

  private @Nullable ReadyPlugin routerOf(ModelRef model) {
    ReadyPlugin exact = bySlug.get(model.slug());
    return exact != null ? exact : bySlug.get(model.slug().toLowerCase(Locale.ROOT));
  }

  /**
   * Returns the interceptors that act on a request, outermost first: by order and id, never by the
   * order of the request. They act when the request names them, when the account has them saved,
   * and when the host runs them always, unless they are switched off; and when one of their slugs
   * is a requested model.
   *
   * @param models what the request is for, which is the account's default when it names none
   * @param notes receives the interceptors that have nothing to do for the request, and why
   * @return the interceptors with the configuration of this request; {@link
   *     io.strowger.spi.plugin.Interceptor#scope()} says what each wraps
   * @throws PluginFailureException when a plugin fails
   */
  public List<Interception> interceptors(
      InferenceRequest request, List<ModelRef> models, Consumer<TraceEntry.Note> notes) {
    return interceptors.of(request, models, notes);
  }

  /** Returns the interceptors that act on a request, without notes on the others. */
  public List<Interception> interceptors(InferenceRequest request) {
    return interceptors.of(request, request.models(), note -> {});
  }

  /** Returns whether the suffix {@code :online} of a model has an effect. */
  public boolean answersOnline() {
    return interceptors.answersOnline();
  }

  /** Returns which prompts of a request are shortened to fit the chosen endpoint. */
  public ContextCompressionScope compression(InferenceRequest request) {
    return interceptors.compression(request);
  }

  /**
   * Returns the interceptor that shortens prompts for small contexts when it was neither asked for
   * nor switched off; null otherwise.
   *
   * @throws PluginFailureException when the plugin fails
   */
  public @Nullable Interception shortener(InferenceRequest request) {
    return interceptors.shortener(request);
  }

  /** Returns notes on the request's plugin entries without effect, for the models it names. */
  public List<TraceEntry.Note> notes(InferenceRequest request) {
    return notes(request, request.models());
  }

  /**
   * Returns notes on the request's plugin entries without effect, in the request's order.
   *
   * @param models what the request is for
   */
  public List<TraceEntry.Note> notes(InferenceRequest request, List<ModelRef> models) {
    if (request.plugins().isEmpty()) {
      return List.of();
    }
    var notes = new ArrayList<TraceEntry.Note>();
    for (PluginEntry entry : request.plugins()) {
      ReadyPlugin ready = byId.get(entry.id());
      String why =
          ready == null
              ? interceptors.withoutEffect(entry, models)
              : withoutEffect(ready, entry, models);
      if (why != null) {
        notes.add(new TraceEntry.Note(entry.id(), why));
      }
    }
    return List.copyOf(notes);
  }

  private @Nullable String withoutEffect(
      ReadyPlugin ready, PluginEntry entry, List<ModelRef> models) {
    boolean named = !places(ready, models).isEmpty();
    if ((named || ready.always()) && ready.effectiveConfig().preventsOverrides()) {
      return FINAL;
    }
    if (named && !entry.enabled()) {
      return NEEDED;
    }
    if (named || ready.always() || !entry.enabled()) {
      return null;
    }
    if (ready.descriptor().slugs().isEmpty()) {
      return "accepted without effect: the host does not run it";
    }
    return "accepted without effect: it acts for "
        + String.join(", ", ready.descriptor().slugs())
        + " only";
  }
}
