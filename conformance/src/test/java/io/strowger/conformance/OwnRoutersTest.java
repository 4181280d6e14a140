package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.conformance.RoutedGateway.TestResponse;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.Plugins;
import io.strowger.host.cli.CommandContext;
import io.strowger.host.cli.CommandLines;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.routing.TraceEntry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A host's own router")
class OwnRoutersTest {
  private static final String SECRET = "the reason that callers must not see";

  private static final Field<String> FAILS_IN =
      Fields.oneOf(
          "breaks",
          List.of("never", "create", "facts", "select", "null"),
          "never",
          "Where it fails.");

  /** Provides a router that chooses the last model, or that fails where its setting says. */
  private record LastModelProvider() implements PluginProvider {
    @Override
    public Descriptor descriptor() {
      return Descriptor.router("house").order(90).fields(FAILS_IN).slug("house/pick").build();
    }

    @Override
    public Plugin create(PluginConfig config, Catalog catalog) {
      String failsIn = config.get(FAILS_IN);
      failIf("create", failsIn);
      return new LastModelRouter(failsIn);
    }

    static void failIf(String where, String failsIn) {
      if (where.equals(failsIn)) {
        throw new IllegalStateException(SECRET);
      }
    }
  }

  private record LastModelRouter(String failsIn) implements RouterPlugin {
    @Override
    public Json facts(InferenceRequest request) {
      LastModelProvider.failIf("facts", failsIn);
      return Json.NULL;
    }

    @Override
    @SuppressWarnings("NullAway") // returns null on purpose
    public Selection select(Candidates candidates) {
      LastModelProvider.failIf("select", failsIn);
      if (failsIn.equals("null")) {
        return null;
      }
      for (int i = candidates.size() - 1; i >= 0; i--) {
        if (candidates.isUsable(i)) {
          return new Selection.Models(List.of(candidates.model(i).id()), "the last there is");
        }
      }
      return Selection.PASS;
    }
  }

  private static String failingIn(String where) {
    return "'plugins':[{'id':'house','breaks':'" + where + "'}]";
  }

  @Test
  @DisplayName("decides every request if the host configures it to")
  void always() throws IOException {
    Plugins plugins = Plugins.none().add(new LastModelProvider()).always("house", Json.Obj.EMPTY);
    try (var routed = new RoutedGateway("{}", plugins)) {
      TestResponse response = routed.ask("acme/m1", "'models':['acme/m3']");
      assertThat(response.text("model")).isEqualTo("acme/m3");
      assertThat(Objects.requireNonNull(response.stage("house")).text("summary"))
          .isEqualTo("the last there is");
      assertThat(routed.ask("acme/m1", failingIn("select")).status()).isEqualTo(500);
      assertThat(
              routed
                  .ask("acme/m1", "'models':['acme/m3'],'plugins':[{'id':'house','enabled':false}]")
                  .text("model"))
          .as("the request's own entry wins")
          .isEqualTo("acme/m1");
    }
  }

  @ParameterizedTest(name = "in {0}")
  @ValueSource(strings = {"create", "facts", "select", "null"})
  @DisplayName("that fails causes a 500 without details, and is named in the record and by explain")
  void broken(String where) throws IOException {
    try (var routed = new RoutedGateway("{}", Plugins.none().add(new LastModelProvider()))) {
      TestResponse response = routed.ask("house/pick", failingIn(where));
      assertThat(response.status()).isEqualTo(500);
      assertThat(response.body().toString())
          .doesNotContain("house", SECRET, "Exception", "router_metadata");
      CallRecord record = routed.records.getLast();
      assertThat(record.error()).isEqualTo(ErrorCode.INTERNAL);
      assertThat(record.trace()).contains(new TraceEntry.Note("house", "failed"));
      byte[] body =
          RoutedGateway.chat("house/pick", "Hello", failingIn(where))
              .getBytes(StandardCharsets.UTF_8);
      assertThatThrownBy(() -> routed.gateway.routing().explain(body, 1))
          .isInstanceOfSatisfying(
              GatewayException.class,
              e -> {
                assertThat(e.error().code()).isEqualTo(ErrorCode.INTERNAL);
                assertThat(e.error().message()).isEqualTo("the router house failed; see the log");
              });
      assertThat(routed.ask("house/pick", "").status()).as("the next request").isEqualTo(200);
    }
  }

  private static final String JAR_CLASS = "com.example.broken.BrokenRouterProvider";

  private static final String JAR_SOURCE =
      """
      package com.example.broken;

      import io.strowger.spi.catalog.Catalog;
      import io.strowger.spi.plugin.*;
      import java.util.List;

      public final class BrokenRouterProvider implements PluginProvider {
        @Override public Descriptor descriptor() {
          return Descriptor.router("broken").order(50).slug("example/broken").build();
        }

        @Override public Plugin create(PluginConfig config, Catalog catalog) {
          return new Broken();
        }

        record Broken() implements RouterPlugin {
          @Override public Selection select(Candidates candidates) {
            throw new IllegalStateException("broken on purpose");
          }
        }
      }
      """;

  @TempDir Path folder;

  @Test
  @DisplayName("that fails is named by gateway explain, in one sentence")
  void explained() throws IOException {
    Path jars = Files.createDirectory(folder.resolve("plugins"));
    PluginJar.write(
        jars.resolve("broken.jar"),
        Map.of(JAR_CLASS, JAR_SOURCE),
        Map.of("META-INF/services/" + PluginProvider.class.getName(), JAR_CLASS));
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    Path config;
    try (var routed = new RoutedGateway()) {
      config = Files.writeString(folder.resolve("gateway.json"), routed.document("{}"));
    }
    var terminal =
        new CommandContext(
            new ByteArrayInputStream(
                RoutedGateway.chat("example/broken", "Hello", "").getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            name -> null,
            new SystemAmbient());
    int code =
        CommandLines.run(
            terminal, "explain", "--config", config.toString(), "--plugins", jars.toString(), "-");
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualToIgnoringNewLines(
            "gateway: cannot explain the request -: the router broken failed; see the log");
    assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(code).isEqualTo(1);
  }
}
