package io.strowger.core.registry;

import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The interceptors made ready for one catalog. Plugins fact sheet, section 1. */
final class ReadyInterceptors {
  private final List<ReadyPlugin> inOrder;
  private final boolean unasked; // one of them runs where no request asks for it

  ReadyInterceptors(List<ReadyPlugin> inOrder) {
    this.inOrder = List.copyOf(inOrder);
    unasked = inOrder.stream().anyMatch(ready -> ready.standing().runsUnasked());
  }

  /** Those that act on a request, the outermost first. */
  List<Interception> of(InferenceRequest request, Consumer<TraceEntry.Note> notes) {
    if (inOrder.isEmpty() || !unasked && request.plugins().isEmpty()) {
      return List.of();
    }
    var acting = new ArrayList<Interception>();
    for (ReadyPlugin ready : inOrder) {
      PluginEntry entry = ready.entryOf(request);
      if (ready.standing().runsWith(entry)) {
        Interceptor interceptor = made(ready, entry, notes);
        if (interceptor != null) {
          acting.add(new Interception(ready.descriptor(), interceptor));
        }
      }
    }
    return List.copyOf(acting);
  }

  private static @Nullable Interceptor made(
      ReadyPlugin ready, @Nullable PluginEntry entry, Consumer<TraceEntry.Note> notes) {
    String id = ready.descriptor().id();
    return switch (ready.plugin(ready.standing().under(ready.descriptor(), entry))) {
      case Interceptor interceptor -> interceptor;
      case Plugin.Inactive(var reason) -> {
        notes.accept(new TraceEntry.Note(id, "has nothing to do: " + reason));
        yield null;
      }
      case RouterPlugin router -> throw new IllegalStateException(id + " is an interceptor");
    };
  }

  /** Why an entry of a request has no effect; null when it has, or is of none of these. */
  @Nullable String withoutEffect(PluginEntry entry) {
    for (ReadyPlugin ready : inOrder) {
      if (ready.descriptor().id().equals(entry.id())) {
        return ready.standing().isFinal() ? PreparedPlugins.FINAL : null;
      }
    }
    return null;
  }
}
