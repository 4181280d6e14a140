package io.strowger.core.registry;

import static io.strowger.core.registry.PluginFixtures.depth;
import static io.strowger.core.registry.PluginFixtures.entry;
import static io.strowger.core.registry.PluginFixtures.plugins;
import static io.strowger.core.registry.PluginFixtures.prepare;
import static io.strowger.core.registry.PluginFixtures.requestFor;
import static io.strowger.core.registry.PluginFixtures.router;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.config.Plugins;
import io.strowger.core.registry.PluginFixtures.Provider;
import io.strowger.core.routing.RouterStep;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Plugins prepared for a catalog, with defaults of the host and the account,")
class PreparedConfigurationsTest {
  private final Provider auto = router("auto", 1, "router/auto");

  private Json.Obj config(PreparedPlugins prepared, PluginEntry... entries) {
    return prepared.steps(requestFor("router/auto", entries)).getFirst().config();
  }

  @Proves("plugins.common.defaults")
  @Test
  @DisplayName(
      "take each member from the request, else the account, else the host, and drop unknown ones")
  void layers() {
    Plugins plugins = plugins(auto).always("auto", depth(1).put("width", 1).build());
    PreparedPlugins prepared = prepare(plugins, entry("auto", depth(2)));
    assertThat(config(prepared)).isEqualTo(depth(2).put("width", 1).build());
    assertThat(config(prepared, entry("auto", Json.object().put("width", 9).put("other", "x"))))
        .isEqualTo(depth(2).put("width", 9).build());
  }

  @Proves("plugins.common.prevent-overrides")
  @Test
  @DisplayName("keep the account's settings when these prevent overrides")
  void last() {
    Plugins plugins = plugins(auto).always("auto", Json.Obj.EMPTY);
    PreparedPlugins prepared =
        prepare(plugins, entry("auto", depth(2).put("prevent_overrides", true)));
    PluginEntry mine = entry("auto", depth(3).put("enabled", false));
    assertThat(config(prepared, mine)).isEqualTo(depth(2).build());
    assertThat(prepared.steps(requestFor("acme/one", mine))).hasSize(1);
    assertThat(prepared.notes(requestFor("acme/one", mine)))
        .containsExactly(
            new TraceEntry.Note("auto", "without effect: the account's settings are final"));
  }

  @Test
  @DisplayName(
      "do not run on every request if the account switched them off, unless a request names them")
  void off() {
    Plugins plugins = plugins(auto).always("auto", Json.Obj.EMPTY);
    PreparedPlugins prepared = prepare(plugins, entry("auto", depth(2).put("enabled", false)));
    assertThat(prepared.steps(requestFor("acme/one"))).isEmpty();
    assertThat(prepared.steps(requestFor("acme/one", entry("auto", Json.object())))).hasSize(1);
    assertThat(prepared.steps(requestFor("router/auto")))
        .extracting(RouterStep::modelIndex)
        .containsExactly(0);
  }

  @Test
  @DisplayName("inherit the defaults of a related plugin, which their own defaults override")
  void inheritsFrom() {
    Provider beta = router("beta", 1, "router/beta");
    beta.inheritsFrom = List.of("auto");
    PreparedPlugins prepared =
        prepare(
            plugins(auto, beta),
            entry("auto", depth(2).put("width", 2)),
            entry("beta", Json.object().put("width", 5)));
    RouterStep step = prepared.steps(requestFor("router/beta", entry("auto", depth(9)))).getFirst();
    assertThat(step.config()).isEqualTo(depth(2).put("width", 5).build());
    assertThat(config(prepared)).isEqualTo(depth(2).put("width", 2).build());
  }

  @Proves("plugins.auto.enabled")
  @Test
  @DisplayName(
      "run even if the request switches off the router that it names as its model: its entry is"
          + " ignored")
  void slugOff() {
    PreparedPlugins prepared = prepare(plugins(auto), entry("auto", depth(2)));
    PluginEntry mine = entry("auto", depth(3).put("enabled", false));
    assertThat(config(prepared, mine)).isEqualTo(depth(2).build());
    assertThat(prepared.notes(requestFor("router/auto", mine)))
        .extracting(TraceEntry.Note::text)
        .containsExactly(
            "enabled:false is ignored, since the request names this plugin as its model; the"
                + " entry's other members have no effect");
  }

  @Test
  @DisplayName(
      "record a note that an entry has no effect when the request's model is not one of their"
          + " slugs")
  void notes() {
    PreparedPlugins prepared = prepare(plugins(auto));
    assertThat(prepared.notes(requestFor("acme/one", entry("auto", depth(3)))))
        .containsExactly(
            new TraceEntry.Note("auto", "accepted without effect: it acts for router/auto only"));
    assertThat(prepared.notes(requestFor("router/auto", entry("auto", depth(3))))).isEmpty();
    assertThat(prepared.notes(requestFor("acme/one"))).isEmpty();
    assertThat(
            prepared.notes(requestFor("acme/one", entry("auto", depth(3).put("enabled", false)))))
        .isEmpty();
  }
}
