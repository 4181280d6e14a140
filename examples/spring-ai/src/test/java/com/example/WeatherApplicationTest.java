package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

class WeatherApplicationTest {
  @TempDir Path folder;

  @Test
  void measuresAndReports() throws Exception {
    try (SimulatedUpstream upstream = SimulatedUpstream.start(new SystemAmbient())) {
      upstream
          .answerNextWith(
              Script.builder()
                  .text("")
                  .toolCall("call_1", "measure", "{\"city\":\"Bern\"}")
                  .build())
          .answerNextWith(Script.answer("{\"city\":\"Bern\",\"celsius\":21,\"warnings\":[]}"));
      Path config = folder.resolve("gateway.json");
      Files.writeString(
          config,
          """
          { "providers": [ { "slug": "acme", "protocol": "openai-chat", "base_url": "UPSTREAM", "api_key": "k" } ],
            "models": [ { "id": "acme/large", "endpoints": [ { "provider": "acme",
              "pricing": { "prompt": "0.000001", "completion": "0.000002" } } ] } ],
            "keys": [ { "name": "app", "key": "sk-app" } ] }
          """
              .replace("UPSTREAM", upstream.baseUri().toString()));
      try (ConfigurableApplicationContext context =
          SpringApplication.run(
              WeatherApplication.class,
              "--gateway.config=" + config,
              "--gateway.key=sk-app",
              "--gateway.model=acme/large")) {
        assertEquals(
            new WeatherApplication.Weather("Bern", 21, List.of()),
            WeatherApplication.ask(context.getBean(ChatModel.class), "Bern"));
      }
      assertTrue(upstream.last().text().contains("\"content\":\"21\""));
    }
  }
}
