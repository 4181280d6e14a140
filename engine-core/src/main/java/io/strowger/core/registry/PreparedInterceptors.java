package io.strowger.core.registry;

import io.strowger.core.routing.ContextCompressionScope;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The interceptors prepared for one catalog. Plugins fact sheet, section 1. */
final class PreparedInterceptors {
  private final List<PreparedPlugin> sortedInterceptors;
  private final Map<String, PreparedPlugin> bySlug; // in lower case
  private final boolean anyRunsByDefault; // one of them runs on requests that do not name it
  private final boolean anyReadsFiles; // one of them has the trait
  private final boolean answersOnline; // one of them has the trait
  private final @Nullable PreparedPlugin promptCompressor; // the first that makes prompts fit

  PreparedInterceptors(List<PreparedPlugin> interceptors) {
    this.sortedInterceptors = List.copyOf(interceptors);
    anyRunsByDefault =
        interceptors.stream()
            .anyMatch(preparedPlugin -> preparedPlugin.effectiveConfig().runsByDefault());
    var slugs = new HashMap<String, PreparedPlugin>();
    for (PreparedPlugin preparedPlugin : interceptors) {
      for (String slug : preparedPlugin.descriptor().slugs()) {
        slugs.put(slug.toLowerCase(Locale.ROOT), preparedPlugin);
      }
    }
    bySlug = Map.copyOf(slugs);
    anyReadsFiles = has(Descriptor.Trait.READS_FILES);
    answersOnline = has(Descriptor.Trait.ANSWERS_ONLINE);
    promptCompressor =
        this.sortedInterceptors.stream()
            .filter(
                preparedPlugin ->
                    preparedPlugin.descriptor().has(Descriptor.Trait.COMPRESSES_PROMPTS))
            .findFirst()
            .orElse(null);
  }

  private boolean has(Descriptor.Trait trait) {
    return sortedInterceptors.stream()
        .anyMatch(preparedPlugin -> preparedPlugin.descriptor().has(trait));
  }

  /**
   * Returns the interceptors that act on a request, outermost first.
   *
   * @param models the models the request is for
   */
  List<ActiveInterceptor> select(
      InferenceRequest request, List<ModelRef> models, Consumer<TraceEntry.Note> notes) {
    boolean hasFiles = anyReadsFiles && hasFile(request);
    boolean isOnline = answersOnline && isOnline(models);
    if (sortedInterceptors.isEmpty()
        || !anyRunsByDefault
            && !hasFiles
            && !isOnline
            && request.plugins().isEmpty()
            && (bySlug.isEmpty() || !isAnyNamed(models))) {
      return List.of();
    }
    var selected = new ArrayList<ActiveInterceptor>();
    for (PreparedPlugin preparedPlugin : sortedInterceptors) {
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

  private static boolean isOnline(List<ModelRef> models) {
    for (ModelRef model : models) {
      if (model.hasVariant("online")) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the suffix {@code :online} has an effect. */
  boolean answersOnline() {
    return answersOnline;
  }

  private boolean isAnyNamed(List<ModelRef> models) {
    for (ModelRef model : models) {
      if (bySlug.containsKey(model.slug().toLowerCase(Locale.ROOT))) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether one of the models is a slug of the plugin. */
  private boolean isNamed(PreparedPlugin preparedPlugin, List<ModelRef> models) {
    if (!preparedPlugin.descriptor().slugs().isEmpty()) {
      for (ModelRef model : models) {
        if (bySlug.get(model.slug().toLowerCase(Locale.ROOT)) == preparedPlugin) {
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

  /** Returns which prompts of a request are shortened to fit the chosen endpoint. */
  ContextCompressionScope compression(InferenceRequest request) {
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
   * Returns the interceptor that shortens prompts, if it does so only for small contexts; null
   * otherwise.
   */
  @Nullable ActiveInterceptor promptCompressor(InferenceRequest request) {
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

  /**
   * Returns why a request's entry has no effect; null when it has an effect, or is not for an
   * interceptor.
   */
  @Nullable String noEffectReason(PluginEntry entry, List<ModelRef> models) {
    for (PreparedPlugin preparedPlugin : sortedInterceptors) {
      if (preparedPlugin.descriptor().id().equals(entry.id())) {
        return preparedPlugin.effectiveConfig().isFinal()
            ? PreparedPlugins.OVERRIDES_PREVENTED_NOTE
            : !entry.enabled() && isNamed(preparedPlugin, models)
                ? PreparedPlugins.ROUTER_NEEDED_NOTE
                : null;
      }
    }
    return null;
  }
}
