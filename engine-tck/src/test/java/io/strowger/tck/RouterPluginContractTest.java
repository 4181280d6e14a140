package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The contract of routers")
class RouterPluginContractTest {
  /** Chooses the cheapest model. */
  private static Selection cheapest(Candidates candidates) {
    int best = -1;
    for (int i = 0; i < candidates.size(); i++) {
      if (candidates.isUsable(i) && (best < 0 || before(candidates, i, best))) {
        best = i;
      }
    }
    return best < 0
        ? new Selection.Refusal(ErrorCode.CONSTRAINT_FILTERED, "nothing is left")
        : new Selection.Models(List.of(candidates.model(best).id()), "the cheapest");
  }

  private static boolean before(Candidates candidates, int one, int other) {
    return candidates.blendedPrice(one) < candidates.blendedPrice(other)
        || candidates.blendedPrice(one) == candidates.blendedPrice(other)
            && candidates.model(one).id().compareTo(candidates.model(other).id()) < 0;
  }

  private record LambdaRouter(Function<Candidates, Selection> select, Json facts)
      implements RouterPlugin {
    @Override
    public Json facts(InferenceRequest request) {
      return facts instanceof Json.Str ? Json.of(Given.lastText(request)) : facts;
    }

    @Override
    public Selection select(Candidates candidates) {
      return select.apply(candidates);
    }
  }

  private record Provider(Plugin plugin, String id) implements PluginProvider {
    @Override
    public Descriptor descriptor() {
      return Descriptor.router(id).order(5).slug("acme/cheap").build();
    }

    @Override
    public Plugin create(PluginConfig config, Catalog catalog) {
      return plugin;
    }
  }

  /** Creates routers that decide only the first few requests. */
  private record LimitedProvider(AtomicInteger left) implements PluginProvider {
    @Override
    public Descriptor descriptor() {
      return new Provider(new Plugin.Inactive("no"), "limited").descriptor();
    }

    @Override
    public Plugin create(PluginConfig config, Catalog catalog) {
      return new LambdaRouter(
          candidates -> left.getAndDecrement() > 0 ? cheapest(candidates) : Selection.PASS,
          Json.Obj.EMPTY);
    }
  }

  private static RouterPluginContract contract(PluginProvider provider) {
    return new RouterContract(provider);
  }

  private static RouterPluginContract contract(Function<Candidates, Selection> select) {
    return contract(new Provider(new LambdaRouter(select, Json.Obj.EMPTY), "cheap"));
  }

  @Nested
  @DisplayName("is kept by a router that chooses the cheapest model, which")
  class CheapestModelRouter extends RouterPluginContract {
    @Override
    protected PluginProvider provider() {
      return new Provider(
          new LambdaRouter(candidates -> cheapest(candidates), Json.Obj.EMPTY), "cheap");
    }
  }

  @Nested
  @DisplayName("is broken by a router that")
  class FaultyRouters {
    private void assertBroken(ThrowingCallable test) {
      assertThatThrownBy(test).isInstanceOf(Throwable.class);
    }

    @Test
    @DisplayName("chooses a model that may not be used")
    void infeasible() {
      var first =
          contract(
              candidates -> new Selection.Models(List.of(candidates.model(0).id()), "the first"));
      assertBroken(first::offered);
      assertBroken(first::nothing);
      assertBroken(first::order);
    }

    @Test
    @DisplayName("chooses an unknown model, or one model twice")
    void unknown() {
      assertBroken(contract(f -> new Selection.Models(List.of("no/such"), "no"))::offered);
      assertBroken(
          contract(
                  f ->
                      cheapest(f) instanceof Selection.Models m
                          ? new Selection.Models(
                              List.of(m.ids().getFirst(), m.ids().getFirst()), "twice")
                          : Selection.PASS)
              ::offered);
    }

    @Test
    @DisplayName("decides differently at every second request")
    void alternates() {
      var decisions = new AtomicInteger();
      var alternating =
          contract(f -> decisions.incrementAndGet() % 2 == 0 ? Selection.PASS : cheapest(f));
      assertBroken(alternating::repeatable);
    }

    @Test
    @DisplayName("puts the prompt, or too much else, into its facts")
    void leaksPrompt() {
      RouterPlugin leaking = new LambdaRouter(f -> cheapest(f), Json.of("text"));
      assertBroken(contract(new Provider(leaking, "cheap"))::facts);
      var large = new ArrayList<Json>();
      for (int i = 0; i < 500; i++) {
        large.add(Json.of(i));
      }
      assertBroken(
          contract(new Provider(new LambdaRouter(f -> cheapest(f), Json.array(large)), "cheap"))
              ::facts);
    }

    @Test
    @DisplayName("chooses the first usable model in the order of the catalog")
    void dependsOnOrder() {
      var first = contract(f -> first(f));
      first.offered();
      first.nothing();
      assertThatThrownBy(first::order).isInstanceOf(AssertionError.class);
    }

    private static Selection first(Candidates candidates) {
      for (int i = 0; i < candidates.size(); i++) {
        if (candidates.isUsable(i)) {
          return new Selection.Models(List.of(candidates.model(i).id()), "the first");
        }
      }
      return Selection.PASS;
    }

    @Test
    @DisplayName("decides only the first few requests")
    void stopsDeciding() {
      var limited = new RouterContract(() -> new LimitedProvider(new AtomicInteger(5)), List.of());
      limited.descriptor();
      assertThatThrownBy(limited::reusedProvider).isInstanceOf(AssertionError.class);
    }

    @Test
    @DisplayName("accepts a configuration that its author declares invalid")
    void schema() {
      var accepting =
          new RouterContract(
              () -> new LimitedProvider(new AtomicInteger(5)),
              List.of(Json.object().put("unknown", 1).build()));
      assertThatThrownBy(accepting::invalid).isInstanceOf(AssertionError.class);
    }

    @Test
    @DisplayName("fails without its own facts")
    void needsFacts() {
      var dependent =
          contract(
              f -> {
                assertThat(((Json.Obj) f.facts()).text("task")).isNotNull();
                return cheapest(f);
              });
      assertBroken(dependent::foreignFacts);
    }

    @Test
    @DisplayName("is no router, or has an invalid id")
    void noRouter() {
      assertBroken(contract(new Provider(new Plugin.Inactive("no"), "cheap"))::defaults);
      assertBroken(
          contract(new Provider(new LambdaRouter(f -> cheapest(f), Json.NULL), "Cheap One"))
              ::descriptor);
    }
  }
}
