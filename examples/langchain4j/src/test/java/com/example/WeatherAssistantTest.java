package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.strowger.core.Gateway;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.GatewayConfig;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import java.util.List;
import org.junit.jupiter.api.Test;

class WeatherAssistantTest {
  @Test
  void measuresAndReports() {
    try (SimulatedUpstream upstream = SimulatedUpstream.start(new SystemAmbient())) {
      upstream
          .answerNextWith(
              Script.builder()
                  .text("")
                  .toolCall("call_1", "measure", "{\"city\":\"Bern\"}")
                  .build())
          .answerNextWith(Script.answer("{\"city\":\"Bern\",\"celsius\":21,\"warnings\":[]}"));
      GatewayConfig config =
          GatewayConfig.builder()
              .provider("acme", "openai-chat", upstream.baseUri().toString(), p -> p.apiKey("k"))
              .model("acme/large", m -> m.endpoint("acme", e -> e.usdPerMillion("1", "2")))
              .key("app", "sk-app", k -> {})
              .build();
      try (Gateway gateway = Gateway.open(config)) {
        assertEquals(
            new WeatherAssistant.Weather("Bern", 21, List.of()),
            WeatherAssistant.ask(gateway.chat("sk-app"), "acme/large", "Bern"));
      }
      assertTrue(upstream.last().text().contains("\"content\":\"21\""));
    }
  }
}
