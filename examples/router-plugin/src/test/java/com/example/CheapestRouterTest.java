package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import io.strowger.tck.FakeCandidates;
import io.strowger.tck.Given;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The cheapest router")
class CheapestRouterTest {
  @Test
  @DisplayName("is found on the class path, and chooses the cheapest of the allowed models")
  void chooses() {
    PluginProvider found = ServiceLoader.load(PluginProvider.class).findFirst().orElseThrow();
    Catalog catalog =
        Catalog.builder("test")
            .add(
                ModelInfo.builder("acme/large").build(),
                List.of(Given.endpoint("acme", "acme/large", "3")))
            .add(
                ModelInfo.builder("acme/small").build(),
                List.of(Given.endpoint("acme", "acme/small", "1")))
            .build();
    var router = (RouterPlugin) found.create(PluginConfig.EMPTY, catalog);
    assertThat(router.select(FakeCandidates.of(catalog)))
        .isEqualTo(new Selection.Models(List.of("acme/small"), "the cheapest"));
    assertThat(router.select(FakeCandidates.of(catalog).without("acme/small")))
        .isEqualTo(new Selection.Models(List.of("acme/large"), "the cheapest"));
  }
}
