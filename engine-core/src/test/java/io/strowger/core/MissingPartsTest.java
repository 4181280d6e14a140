package io.strowger.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.Plugins;
import io.strowger.core.memory.MemoryStores;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.tck.ScriptedProvider;
import io.strowger.tck.TestAmbient;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A configuration that names parts the gateway does not have")
class MissingPartsTest {
  private static final String STORE = "'store': {'url': 'jdbc:postgresql://db.test/strowger'}";

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");

  private record Factory(String protocol, TestAmbient ambient) implements ProviderFactory {
    @Override
    public ChatProvider create(ProviderSettings settings) {
      return new ScriptedProvider(ambient);
    }
  }

  private record TestPlugin(Descriptor descriptor) implements PluginProvider {
    @Override
    public Plugin create(PluginConfig config, Catalog catalog) {
      return new Plugin.Inactive("a plugin of a test");
    }
  }

  private static Plugins plugins(String id, String... slugs) {
    return Plugins.none()
        .add(new TestPlugin(Descriptor.router(id).order(100).slugs(List.of(slugs)).build()));
  }

  private Gateway.Builder builder(String config) {
    return builder(TestServer.config(config));
  }

  private Gateway.Builder builder(GatewayConfig config) {
    return Gateway.builder(config).provider(new Factory("openai-chat", ambient)).ambient(ambient);
  }

  private void assertRefused(Gateway.Builder builder, String... sentences) {
    assertThatThrownBy(builder::build)
        .isInstanceOfSatisfying(
            GatewayException.class,
            e -> {
              assertThat(e.error().code()).isEqualTo(ErrorCode.INVALID_REQUEST);
              assertThat(e.error().problems()).hasSizeGreaterThanOrEqualTo(sentences.length);
              assertThat(e.error().message())
                  .startsWith("the configuration names parts that this gateway does not have; ")
                  .contains("allowMissingParts()")
                  .contains(sentences);
            });
    ambient.assertNoThreadsLeft();
  }

  private void assertAccepted(Gateway.Builder builder) {
    try (Gateway gateway = builder.build()) {
      assertThat(gateway.readiness()).isEqualTo(Readiness.READY);
    }
  }

  @Test
  @DisplayName("is refused without the store it names, and accepted with one")
  void store() {
    assertRefused(builder(STORE), "/store/url: names a store, but the gateway was given none");
    assertAccepted(builder(STORE).stores(new MemoryStores()));
    assertAccepted(builder("'store': {'url': 'memory:'}"));
    assertAccepted(builder(STORE).allowMissingParts());
  }

  @Test
  @DisplayName(
      "is refused without a factory for a protocol; the error names provider and factories")
  void protocol() {
    Gateway.Builder withoutFactory = Gateway.builder(TestServer.config("")).ambient(ambient);
    assertRefused(
        withoutFactory,
        "/providers/0/protocol: alpha speaks openai-chat, which no factory speaks: no factory was"
            + " given",
        "/providers/1/protocol: beta speaks openai-chat");
    assertRefused(
        withoutFactory.provider(new Factory("gemini", ambient)),
        "which no factory speaks: factories were given for gemini");
    assertAccepted(withoutFactory.allowMissingParts());
  }

  @Test
  @DisplayName("has a catalog version of its own for each set of providers with a factory")
  void versions() {
    String file =
        """
        { "providers": [
            { "slug": "alpha", "protocol": "openai-chat", "base_url": "http://alpha.test" },
            { "slug": "beta", "protocol": "gemini", "base_url": "http://beta.test" } ],
          "models": [
            { "id": "acme/large",
              "endpoints": [ { "provider": "alpha" }, { "provider": "beta" } ] } ] }
        """;
    GatewayConfig config =
        ConfigReader.standard().read(file.getBytes(StandardCharsets.UTF_8)).orThrow();
    String alphaOnly = catalogVersion(builder(config).allowMissingParts());
    String betaOnly =
        catalogVersion(
            Gateway.builder(config)
                .provider(new Factory("gemini", ambient))
                .ambient(ambient)
                .allowMissingParts());
    String both = catalogVersion(builder(config).provider(new Factory("gemini", ambient)));
    assertThat(alphaOnly).isNotEqualTo(betaOnly).startsWith(both);
    assertThat(betaOnly).startsWith(both);
    assertThat(both).isEqualTo(config.catalog().version());
    assertThat(catalogVersion(builder(config).allowMissingParts())).isEqualTo(alphaOnly);
  }

  private static String catalogVersion(Gateway.Builder builder) {
    try (Gateway gateway = builder.build()) {
      byte[] body =
          """
          { "model": "acme/large", "messages": [ { "role": "user", "content": "Hi" } ] }
          """
              .getBytes(StandardCharsets.UTF_8);
      return gateway.routing().explain(body, 1).catalog().version();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'plugins': {'defaults': [{'id': 'house'}]} | /plugins/defaults/0/id: the plugin house is"
            + " not registered",
        "'plugins': {'settings': {'house': {}}} | /plugins/settings/house: the plugin house is not"
            + " registered",
        "'account': {'default_model': 'router/auto:nitro'} | /account/default_model:"
            + " router/auto:nitro is a router whose plugin is not registered with this gateway",
        "'account': {'default_model': 'acme/large:online'} | /account/default_model: the plugin"
            + " web is not registered",
        "'account': {'default_model': 'acme/large:Online'} | /account/default_model: the plugin"
            + " web is not registered",
      })
  @DisplayName("is refused without a plugin or router it uses; the error names the member")
  void plugin(String config, String sentence) {
    assertRefused(builder(config), sentence);
    assertAccepted(builder(config).allowMissingParts());
  }

  @Test
  @DisplayName("is refused if a model or alias has the name of a router")
  void alias() {
    String file =
        """
        { "providers": [
            { "slug": "alpha", "protocol": "openai-chat", "base_url": "http://alpha.test" } ],
          "models": [
            { "id": "acme/large", "aliases": ["x", "Router/Best"],
              "endpoints": [ { "provider": "alpha" } ] },
            { "id": "router/fast", "endpoints": [ { "provider": "alpha" } ] } ] }
        """;
    GatewayConfig config =
        ConfigReader.standard().read(file.getBytes(StandardCharsets.UTF_8)).orThrow();
    assertRefused(
        builder(config),
        "/models/0/aliases/1: Router/Best is a router whose plugin is not registered",
        "/models/1/id: router/fast is a router whose plugin is not registered");
    assertAccepted(builder(config).allowMissingParts());
  }

  @Test
  @DisplayName("is accepted if the plugins and routers it uses are registered")
  void registered() {
    assertAccepted(
        builder("'account': {'default_model': 'router/auto'}")
            .plugins(plugins("auto-router", "router/auto")));
    assertAccepted(builder("'plugins': {'defaults': [{'id': 'house'}]}").plugins(plugins("house")));
  }

  @Test
  @DisplayName("is refused by a reload, too, which then changes nothing")
  void reload() {
    GatewayConfig first = TestServer.config("");
    GatewayConfig second = TestServer.config("'account': {'default_model': 'router/auto'}");
    try (Gateway gateway = builder(first).build()) {
      assertThatThrownBy(() -> gateway.reload(second))
          .isInstanceOf(GatewayException.class)
          .hasMessageContaining("router/auto is a router whose plugin is not registered");
      assertThat(gateway.config()).isSameAs(first);
    }
    try (Gateway gateway = builder(first).allowMissingParts().build()) {
      gateway.reload(second);
      assertThat(gateway.config()).isSameAs(second);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "/chat/completions | 'messages':[{'role':'user','content':'x'}]",
        "/messages | 'max_tokens':9,'messages':[{'role':'user','content':'x'}]",
        "/responses | 'input':'x'",
      })
  @DisplayName("gets the same error as a request for an unregistered router")
  void request(String path, String members) {
    try (var server = new TestServer("")) {
      TestServer.Answer answer =
          server.send(
              "sk-app-0123456789abcdef", "POST", path, "{'model':'router/auto'," + members + "}");
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.message())
          .contains("/model: is a router whose plugin is not registered with this gateway");
    }
  }
}
