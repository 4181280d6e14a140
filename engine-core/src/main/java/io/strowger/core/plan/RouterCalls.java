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
  private final @Nullable List<TraceEntry> facts;

  /**
   * @param facts the trace to add choices to; null when no trace is made
   */
  RouterCalls(RuleContext context, Routers routers, @Nullable List<TraceEntry> facts) {
    this.index = context.index();
    this.routers = routers;
    this.query = context.query();
    this.facts = facts;
  }

  /**
   * Asks the router of a step to choose, and adds its choice to the trace.
   *
   * @throws PluginFailureException when the router is missing, throws or returns null
   */
  Selection choose(RouterStep step, CandidateModels offered) {
    @Nullable Selection selection;
    try {
      RouterPlugin router = routers.of(step);
      if (router == null) {
        throw new PluginFailureException(step.plugin(), "is not there");
      }
      selection = router.select(offered);
    } catch (PluginFailureException failure) {
      throw failure;
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
      throw new PluginFailureException(step.plugin(), bug);
    }
    if (selection == null) {
      throw new PluginFailureException(step.plugin(), "gave null");
    }
    note(step, selection);
    return selection;
  }

  private void note(RouterStep step, Selection selection) {
    if (facts == null) {
      return;
    }
    String asked =
        step.model() == RouterStep.EVERY ? "" : query.models().get(step.model()).toString();
    facts.add(
        switch (selection) {
          case Selection.Models(var chosen, var reason, var data) ->
              new TraceEntry.Routed(step.plugin(), asked, reason, data);
          case Selection.Endpoints(var chosen, var reason, var data) ->
              new TraceEntry.Routed(step.plugin(), asked, reason, data);
          case Selection.None(var code, var reason) ->
              new TraceEntry.Routed(step.plugin(), asked, reason, Json.Obj.EMPTY);
          case Selection.Pass pass ->
              new TraceEntry.Routed(
                  step.plugin(), asked, TraceEntry.Routed.NO_OPINION, Json.Obj.EMPTY);
        });
  }

  /**
   * Returns a model that a router chose; null when it may not be used, and the trace then gets a
   * note.
   *
   * @throws PluginFailureException when it does not exist
   */
  @Nullable ModelEndpoints model(RouterStep step, String id, CandidateModels offered) {
    ModelInfo model = index.catalog().model(id);
    if (model == null) {
      throw new PluginFailureException(step.plugin(), "chose a model that does not exist: " + id);
    }
    if (offered.isUsable(model.ordinal())) {
      return index.endpoints(model);
    }
    noteDropped(step, "model", id);
    return null;
  }

  /**
   * Returns the endpoints a router chose, in its order and each once, without those that may not be
   * used.
   *
   * @throws PluginFailureException when it chose one that does not exist, or none of them may be
   *     used
   */
  IndexedEndpoint[] endpoints(
      RouterStep step, Selection.Endpoints chosen, CandidateModels offered) {
    var usable = new ArrayList<IndexedEndpoint>(chosen.inOrder().size());
    var seen = new BitSet(index.catalog().endpoints().size());
    for (String id : chosen.inOrder()) {
      IndexedEndpoint slot = index.slot(id);
      if (slot == null) {
        throw new PluginFailureException(
            step.plugin(), "chose an endpoint that does not exist: " + id);
      }
      if (!offered.offers(slot.endpoint())) {
        noteDropped(step, "endpoint", id);
      } else if (!seen.get(slot.endpoint().ordinal())) {
        seen.set(slot.endpoint().ordinal());
        usable.add(slot);
      }
    }
    requireAny(step, chosen.inOrder(), !usable.isEmpty());
    return usable.toArray(new IndexedEndpoint[0]);
  }

  private void noteDropped(RouterStep step, String what, String id) {
    if (facts != null) {
      facts.add(
          new TraceEntry.Note(
              step.plugin(), "dropped the %s %s, which may not be used".formatted(what, id)));
    }
  }

  /**
   * Requires that at least one of the choices of a router may be used, if it chose any.
   *
   * @throws PluginFailureException when a router chose something and none of it may be used
   */
  static void requireAny(RouterStep step, List<String> chosen, boolean any) {
    if (!any && !chosen.isEmpty()) {
      throw new PluginFailureException(step.plugin(), "chose nothing that may be used: " + chosen);
    }
  }
}
