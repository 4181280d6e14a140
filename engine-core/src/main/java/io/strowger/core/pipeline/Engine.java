package io.strowger.core.pipeline;

import io.strowger.core.attempt.OutputBudget;
import io.strowger.core.attempt.Stickiness;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.cache.ResponseCache;
import io.strowger.core.decisionlog.DecisionLog;
import io.strowger.core.destination.Broadcaster;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.limit.Rates;
import io.strowger.core.overload.EndpointLimiter;
import io.strowger.core.overload.OutgoingCallLimiter;
import io.strowger.core.record.Generations;
import io.strowger.core.record.Observers;
import io.strowger.core.registry.PreparedPlugins;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The services that all requests of one gateway share.
 *
 * @param ambient clock, random numbers and threads
 * @param ledger holds and settles money
 * @param watchdog enforces deadlines
 * @param stickiness remembers which endpoint served a conversation
 * @param rates the rate limits
 * @param endpointLimiter grants places at endpoints
 * @param outputBudget the budget for output that is collected while it is streamed
 * @param outgoingLimiter limits the outgoing calls of plugins
 * @param cache the response cache
 * @param codec parses what models wrote
 * @param observers the observers of every call
 * @param decisionLog the log of every decision; null for none
 * @param broadcaster sends finished calls to the destinations of their workspaces
 * @param generations keeps a record of every request that was answered or reached a provider
 * @param loggedDefaults the ids of the plugins that run by default without effect and were logged:
 *     each is logged once. Safe on any thread
 * @param current returns the current configuration; null once the gateway is closed
 */
public record Engine(
    Ambient ambient,
    Ledger ledger,
    Watchdog watchdog,
    Stickiness stickiness,
    Rates rates,
    EndpointLimiter endpointLimiter,
    OutputBudget outputBudget,
    OutgoingCallLimiter outgoingLimiter,
    ResponseCache cache,
    JsonCodec codec,
    Observers observers,
    @Nullable DecisionLog decisionLog,
    Broadcaster broadcaster,
    Generations generations,
    Set<String> loggedDefaults,
    Supplier<@Nullable Snapshot> current) {
  private static final String WEB = "web";

  /**
   * Returns a note for each plugin that a request, the account or the host asks for and that has no
   * effect. The caller may add to the list.
   *
   * @param models the requested models
   */
  public List<TraceEntry.Note> notes(
      InferenceRequest request, List<ModelRef> models, Snapshot snapshot) {
    var notes = new ArrayList<>(snapshot.plugins().notes(request, models));
    if (PreparedPlugins.isOnline(models) && !snapshot.plugins().answersOnline()) {
      notes.add(new TraceEntry.Note(WEB, "the suffix :online has no effect: no plugin answers it"));
    }
    return notes;
  }

  /** Returns whether a request itself asks for a plugin, by its id or by a suffix of a model. */
  static boolean requestsPlugin(InferenceRequest request, String plugin) {
    for (PluginEntry entry : request.plugins()) {
      if (entry.id().equals(plugin)) {
        return true;
      }
    }
    return plugin.equals(WEB) && PreparedPlugins.isOnline(request.models());
  }

  /**
   * Returns the current configuration.
   *
   * @throws GatewayException with {@link ErrorCode#UNAVAILABLE} once the gateway is closed
   */
  Snapshot requireSnapshot() {
    Snapshot snapshot = current.get();
    if (snapshot == null) {
      throw GatewayError.of(ErrorCode.UNAVAILABLE).toException();
    }
    return snapshot;
  }
}
