package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.conformance.RoutedGateway.TestResponse;
import io.strowger.core.config.Plugins;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A plugin that is accepted and does nothing")
class InactivePluginsTest {
  /** A plugin that is inactive in every configuration. */
  private record Sleeper(Descriptor descriptor) implements PluginProvider {
    Sleeper(String id) {
      this(Descriptor.interceptor(id).build());
    }

    @Override
    public Plugin create(PluginConfig config, Catalog catalog) {
      return new Plugin.Inactive("it sleeps");
    }
  }

  private static final Plugins SLEEPERS =
      Plugins.none().add(new Sleeper("sleeper")).add(new Sleeper("dozer"));

  private static List<String> inactive(TestResponse response) {
    Json.Arr plugins = response.metadata().list("inactive_plugins");
    return plugins == null
        ? List.of()
        : plugins.stream()
            .map(Json.Obj.class::cast)
            .map(one -> one.text("id") + ": " + one.text("reason"))
            .toList();
  }

  @ParameterizedTest(name = "{0}, {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          acme/m1     | 'plugins':[{'id':'dozer'}]       | dozer: has nothing to do: it sleeps
          acme/m1     | 'plugins':[{'id':'sleeper','enabled':true}] | sleeper: has nothing to do: it sleeps
          acme/m1     | 'plugins':[{'id':'auto-router'}] | auto-router: accepted without effect: it acts for router/auto only
          acme/m1     | 'plugins':[{'id':'sleeper','enabled':false}] | ~~
          router/auto | 'plugins':[{'id':'auto-router'}] | ~~
          """)
  @DisplayName("is named in the metadata with the reason, and the request is served all the same")
  void named(String model, String members, String named) throws IOException {
    try (var gateway = new RoutedGateway("{}", SLEEPERS)) {
      TestResponse response = gateway.ask(model, members);
      assertThat(response.status()).isEqualTo(200);
      assertThat(inactive(response)).isEqualTo(named.isEmpty() ? List.of() : List.of(named));
      assertThat(response.stage("sleeper")).isNull();
      assertThat(response.stage("dozer")).isNull();
    }
  }

  @Test
  @DisplayName("is named if the account runs it by default, unless the request switches it off")
  void byDefault() throws IOException {
    try (var gateway = new RoutedGateway("{\"defaults\":[{\"id\":\"sleeper\"}]}", SLEEPERS)) {
      assertThat(inactive(gateway.ask("acme/m1", "'top_p':1")))
          .containsExactly("sleeper: has nothing to do: it sleeps");
      assertThat(inactive(gateway.ask("acme/m1", "'plugins':[{'id':'sleeper','enabled':false}]")))
          .isEmpty();
    }
  }

  @Test
  @DisplayName("is named also if the request is refused")
  void refused() throws IOException {
    try (var gateway = new RoutedGateway("{}", SLEEPERS)) {
      TestResponse response =
          gateway.ask("acme/m1", "'plugins':[{'id':'dozer'}],'provider':{'only':['nobody']}");
      assertThat(response.status()).isEqualTo(404);
      assertThat(inactive(response)).containsExactly("dozer: has nothing to do: it sleeps");
    }
  }

  /** Asks for acme/m1 once with each of these members, and returns the lines that are logged. */
  private static List<String> log(RoutedGateway gateway, String... requests) throws IOException {
    PrintStream before = System.err;
    var log = new ByteArrayOutputStream();
    try (var captured = new PrintStream(log, true, StandardCharsets.UTF_8)) {
      System.setErr(captured);
      for (String members : requests) {
        gateway.ask("acme/m1", members);
      }
    } finally {
      System.setErr(before);
    }
    return log.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  @DisplayName("is named once in the log when it runs by default, and each time a request names it")
  void loggedByDefault() throws IOException {
    String plain = "'top_p':1";
    String named = "'plugins':[{'id':'sleeper'}]";
    try (var gateway = new RoutedGateway("{\"defaults\":[{\"id\":\"sleeper\"}]}", SLEEPERS)) {
      List<String> lines = log(gateway, plain, plain, named, named, plain);
      assertThat(lines).filteredOn(line -> line.contains("sleeper (has nothing to do")).hasSize(3);
      assertThat(inactive(gateway.ask("acme/m1", plain))).hasSize(1);
    }
  }

  @Test
  @DisplayName("is named in one line of the log, with all others of the request")
  void logged() throws IOException {
    List<String> lines;
    try (var gateway = new RoutedGateway("{}", SLEEPERS)) {
      lines = log(gateway, "'plugins':[{'id':'sleeper'},{'id':'dozer'}]", "'top_p':1");
    }
    assertThat(lines)
        .filteredOn(
            line -> line.contains("plugins have no effect on request") && line.contains("sleeper"))
        .filteredOn(line -> line.contains("dozer")) // other tests may log at the same time
        .singleElement()
        .satisfies(
            line ->
                assertThat(Objects.requireNonNull(line))
                    .contains("sleeper (has nothing", "dozer (has nothing"));
  }
}
