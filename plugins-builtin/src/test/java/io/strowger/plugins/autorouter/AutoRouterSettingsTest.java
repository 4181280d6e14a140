package io.strowger.plugins.autorouter;

import static io.strowger.plugins.RouterCase.chosen;
import static io.strowger.plugins.RouterCase.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.model.PluginEntry;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The settings of the automatic routers")
class AutoRouterSettingsTest {
  private static List<String> chosenBy(String slug, PluginEntry saved, String id, String members) {
    return chosen(
        AutoRouterTest.routers(AutoRouterTest.TEN, AutoRouterTest.MATH)
            .select(
                AutoRouterTest.request(slug, id, members),
                saved == NO_SAVED_ENTRY ? List.of() : List.of(saved),
                view -> view));
  }

  private static final PluginEntry NO_SAVED_ENTRY = entry("auto-router", "");

  @Proves({"plugins.auto.own-entry", "plugins.auto.AR-5"})
  @Test
  @DisplayName("AR-5: of the beta router are read from its own entry only")
  void ar5() {
    assertThat(
            chosenBy(
                "router/auto-beta", NO_SAVED_ENTRY, "auto-router", "'excluded_models':['*/m1']"))
        .containsExactly("m1", "m0");
    assertThat(
            chosenBy(
                "router/auto-beta",
                NO_SAVED_ENTRY,
                "auto-beta-router",
                "'excluded_models':['*/m1']"))
        .containsExactly("m0");
    assertThat(
            chosenBy(
                "router/auto", NO_SAVED_ENTRY, "auto-beta-router", "'excluded_models':['*/m1']"))
        .containsExactly("m1", "m0");
  }

  @Proves("plugins.auto.own-entry")
  @Test
  @DisplayName("that an account saved for one of them apply to the other, field by field")
  void saved() {
    PluginEntry auto = entry("auto-router", "'excluded_models':['*/m1'],'cost_tier':'low'");
    assertThat(chosenBy("router/auto-beta", auto, "auto-beta-router", "'cost_tier':'medium'"))
        .containsExactly("m3", "m2");
    assertThat(chosenBy("router/auto-beta", auto, "auto-beta-router", "")).containsExactly("m0");
    PluginEntry beta = entry("auto-beta-router", "'cost_tier':'max'");
    assertThat(chosenBy("router/auto", beta, "auto-router", "")).containsExactly("m9", "m8");
  }

  @Test
  @DisplayName("of a request replace the account's, list by list")
  void lists() {
    PluginEntry saved =
        entry("auto-router", "'allowed_models':['*/m0','*/m1'],'excluded_models':['*/m1']");
    assertThat(chosenBy("router/auto", saved, "auto-router", "'excluded_models':['*/m0']"))
        .containsExactly("m1");
    assertThat(chosenBy("router/auto", saved, "auto-router", "'allowed_models':['*']"))
        .containsExactly("m0");
  }

  @Test
  @DisplayName("keep a saved tier when the request sets a trade-off, since a tier overrides that")
  void savedTier() {
    PluginEntry tier = entry("auto-router", "'cost_tier':'max'");
    assertThat(chosenBy("router/auto", tier, "auto-router", "'cost_quality_tradeoff':10"))
        .containsExactly("m9", "m8");
    PluginEntry tradeoff = entry("auto-router", "'cost_quality_tradeoff':10");
    assertThat(chosenBy("router/auto", tradeoff, "auto-router", "'cost_tier':'high'"))
        .containsExactly("m5", "m4");
  }

  @Test
  @DisplayName("are the account's alone if it prevents overrides, also for the related router")
  void last() {
    PluginEntry saved = entry("auto-router", "'cost_tier':'high','prevent_overrides':true");
    assertThat(chosenBy("router/auto", saved, "auto-router", "'cost_tier':'low'"))
        .containsExactly("m5", "m4");
    assertThat(chosenBy("router/auto-beta", saved, "auto-beta-router", "'cost_tier':'low'"))
        .containsExactly("m5", "m4");
  }
}
