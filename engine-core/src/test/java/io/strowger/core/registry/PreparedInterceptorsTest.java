package io.strowger.core.registry;

import static io.strowger.core.registry.PluginFixtures.CATALOG;
import static io.strowger.core.registry.PluginFixtures.DEPTH;
import static io.strowger.core.registry.PluginFixtures.WIDTH;
import static io.strowger.core.registry.PluginFixtures.depth;
import static io.strowger.core.registry.PluginFixtures.entry;
import static io.strowger.core.registry.PluginFixtures.interceptor;
import static io.strowger.core.registry.PluginFixtures.plugins;
import static io.strowger.core.registry.PluginFixtures.prepare;
import static io.strowger.core.registry.PluginFixtures.requestFor;
import static io.strowger.core.registry.PluginFixtures.router;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.config.Plugins;
import io.strowger.core.plan.PluginFailureException;
import io.strowger.core.registry.PluginFixtures.Provider;
import io.strowger.core.registry.PluginFixtures.Router;
import io.strowger.core.routing.RouterStep;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("Interceptors prepared for a catalog")
class PreparedInterceptorsTest {
  /** An interceptor that keeps the settings it was created with. */
  private record TestInterceptor(long depth, long width) implements Interceptor {
    @Override
    public Scope scope() {
      return Scope.REQUEST;
    }

    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      throw new AssertionError("never run");
    }
  }

  private static Provider testInterceptor(String id, int order) {
    return interceptor(
        id, order, config -> new TestInterceptor(config.get(DEPTH), config.get(WIDTH)));
  }

  private static Json.Obj.Builder switchedOff() {
    return Json.object().put("enabled", false);
  }

  private static Json.Obj.Builder noMembers() {
    return Json.object();
  }

  /** Returns the id, depth and width of each interceptor that acts on the request. */
  private static List<String> activeOn(PreparedPlugins prepared, InferenceRequest request) {
    return prepared.interceptors(request).stream()
        .map(
            one ->
                one.interceptor() instanceof TestInterceptor(long depth, long width)
                    ? one.descriptor().id() + " " + depth + " " + width
                    : one.descriptor().id())
        .toList();
  }

  @Nested
  @DisplayName("act on a request")
  class Acting {
    @Proves("open.58")
    @Test
    @DisplayName("that names them, in the order of their descriptors and not of the request")
    void order() {
      PreparedPlugins prepared =
          prepare(
              plugins(testInterceptor("b", 5), testInterceptor("a", 5), testInterceptor("z", 1)));
      assertThat(
              activeOn(
                  prepared,
                  requestFor(
                      "acme/one",
                      entry("b", noMembers()),
                      entry("z", depth(3)),
                      entry("a", noMembers()))))
          .containsExactly("z 3 1", "a 1 1", "b 1 1");
      assertThat(activeOn(prepared, requestFor("acme/one", entry("b", noMembers()))))
          .containsExactly("b 1 1");
    }

    @Proves("plugins.common.defaults")
    @Test
    @DisplayName("that does not name them only if the account's or the host's defaults do")
    void unasked() {
      Plugins plugins =
          plugins(
                  testInterceptor("a", 1),
                  testInterceptor("b", 2),
                  testInterceptor("c", 3),
                  testInterceptor("d", 4))
              .always("c", depth(7).build());
      PreparedPlugins prepared = prepare(plugins, entry("b", depth(2)), entry("d", switchedOff()));
      assertThat(activeOn(prepared, requestFor("acme/one"))).containsExactly("b 2 1", "c 7 1");
      assertThat(activeOn(prepared, requestFor("acme/one", entry("d", noMembers()))))
          .containsExactly("b 2 1", "c 7 1", "d 1 1");
    }

    @Proves({"plugin.enabled", "plugins.common.off"})
    @Test
    @DisplayName("unless it switches them off")
    void disabled() {
      Plugins plugins =
          plugins(testInterceptor("a", 1), testInterceptor("b", 2)).always("b", Json.Obj.EMPTY);
      PreparedPlugins prepared = prepare(plugins, entry("a", depth(2)));
      assertThat(
              activeOn(
                  prepared,
                  requestFor("acme/one", entry("a", switchedOff()), entry("b", switchedOff()))))
          .isEmpty();
    }

    @Proves("plugins.common.defaults")
    @Test
    @DisplayName("with each setting taken from the request, else the account, else the host")
    void members() {
      Plugins plugins =
          plugins(testInterceptor("a", 1)).always("a", depth(1).put("width", 2).build());
      PreparedPlugins prepared = prepare(plugins, entry("a", depth(5)));
      assertThat(activeOn(prepared, requestFor("acme/one"))).containsExactly("a 5 2");
      assertThat(
              activeOn(prepared, requestFor("acme/one", entry("a", Json.object().put("width", 9)))))
          .containsExactly("a 5 9");
    }

    @Proves("plugins.common.prevent-overrides")
    @Test
    @DisplayName(
        "as the account's final settings say, and note that the request's entry has no effect")
    void last() {
      PreparedPlugins prepared =
          prepare(
              plugins(testInterceptor("a", 1), testInterceptor("b", 2)),
              entry("a", depth(5).put("prevent_overrides", true)),
              entry("b", switchedOff().put("prevent_overrides", true)));
      InferenceRequest request =
          requestFor("acme/one", entry("a", switchedOff()), entry("b", depth(3)));
      assertThat(activeOn(prepared, request)).containsExactly("a 5 1");
      assertThat(prepared.notes(request))
          .containsExactly(
              new TraceEntry.Note("a", "without effect: the account's settings are final"),
              new TraceEntry.Note("b", "without effect: the account's settings are final"));
      assertThat(prepared.notes(requestFor("acme/one"))).isEmpty();
    }

    @Test
    @DisplayName("with the defaults of a related plugin, which do not switch them on")
    void inheritsFrom() {
      Provider a = testInterceptor("a", 1);
      a.inheritsFrom = List.of("b");
      PreparedPlugins prepared =
          prepare(
              plugins(a, testInterceptor("b", 2)),
              entry("b", depth(5).put("prevent_overrides", true)));
      assertThat(activeOn(prepared, requestFor("acme/one"))).containsExactly("b 5 1");
      assertThat(activeOn(prepared, requestFor("acme/one", entry("a", noMembers()))))
          .containsExactly("a 5 1", "b 5 1");
    }

    @Test
    @DisplayName("beside routers, which do not count as interceptors")
    void beside() {
      PreparedPlugins prepared =
          prepare(plugins(router("auto", 1, "router/auto"), testInterceptor("a", 2)));
      InferenceRequest request =
          requestFor("router/auto", entry("auto", depth(2)), entry("a", noMembers()));
      assertThat(activeOn(prepared, request)).containsExactly("a 1 1");
      assertThat(prepared.steps(request)).extracting(RouterStep::plugin).containsExactly("auto");
      assertThat(prepared.notes(request)).isEmpty();
    }

    @Test
    @DisplayName("and are created once for equal configurations, and not at all where none acts")
    void once() {
      Provider a = testInterceptor("a", 1);
      PreparedPlugins prepared = prepare(plugins(a));
      int before = a.createdCount;
      assertThat(prepared.interceptors(requestFor("acme/one"))).isSameAs(List.of());
      assertThat(a.createdCount).isEqualTo(before);
      InferenceRequest request = requestFor("acme/one", entry("a", noMembers()));
      prepared.interceptors(request);
      prepared.interceptors(request);
      assertThat(a.createdCount).isEqualTo(before);
      prepared.interceptors(requestFor("acme/one", entry("a", depth(3))));
      assertThat(a.createdCount).isEqualTo(before + 1);
    }
  }

  @Nested
  @DisplayName("that are inactive or fail")
  class InactiveOrFailing {
    private Plugin choosy(@Nullable Long depth) {
      return depth == null || depth == 1
          ? new Plugin.Inactive("no depth")
          : new TestInterceptor(depth, 1);
    }

    @Test
    @DisplayName("are left out with a note when they have nothing to do")
    void inactive() {
      var choosy = interceptor("choosy", 1, config -> choosy(config.get(DEPTH)));
      PreparedPlugins prepared = prepare(plugins(choosy));
      var notes = new ArrayList<TraceEntry.Note>();
      assertThat(
              prepared.interceptors(
                  requestFor("x", entry("choosy", noMembers())), List.of(), notes::add))
          .isEmpty();
      assertThat(notes)
          .containsExactly(new TraceEntry.Note("choosy", "has nothing to do: no depth"));
      assertThat(activeOn(prepared, requestFor("x", entry("choosy", depth(4)))))
          .containsExactly("choosy 4 1");
      assertThat(prepared.notes(requestFor("x", entry("choosy", noMembers())))).isEmpty();
    }

    @Test
    @DisplayName("act when the host runs them on every request, even if inactive by default")
    void inactiveAlways() {
      var choosy = interceptor("choosy", 1, config -> choosy(config.get(DEPTH)));
      PreparedPlugins prepared = prepare(plugins(choosy).always("choosy", Json.Obj.EMPTY));
      assertThat(activeOn(prepared, requestFor("x", entry("choosy", depth(4)))))
          .containsExactly("choosy 4 1");
      assertThat(prepared.steps(requestFor("x", entry("choosy", depth(4))))).isEmpty();
    }

    @Test
    @DisplayName("fail the request with their own id when they throw or create a router instead")
    void failures() {
      var picky =
          interceptor(
              "picky",
              1,
              config -> {
                if (config.isSet(DEPTH)) {
                  throw new UnsupportedOperationException("no depth");
                }
                return new TestInterceptor(1, 1);
              });
      var fickle =
          interceptor(
              "fickle",
              2,
              config ->
                  config.isSet(DEPTH) ? new Router(1, 1, CATALOG) : new TestInterceptor(1, 1));
      PreparedPlugins prepared = prepare(plugins(picky, fickle));
      assertThatThrownBy(() -> prepared.interceptors(requestFor("x", entry("picky", depth(2)))))
          .isInstanceOfSatisfying(
              PluginFailureException.class, e -> assertThat(e.plugin()).isEqualTo("picky"))
          .hasRootCauseMessage("no depth");
      assertThatThrownBy(() -> prepared.interceptors(requestFor("x", entry("fickle", depth(2)))))
          .isInstanceOfSatisfying(
              PluginFailureException.class, e -> assertThat(e.plugin()).isEqualTo("fickle"))
          .hasMessageContaining("which is no interceptor");
    }
  }

  @Nested
  @DisplayName("that stand for a model")
  class Slugs {
    private PreparedPlugins searching() {
      return prepare(
          plugins(interceptor("web", 1, config -> new TestInterceptor(1, 1), "router/Searching")));
    }

    @Test
    @DisplayName("act on requests for it, in any case and with any variant, and on no others")
    void named() {
      assertThat(activeOn(searching(), requestFor("router/searching"))).containsExactly("web 1 1");
      assertThat(activeOn(searching(), requestFor("ROUTER/searching:nitro")))
          .containsExactly("web 1 1");
      assertThat(searching().interceptors(requestFor("acme/one"))).isSameAs(List.of());
    }

    @Test
    @DisplayName("act on requests without a model if that is the account's default model")
    void byDefault() {
      InferenceRequest unnamed = requestFor("x").toBuilder().models(List.of()).build();
      assertThat(
              searching()
                  .interceptors(unnamed, List.of(ModelRef.parse("router/searching")), note -> {}))
          .hasSize(1);
    }

    @Test
    @DisplayName("act even if the request switches them off, which only drops its entry")
    void off() {
      InferenceRequest request = requestFor("router/searching", entry("web", switchedOff()));
      assertThat(activeOn(searching(), request)).containsExactly("web 1 1");
      assertThat(searching().notes(request))
          .extracting(TraceEntry.Note::text)
          .containsExactly(
              "enabled:false is ignored, since the request names this plugin as its model; the"
                  + " entry's other members have no effect");
    }
  }
}
