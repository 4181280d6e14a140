package io.strowger.plugins.fusion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.tck.FakeChain;
import io.strowger.tck.Given;
import io.strowger.tck.conformance.Proves;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The panels of the presets")
class PanelsTest {
  private final Catalog.Builder catalog = Catalog.builder("test");

  private PanelsTest model(String id, String price, double speed, @Nullable Double score) {
    return model(ModelInfo.builder(id).intelligenceScore(score).build(), price, speed);
  }

  private PanelsTest model(ModelInfo model, String price, double speed) {
    catalog.add(
        model,
        List.of(
            Given.endpoint("alpha", model.id(), price).toBuilder()
                .assumedPerformance(speed, 100)
                .build()));
    return this;
  }

  private Panels panels() {
    return Panels.of(catalog.build(), Map.of());
  }

  @Proves({"plugins.fusion.analysis_models", "plugins.fusion.preset"})
  @Test
  @DisplayName(
      "are the most intelligent models of three authors, the most intelligent cheap ones, or the"
          + " fastest")
  void chosen() {
    model("a/bright", "50", 10, 0.9)
        .model("a/second", "40", 20, 0.85)
        .model("b/two", "30", 30, 0.8);
    model("c/three", "20", 40, 0.7).model("d/cheap", "2", 50, 0.5).model("e/fast", "1", 900, 0.1);
    Panels panels = panels();
    assertThat(panels.of(Panels.HIGH).models()).containsExactly("a/bright", "b/two", "c/three");
    assertThat(panels.of(Panels.BUDGET).models()).containsExactly("c/three", "d/cheap", "e/fast");
    assertThat(panels.of(Panels.FAST).models()).containsExactly("e/fast", "d/cheap", "c/three");
  }

  @Test
  @DisplayName("name the latest model of a family, and neither hidden nor private models")
  void latest() {
    var old = ModelInfo.builder("a/one-1").family("a/one").createdAt(Instant.EPOCH).build();
    var latest = ModelInfo.builder("a/one-2").family("a/one").createdAt(Instant.MAX).build();
    model(old, "1", 1)
        .model(latest, "1", 1)
        .model("b/x", "1", 1, 0.1)
        .model("b/x:free", "0", 1, 1.0);
    model(ModelInfo.builder("c/hidden").isHidden(true).intelligenceScore(1.0).build(), "1", 1);
    model(ModelInfo.builder("c/own").isPrivate(true).intelligenceScore(1.0).build(), "1", 1);
    assertThat(panels().of(Panels.HIGH).models()).containsExactly("b/x", "~a/one-latest");
  }

  @Test
  @DisplayName(
      "begin with the best model that can call tools, since it answers and calls the panel")
  void answering() {
    catalog.add(
        ModelInfo.builder("a/no-tools").intelligenceScore(1.0).build(),
        List.of(
            Given.endpoint("alpha", "a/no-tools", "9").toBuilder()
                .parameters(Parameter.TEMPERATURE.bit())
                .build()));
    model("b/two", "1", 1, 0.8).model("c/three", "1", 1, 0.5);
    assertThat(panels().of(Panels.HIGH).models()).containsExactly("b/two", "a/no-tools", "c/three");
  }

  @Test
  @DisplayName("have several models of one author if there are not three authors")
  void oneAuthor() {
    model("a/x", "1", 1, 0.1).model("a/y", "1", 1, 0.2).model("a/z", "1", 1, null);
    assertThat(panels().of(Panels.HIGH).models()).containsExactly("a/y", "a/x", "a/z");
  }

  @Test
  @DisplayName("are those that the operator configures")
  void set() {
    model("a/x", "1", 1, 0.1).model("a/y", "1", 1, 0.2);
    FusionProvider provider = new FusionProvider();
    var panel = new PresetPanel(List.of("a/x", "a/x"), "a/y");
    var settings = new PluginConfig(Map.of(FusionProvider.PRESETS, Map.of(Panels.HIGH, panel)));
    var plugin = (Interceptor) provider.with(settings).create(PluginConfig.EMPTY, catalog.build());
    InferenceRequest sent = sent(plugin, Given.streaming("router/fusion", "hi"));
    assertThat(sent.models().getFirst().slug()).isEqualTo("a/y");
    assertThat(((Tool.Server) sent.tools().getFirst()).parameters().list("analysis_models"))
        .hasSize(2);
  }

  private static InferenceRequest sent(Interceptor plugin, InferenceRequest request) {
    FakeChain chain = FakeChain.of(List.of());
    plugin.intercept(request, chain).close();
    return chain.requests().getFirst();
  }

  @Test
  @DisplayName(
      "that cannot be built are refused at the member that asks for them, with what it needs")
  void none() {
    Catalog empty = Catalog.builder("none").build();
    Interceptor plugin = new FusionProvider().create(PluginConfig.EMPTY, empty);
    assertThatThrownBy(() -> sent(plugin, Given.request("router/fusion", "hi")))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("/model: needs analysis_models");
    assertThatThrownBy(() -> sent(plugin, Given.request("acme/one", "hi")))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("/plugins: needs analysis_models");
  }

  @Test
  @DisplayName("add the parameters that are missing in a tool that the caller declared")
  void declared() {
    model("a/x", "1", 1, 0.1);
    Interceptor plugin = new FusionProvider().create(PluginConfig.EMPTY, catalog.build());
    Json.Obj parameters =
        Json.object().put("max_tool_calls", 7).put("analysis_models", Json.array()).build();
    var own = new Tool.Server(FusionTool.TYPE, parameters, null);
    InferenceRequest request =
        Given.request("acme/one", "hi").toBuilder().tools(List.of(own)).build();
    assertThat(sent(plugin, request).tools())
        .singleElement()
        .extracting(tool -> ((Tool.Server) tool).parameters())
        .isEqualTo(parameters.with("tools", Json.array()));
  }
}
