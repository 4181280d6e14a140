package io.strowger.core.pipeline;

import io.strowger.core.attempt.OutputBudget;
import io.strowger.core.attempt.Stickiness;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.cache.ResponseCache;
import io.strowger.core.decisionlog.DecisionLog;
import io.strowger.core.decisionlog.LoggedDecision;
import io.strowger.core.destination.Broadcaster;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.limit.Rates;
import io.strowger.core.overload.EndpointLimiter;
import io.strowger.core.overload.OutgoingCallLimiter;
import io.strowger.core.record.Generations;
import io.strowger.core.record.Observers;
import io.strowger.spi.ambient.Ambient;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What every request of one gateway shares.
 *
 * @param ambient clock, random numbers and threads
 * @param ledger counts money
 * @param watchdog keeps deadlines
 * @param stickiness remembers who served a conversation
 * @param rates says who may ask how often
 * @param endpoints hands out the places at endpoints
 * @param outputs memory for output that is collected while it is streamed
 * @param outgoing counts what plugins ask of sites and services
 * @param cache answers that may be given again
 * @param codec reads what models wrote
 * @param observers of every call
 * @param decisions is told of every decision; null: nobody is
 * @param broadcaster sends finished calls to the destinations of their workspaces
 * @param generations keeps a record of every request that reached somebody
 * @param loggedDefaults ids of the plugins that run by default and do nothing, of which the log was
 *     told: once is enough. Safe on any thread
 * @param current the configuration as of now; null once the gateway is closed
 */
public record Engine(
    Ambient ambient,
    Ledger ledger,
    Watchdog watchdog,
    Stickiness stickiness,
    Rates rates,
    EndpointLimiter endpoints,
    OutputBudget outputs,
    OutgoingCallLimiter outgoing,
    ResponseCache cache,
    JsonCodec codec,
    Observers observers,
    @Nullable DecisionLog decisions,
    Broadcaster broadcaster,
    Generations generations,
    Set<String> loggedDefaults,
    Supplier<@Nullable Snapshot> current) {
  private static final Logger log = LoggerFactory.getLogger(Engine.class);
  private static final String WEB = "web";

  /**
   * What there is to say of the plugins that a request, the account or the host asks for and that
   * do nothing. The list is the caller's to add to.
   *
   * @param models the request is for
   */
  public List<TraceEntry.Note> notes(
      InferenceRequest request, List<ModelRef> models, Snapshot snapshot) {
    var notes = new ArrayList<>(snapshot.plugins().notes(request, models));
    if (isOnline(models) && !snapshot.plugins().answersOnline()) {
      notes.add(new TraceEntry.Note(WEB, "the suffix :online has no effect: no plugin answers it"));
    }
    return notes;
  }

  /** Whether a request itself asks for a plugin, by its id or by a suffix of a model. */
  static boolean names(InferenceRequest request, String plugin) {
    for (PluginEntry entry : request.plugins()) {
      if (entry.id().equals(plugin)) {
        return true;
      }
    }
    return plugin.equals(WEB) && isOnline(request.models());
  }

  private static boolean isOnline(List<ModelRef> models) {
    for (ModelRef model : models) {
      if (isOnline(model)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a model is asked for with {@code :online}, in any case: with the plugin web. */
  public static boolean isOnline(ModelRef model) {
    return model.hasVariant("online");
  }

  /** Tells the log; one that fails changes nothing. */
  static void record(LoggedDecision decision, DecisionLog decisions) {
    try {
      decisions.accept(decision);
    } catch (RuntimeException | Error e) {
      log.error("the decision log failed on {}", decision.id(), e);
    }
  }
}
