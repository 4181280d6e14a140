package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.conformance.RoutedGateway.Heard;
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
  /** Has nothing to do with any configuration. */
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

  private static List<String> inactive(Heard heard) {
    Json.Arr plugins = heard.metadata().list("inactive_plugins");
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
      Heard heard = gateway.ask(model, members);
      assertThat(heard.status()).isEqualTo(200);
      assertThat(inactive(heard)).isEqualTo(named.isEmpty() ? List.of() : List.of(named));
      assertThat(heard.stage("sleeper")).isNull();
      assertThat(heard.stage("dozer")).isNull();
    }
  }

  @Test
  @DisplayName("is named when the account has it run on every request, unless the request does not")
  void byDefault() throws IOException {
    try (var gateway = new RoutedGateway("{\"defaults\":[{\"id\":\"sleeper\"}]}", SLEEPERS)) {
      assertThat(inactive(gateway.ask("acme/m1", "'top_p':1")))
          .containsExactly("sleeper: has nothing to do: it sleeps");
      assertThat(inactive(gateway.ask("acme/m1", "'plugins':[{'id':'sleeper','enabled':false}]")))
          .isEmpty();
    }
  }

  @Test
  @DisplayName("is named when the request is refused")
  void refused() throws IOException {
    try (var gateway = new RoutedGateway("{}", SLEEPERS)) {
      Heard heard =
          gateway.ask("acme/m1", "'plugins':[{'id':'dozer'}],'provider':{'only':['nobody']}");
      assertThat(heard.status()).isEqualTo(404);
      assertThat(inactive(heard)).containsExactly("dozer: has nothing to do: it sleeps");
    }
  }

  /** Lines of the log while a gateway is asked for acme/m1 with each of these members. */
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
    String asked = "'plugins':[{'id':'sleeper'}]";
    try (var gateway = new RoutedGateway("{\"defaults\":[{\"id\":\"sleeper\"}]}", SLEEPERS)) {
      List<String> lines = log(gateway, plain, plain, asked, asked, plain);
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
