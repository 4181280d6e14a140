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
final class ReadyInterceptors {
  private final List<ReadyPlugin> inOrder;
  private final Map<String, ReadyPlugin> bySlug; // in lower case
  private final boolean unasked; // one of them runs on requests that do not name it
  private final boolean readsFiles; // one of them has the trait
  private final boolean answersOnline; // one of them has the trait
  private final @Nullable ReadyPlugin shortener; // the first that makes prompts fit

  ReadyInterceptors(List<ReadyPlugin> inOrder) {
    this.inOrder = List.copyOf(inOrder);
    unasked = inOrder.stream().anyMatch(ready -> ready.effectiveConfig().runsUnasked());
    var slugs = new HashMap<String, ReadyPlugin>();
    for (ReadyPlugin ready : inOrder) {
      for (String slug : ready.descriptor().slugs()) {
        slugs.put(slug.toLowerCase(Locale.ROOT), ready);
      }
    }
    bySlug = Map.copyOf(slugs);
    readsFiles = has(Descriptor.Trait.READS_FILES);
    answersOnline = has(Descriptor.Trait.ANSWERS_ONLINE);
    shortener =
        this.inOrder.stream()
            .filter(ready -> ready.descriptor().has(Descriptor.Trait.SHORTENS_PROMPTS))
            .findFirst()
            .orElse(null);
  }

  private boolean has(Descriptor.Trait trait) {
    return inOrder.stream().anyMatch(ready -> ready.descriptor().has(trait));
  }

  /**
   * Returns the interceptors that act on a request, outermost first.
   *
   * @param models the models the request is for
   */
  List<Interception> of(
      InferenceRequest request, List<ModelRef> models, Consumer<TraceEntry.Note> notes) {
    boolean files = readsFiles && hasFile(request);
    boolean online = answersOnline && isOnline(models);
    if (inOrder.isEmpty()
        || !unasked
            && !files
            && !online
            && request.plugins().isEmpty()
            && (bySlug.isEmpty() || !isAnyNamed(models))) {
      return List.of();
    }
    var acting = new ArrayList<Interception>();
    for (ReadyPlugin ready : inOrder) {
      PluginEntry entry = ready.entryOf(request);
      EffectiveConfig standing = ready.effectiveConfig();
      boolean needed =
          files && ready.descriptor().has(Descriptor.Trait.READS_FILES)
              || online && ready.descriptor().has(Descriptor.Trait.ANSWERS_ONLINE);
      if (standing.runsWith(entry)
          || isNamed(ready, models)
          || needed && standing.runsWhereNeeded(entry)) {
        Interceptor interceptor = made(ready, entry, notes);
        if (interceptor != null) {
          acting.add(new Interception(ready.descriptor(), interceptor));
        }
      }
    }
    return List.copyOf(acting);
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
  private boolean isNamed(ReadyPlugin ready, List<ModelRef> models) {
    if (!ready.descriptor().slugs().isEmpty()) {
      for (ModelRef model : models) {
        if (bySlug.get(model.slug().toLowerCase(Locale.ROOT)) == ready) {
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
    ReadyPlugin ready = shortener;
    if (ready == null) {
      return ContextCompressionScope.UNAVAILABLE;
    }
    PluginEntry entry = ready.entryOf(request);
    if (ready.effectiveConfig().runsWith(entry)) {
      return ContextCompressionScope.ALL;
    }
    return ready.effectiveConfig().runsWhereNeeded(entry)
        ? ContextCompressionScope.SMALL_CONTEXTS
        : ContextCompressionScope.OFF;
  }

  /**
   * Returns the interceptor that shortens prompts for small contexts when the request has no entry
   * for it; null if none.
   */
  @Nullable Interception shortener(InferenceRequest request) {
    ReadyPlugin ready = shortener;
    if (ready == null || compression(request) != ContextCompressionScope.SMALL_CONTEXTS) {
      return null;
    }
    Interceptor interceptor = made(ready, ready.entryOf(request), note -> {});
    return interceptor == null ? null : new Interception(ready.descriptor(), interceptor);
  }

  private static @Nullable Interceptor made(
      ReadyPlugin ready, @Nullable PluginEntry entry, Consumer<TraceEntry.Note> notes) {
    String id = ready.descriptor().id();
    return switch (ready.plugin(ready.effectiveConfig().mergedWith(ready.descriptor(), entry))) {
      case Interceptor interceptor -> interceptor;
      case Plugin.Inactive(var reason) -> {
        notes.accept(new TraceEntry.Note(id, "has nothing to do: " + reason));
        yield null;
      }
      case RouterPlugin router -> throw new IllegalStateException(id + " is an interceptor");
    };
  }

  /** Returns why a request's entry has no effect; null when it has one or is for another plugin. */
  @Nullable String withoutEffect(PluginEntry entry, List<ModelRef> models) {
    for (ReadyPlugin ready : inOrder) {
      if (ready.descriptor().id().equals(entry.id())) {
        return ready.effectiveConfig().isFinal()
            ? PreparedPlugins.FINAL
            : !entry.enabled() && isNamed(ready, models) ? PreparedPlugins.NEEDED : null;
      }
    }
    return null;
  }
}
