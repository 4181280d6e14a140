package io.strowger.core.plan;

import io.strowger.core.routing.RouterStep;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.RouterPlugin.Selection;
import io.strowger.spi.routing.TraceEntry;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks routers, and holds them to what they were offered. */
final class RouterCalls {
  private final PlanIndex index;
  private final Routers routers;
  private final RoutingQuery query;
  private final @Nullable List<TraceEntry> facts;

  /**
   * @param facts where choices are noted; null when nobody reads them
   */
  RouterCalls(
      PlanIndex index, Routers routers, RoutingQuery query, @Nullable List<TraceEntry> facts) {
    this.index = index;
    this.routers = routers;
    this.query = query;
    this.facts = facts;
  }

  /**
   * @throws PluginFailure when the router does not choose
   */
  Selection choose(RouterStep step, FeasibleModels offered) {
    @Nullable Selection selection;
    try {
      RouterPlugin router = routers.of(step);
      if (router == null) {
        throw new PluginFailure(step.plugin(), "is not there");
      }
      selection = router.select(offered, step.facts());
    } catch (PluginFailure failure) {
      throw failure;
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
      throw new PluginFailure(step.plugin(), bug);
    }
    if (selection == null) {
      throw new PluginFailure(step.plugin(), "gave null");
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
   * The endpoints of a model a router chose.
   *
   * @throws PluginFailure when it was not offered
   */
  ModelEndpoints model(RouterStep step, String id, FeasibleModels offered) {
    ModelInfo model = index.catalog().model(id);
    if (model == null || !offered.feasible(model.ordinal())) {
      throw new PluginFailure(step.plugin(), "chose a model it was not offered: " + id);
    }
    return index.endpoints(model);
  }

  /**
   * The endpoints a router chose, in its order.
   *
   * @param seen gets the ordinal of each
   * @throws PluginFailure when one was not offered, or was chosen twice
   */
  Slot[] endpoints(RouterStep step, List<String> ids, FeasibleModels offered, BitSet seen) {
    Slot[] slots = new Slot[ids.size()];
    for (int i = 0; i < slots.length; i++) {
      Slot slot = index.slot(ids.get(i));
      if (slot == null || !offered.offers(slot.endpoint()) || seen.get(slot.endpoint().ordinal())) {
        throw new PluginFailure(
            step.plugin(), "chose an endpoint it was not offered: " + ids.get(i));
      }
      seen.set(slot.endpoint().ordinal());
      slots[i] = slot;
    }
    return slots;
  }
}
