package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The contract of routers")
class RouterPluginContractTest {
  /** Chooses the cheapest model. */
  private static RouterPlugin.Selection cheapest(RouterPlugin.Feasible feasible) {
    int best = -1;
    for (int i = 0; i < feasible.models(); i++) {
      if (feasible.feasible(i) && (best < 0 || before(feasible, i, best))) {
        best = i;
      }
    }
    return best < 0
        ? new RouterPlugin.Selection.None(ErrorCode.CONSTRAINT_FILTERED, "nothing is left")
        : new RouterPlugin.Selection.Models(List.of(feasible.model(best).id()), "the cheapest");
  }

  private static boolean before(RouterPlugin.Feasible feasible, int one, int other) {
    return feasible.price(one) < feasible.price(other)
        || feasible.price(one) == feasible.price(other)
            && feasible.model(one).id().compareTo(feasible.model(other).id()) < 0;
  }

  private record Of(
      BiFunction<RouterPlugin.Feasible, Json, RouterPlugin.Selection> select, Json facts)
      implements RouterPlugin {
    @Override
    public Json facts(InferenceRequest request) {
      return facts instanceof Json.Str ? Json.of(Given.lastText(request)) : facts;
    }

    @Override
    public Selection select(Feasible feasible, Json facts) {
      return select.apply(feasible, facts);
    }
  }

  private record Provider(Plugin plugin, String id) implements PluginProvider {
    @Override
    public Descriptor descriptor() {
      return new Descriptor(
          id, "1", 5, ConfigSchema.of(), List.of("acme/cheap"), Descriptor.Status.ACTIVE);
    }

    @Override
    public Plugin create(PluginConfig config, Prepared prepared) {
      return plugin;
    }
  }

  /** Decides for the first few requests only. */
  private record Wearing() implements PluginProvider {
    private record Left(AtomicInteger decisions) implements Prepared {}

    @Override
    public Descriptor descriptor() {
      return new Provider(new Plugin.Inactive("no"), "wearing").descriptor();
    }

    @Override
    public Prepared prepare(Catalog catalog) {
      return new Left(new AtomicInteger(5));
    }

    @Override
    public Plugin create(PluginConfig config, Prepared prepared) {
      AtomicInteger left = ((Left) prepared).decisions();
      return new Of(
          (feasible, facts) ->
              left.getAndDecrement() > 0 ? cheapest(feasible) : RouterPlugin.Selection.PASS,
          Json.Obj.EMPTY);
    }
  }

  private static RouterPluginContract contract(PluginProvider provider) {
    return new ContractOf(provider);
  }

  private static RouterPluginContract contract(
      BiFunction<RouterPlugin.Feasible, Json, RouterPlugin.Selection> select) {
    return contract(new Provider(new Of(select, Json.Obj.EMPTY), "cheap"));
  }

  @Nested
  @DisplayName("is kept by a router that takes the cheapest model, which")
  class Kept extends RouterPluginContract {
    @Override
    protected PluginProvider provider() {
      return new Provider(new Of((feasible, facts) -> cheapest(feasible), Json.Obj.EMPTY), "cheap");
    }
  }

  @Nested
  @DisplayName("is broken by a router that")
  class Broken {
    private void breaks(ThrowingCallable test) {
      assertThatThrownBy(test).isInstanceOf(Throwable.class);
    }

    @Test
    @DisplayName("chooses what may not be used")
    void infeasible() {
      var first =
          contract(
              (feasible, facts) ->
                  new RouterPlugin.Selection.Models(List.of(feasible.model(0).id()), "the first"));
      breaks(first::feasible);
      breaks(first::nothing);
      breaks(first::order);
    }

    @Test
    @DisplayName("chooses what nobody knows, or one model twice")
    void unknown() {
      breaks(
          contract((f, facts) -> new RouterPlugin.Selection.Models(List.of("no/such"), "no"))
              ::feasible);
      breaks(
          contract(
                  (f, facts) ->
                      cheapest(f) instanceof RouterPlugin.Selection.Models m
                          ? new RouterPlugin.Selection.Models(
                              List.of(m.inOrder().getFirst(), m.inOrder().getFirst()), "twice")
                          : RouterPlugin.Selection.PASS)
              ::feasible);
    }

    @Test
    @DisplayName("remembers what it was asked before")
    void impure() {
      var asked = new AtomicInteger();
      var alternating =
          contract(
              (f, facts) ->
                  asked.incrementAndGet() % 2 == 0 ? RouterPlugin.Selection.PASS : cheapest(f));
      breaks(alternating::repeatable);
    }

    @Test
    @DisplayName("repeats the prompt in its facts, or much else")
    void tells() {
      RouterPlugin telling = new Of((f, facts) -> cheapest(f), Json.of("text"));
      breaks(contract(new Provider(telling, "cheap"))::facts);
      var long_ = new ArrayList<Json>();
      for (int i = 0; i < 500; i++) {
        long_.add(Json.of(i));
      }
      breaks(
          contract(new Provider(new Of((f, facts) -> cheapest(f), Json.array(long_)), "cheap"))
              ::facts);
    }

    @Test
    @DisplayName("takes the first it may use, in the order of the catalog")
    void leansOnTheOrder() {
      var first = contract((f, facts) -> first(f));
      first.feasible();
      first.nothing();
      assertThatThrownBy(first::order).isInstanceOf(AssertionError.class);
    }

    private static RouterPlugin.Selection first(RouterPlugin.Feasible feasible) {
      for (int i = 0; i < feasible.models(); i++) {
        if (feasible.feasible(i)) {
          return new RouterPlugin.Selection.Models(List.of(feasible.model(i).id()), "the first");
        }
      }
      return RouterPlugin.Selection.PASS;
    }

    @Test
    @DisplayName("wears out what was made ready")
    void wearsOut() {
      PluginProvider wearing = new Wearing();
      contract(wearing).nothing();
      assertThatThrownBy(contract(wearing)::prepared).isInstanceOf(AssertionError.class);
    }

    @Test
    @DisplayName("takes an entry it says it refuses")
    void schema() {
      var taking = new ContractOf(new Wearing(), List.of(Json.object().put("unknown", 1).build()));
      assertThatThrownBy(taking::invalid).isInstanceOf(AssertionError.class);
    }

    @Test
    @DisplayName("needs its own facts")
    void needsFacts() {
      var needy =
          contract(
              (f, facts) -> {
                assertThat(((Json.Obj) facts).text("task")).isNotNull();
                return cheapest(f);
              });
      breaks(needy::foreignFacts);
    }

    @Test
    @DisplayName("is no router, or has a name nobody can write")
    void noRouter() {
      breaks(contract(new Provider(new Plugin.Inactive("no"), "cheap"))::defaults);
      breaks(
          contract(new Provider(new Of((f, facts) -> cheapest(f), Json.NULL), "Cheap One"))
              ::descriptor);
    }
  }
}
