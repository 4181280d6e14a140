package com.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.Gateway;
import io.strowger.core.client.ChatClient;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.Plugins;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedFactory;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Part;
import io.strowger.spi.plugin.PluginProvider;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The company policy in a gateway")
class CompanyPolicyTest {
  private static Json.Arr texts(String... values) {
    return Json.array(Stream.of(values).map(Json::of).toList());
  }

  /** Returns a gateway whose models repeat the last text of the request. */
  private static Gateway gateway() {
    GatewayConfig config =
        GatewayConfig.builder()
            .provider("simulated", "simulated", "http://localhost", p -> {})
            .model("acme/large", m -> m.endpoint("simulated", e -> e.usdPerMillion("1", "2")))
            .model("acme/other", m -> m.endpoint("simulated", e -> e.usdPerMillion("1", "2")))
            .key("app", "sk-app")
            .set(
                "/plugins/settings/company-policy",
                Json.object()
                    .put("approved_models", texts("acme/large"))
                    .put("code_names", texts("bluebird"))
                    .build())
            .set(
                "/plugins/defaults",
                Json.array(
                    Json.object()
                        .put("id", "company-policy")
                        .put("prevent_overrides", true)
                        .build()))
            .build();
    return Gateway.builder(config)
        .provider(new SimulatedFactory(call -> Script.answer(lastText(call.request()))))
        .plugins(Plugins.none().discover(ServiceLoader.load(PluginProvider.class)))
        .build();
  }

  private static String lastText(InferenceRequest request) {
    return ((Part.Text) request.messages().getLast().parts().getLast()).text().text();
  }

  @Test
  @DisplayName("replaces code names before a model reads them")
  void redacts() {
    try (Gateway gateway = gateway()) {
      ChatClient chat = gateway.chat("sk-app");
      assertThat(chat.ask("acme/large").user("When does Bluebird start?").call().text())
          .isEqualTo("When does [project] start?");
    }
  }

  @Test
  @DisplayName("refuses an unapproved model, even as a fallback or if a request disables it")
  void refuses() {
    try (Gateway gateway = gateway()) {
      ChatClient chat = gateway.chat("sk-app");
      assertRefused(() -> chat.ask("acme/other").user("Hello").call());
      assertRefused(() -> chat.ask("acme/large", "acme/other").user("Hello").call());
      Json.Obj off = Json.object().put("enabled", false).build();
      assertRefused(
          () -> chat.ask("acme/other").user("Hello").plugin("company-policy", off).call());
    }
  }

  private static void assertRefused(Runnable request) {
    assertThatThrownBy(request::run)
        .isInstanceOfSatisfying(
            GatewayException.class,
            e -> assertThat(e.error().code()).isEqualTo(ErrorCode.PERMISSION_DENIED))
        .hasMessageContaining("acme/other is not approved; ask for one of [acme/large]");
  }
}
