package io.strowger.core.plan;

import io.strowger.core.routing.RouterStep;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls routers, and checks that they choose only what they were offered. */
final class RouterCalls {
  private final PlanIndex index;
  private final Routers routers;
  private final RoutingQuery query;
  private final @Nullable List<TraceEntry> trace;

  /**
   * @param trace the trace to add choices to; null when no trace is made
   */
  RouterCalls(RuleContext context, Routers routers, @Nullable List<TraceEntry> trace) {
    this.index = context.index();
    this.routers = routers;
    this.query = context.query();
    this.trace = trace;
  }

  /**
   * Asks the router of a step to choose, and adds its choice to the trace.
   *
   * @throws PluginFailureException when the router is missing, throws or returns null
   */
  Selection choose(RouterStep step, CandidateModels candidates) {
    @Nullable Selection selection;
    try {
      RouterPlugin router = routers.find(step);
      if (router == null) {
        throw new PluginFailureException(step.plugin(), "is not registered");
      }
      selection = router.select(candidates);
    } catch (PluginFailureException failure) {
      throw failure;
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
      throw new PluginFailureException(step.plugin(), bug);
    }
    if (selection == null) {
      throw new PluginFailureException(step.plugin(), "returned null");
    }
    note(step, selection);
    return selection;
  }

  private void note(RouterStep step, Selection selection) {
    if (trace == null) {
      return;
    }
    String modelName =
        step.modelIndex() == RouterStep.EVERY_REQUEST
            ? ""
            : query.models().get(step.modelIndex()).toString();
    trace.add(
        switch (selection) {
          case Selection.Models(var chosen, var reason, var data) ->
              new TraceEntry.Routed(step.plugin(), modelName, reason, data);
          case Selection.Endpoints(var chosen, var reason, var data) ->
              new TraceEntry.Routed(step.plugin(), modelName, reason, data);
          case Selection.Refusal(var code, var reason) ->
              new TraceEntry.Routed(step.plugin(), modelName, reason, Json.Obj.EMPTY);
          case Selection.Pass pass ->
              new TraceEntry.Routed(
                  step.plugin(), modelName, TraceEntry.Routed.NO_OPINION, Json.Obj.EMPTY);
        });
  }

  /**
   * Returns a model that a router chose; null when it may not be used, and the trace then gets a
   * note.
   *
   * @throws PluginFailureException when the model does not exist
   */
  @Nullable ModelEndpoints model(RouterStep step, String id, CandidateModels candidates) {
    ModelInfo model = index.catalog().model(id);
    if (model == null) {
      throw new PluginFailureException(step.plugin(), "chose a model that does not exist: " + id);
    }
    if (candidates.isUsable(model.ordinal())) {
      return index.endpoints(model);
    }
    noteDropped(step, "model", id);
    return null;
  }

  /**
   * Returns the endpoints a router chose, in the router's order and each once. Those that may not
   * be used are left out.
   *
   * @throws PluginFailureException when the router chose an endpoint that does not exist, or only
   *     endpoints that may not be used
   */
  IndexedEndpoint[] endpoints(
      RouterStep step, Selection.Endpoints chosen, CandidateModels candidates) {
    var usable = new ArrayList<IndexedEndpoint>(chosen.ids().size());
    var seen = new BitSet(index.catalog().endpoints().size());
    for (String id : chosen.ids()) {
      IndexedEndpoint indexed = index.endpoint(id);
      if (indexed == null) {
        throw new PluginFailureException(
            step.plugin(), "chose an endpoint that does not exist: " + id);
      }
      if (!candidates.isOfferedAndUsable(indexed.endpoint())) {
        noteDropped(step, "endpoint", id);
      } else if (!seen.get(indexed.endpoint().ordinal())) {
        seen.set(indexed.endpoint().ordinal());
        usable.add(indexed);
      }
    }
    requireAny(step, chosen.ids(), !usable.isEmpty());
    return usable.toArray(new IndexedEndpoint[0]);
  }

  private void noteDropped(RouterStep step, String type, String id) {
    if (trace != null) {
      trace.add(
          new TraceEntry.Note(
              step.plugin(), "dropped the %s %s, which may not be used".formatted(type, id)));
    }
  }

  /**
   * Requires that at least one of the choices of a router may be used, if it chose any.
   *
   * @throws PluginFailureException when a router chose something and none of it may be used
   */
  static void requireAny(RouterStep step, List<String> chosen, boolean anyUsable) {
    if (!anyUsable && !chosen.isEmpty()) {
      throw new PluginFailureException(step.plugin(), "chose nothing that may be used: " + chosen);
    }
  }
}
