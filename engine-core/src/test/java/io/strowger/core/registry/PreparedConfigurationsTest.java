package io.strowger.core.registry;

import static io.strowger.core.registry.RouterWords.asking;
import static io.strowger.core.registry.RouterWords.depth;
import static io.strowger.core.registry.RouterWords.entry;
import static io.strowger.core.registry.RouterWords.plugins;
import static io.strowger.core.registry.RouterWords.ready;
import static io.strowger.core.registry.RouterWords.router;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.config.Plugins;
import io.strowger.core.registry.RouterWords.Provider;
import io.strowger.core.routing.RouterStep;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Plugins made ready for a catalog, with what host and account say,")
class PreparedConfigurationsTest {
  private final Provider auto = router("auto", 1, "router/auto");

  private Json.Obj config(PreparedPlugins ready, PluginEntry... entries) {
    return ready.steps(asking("router/auto", entries)).getFirst().config();
  }

  @Proves("plugins.common.defaults")
  @Test
  @DisplayName("take request over account over host, member by member, and record no others")
  void layers() {
    Plugins plugins = plugins(auto).always("auto", depth(1).put("width", 1).build());
    PreparedPlugins ready = ready(plugins, entry("auto", depth(2)));
    assertThat(config(ready)).isEqualTo(depth(2).put("width", 1).build());
    assertThat(config(ready, entry("auto", Json.object().put("width", 9).put("other", "x"))))
        .isEqualTo(depth(2).put("width", 9).build());
  }

  @Proves("plugins.common.prevent-overrides")
  @Test
  @DisplayName("keep the account's word when it prevents overrides")
  void last() {
    Plugins plugins = plugins(auto).always("auto", Json.Obj.EMPTY);
    PreparedPlugins ready = ready(plugins, entry("auto", depth(2).put("prevent_overrides", true)));
    PluginEntry mine = entry("auto", depth(3).put("enabled", false));
    assertThat(config(ready, mine)).isEqualTo(depth(2).build());
    assertThat(ready.steps(asking("acme/one", mine))).hasSize(1);
    assertThat(ready.notes(asking("acme/one", mine)))
        .containsExactly(
            new TraceEntry.Note("auto", "without effect: the account's settings are final"));
  }

  @Test
  @DisplayName("do not run everywhere when the account switched them off, unless asked to")
  void off() {
    Plugins plugins = plugins(auto).always("auto", Json.Obj.EMPTY);
    PreparedPlugins ready = ready(plugins, entry("auto", depth(2).put("enabled", false)));
    assertThat(ready.steps(asking("acme/one"))).isEmpty();
    assertThat(ready.steps(asking("acme/one", entry("auto", Json.object())))).hasSize(1);
    assertThat(ready.steps(asking("router/auto")))
        .extracting(RouterStep::modelIndex)
        .containsExactly(0);
  }

  @Test
  @DisplayName("take what was saved for their kin, under what was saved for them")
  void kin() {
    Provider beta = router("beta", 1, "router/beta");
    beta.kin = List.of("auto");
    PreparedPlugins ready =
        ready(
            plugins(auto, beta),
            entry("auto", depth(2).put("width", 2)),
            entry("beta", Json.object().put("width", 5)));
    RouterStep step = ready.steps(asking("router/beta", entry("auto", depth(9)))).getFirst();
    assertThat(step.config()).isEqualTo(depth(2).put("width", 5).build());
    assertThat(config(ready)).isEqualTo(depth(2).put("width", 2).build());
  }

  @Proves("plugins.auto.enabled")
  @Test
  @DisplayName("drop only the entry when the router the model needs is switched off")
  void slugOff() {
    PreparedPlugins ready = ready(plugins(auto), entry("auto", depth(2)));
    PluginEntry mine = entry("auto", depth(3).put("enabled", false));
    assertThat(config(ready, mine)).isEqualTo(depth(2).build());
    assertThat(ready.notes(asking("router/auto", mine)))
        .extracting(TraceEntry.Note::text)
        .containsExactly("enabled:false only drops the entry: the model asked for is this router");
  }

  @Test
  @DisplayName("note an entry beside a model they do not stand for")
  void notes() {
    PreparedPlugins ready = ready(plugins(auto));
    assertThat(ready.notes(asking("acme/one", entry("auto", depth(3)))))
        .containsExactly(
            new TraceEntry.Note("auto", "accepted without effect: it acts for router/auto only"));
    assertThat(ready.notes(asking("router/auto", entry("auto", depth(3))))).isEmpty();
    assertThat(ready.notes(asking("acme/one"))).isEmpty();
    assertThat(ready.notes(asking("acme/one", entry("auto", depth(3).put("enabled", false)))))
        .isEmpty();
  }
}
