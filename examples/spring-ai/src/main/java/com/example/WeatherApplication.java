package com.example;

import io.strowger.core.Gateway;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.springai.StrowgerChatModel;
import io.strowger.springai.StrowgerChatOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * Asks a model for the weather. The model measures it with a tool and reports it as a record.
 * Properties: {@code gateway.config}, the gateway's configuration file, {@code gateway.key}, a key
 * of the gateway, and {@code gateway.model}, the model. Argument: a city.
 */
@SpringBootApplication
public class WeatherApplication {
  /** The answer of the model. */
  public record Weather(String city, int celsius, List<String> warnings) {}

  /** The tools that the model may call. */
  static final class Thermometers {
    @Tool(description = "Measures the temperature in degrees Celsius")
    int measure(@ToolParam(description = "name of the city, in English") String city) {
      return city.equals("Bern") ? 21 : 15;
    }
  }

  @Bean
  Gateway gateway(@Value("${gateway.config}") Path config) throws IOException {
    return Gateway.open(config); // Spring closes it
  }

  @Bean
  ChatModel chatModel(
      Gateway gateway, @Value("${gateway.key}") String key, @Value("${gateway.model}") String id) {
    return StrowgerChatModel.builder(gateway.chat(key))
        .options(
            StrowgerChatOptions.builder()
                .model(id)
                .customizeRequest(request -> request.prefer(p -> p.sort(ProviderSort.Key.PRICE)))
                .build())
        .build();
  }

  /** Returns the weather that a model reports. */
  static Weather ask(ChatModel model, String city) {
    return ChatClient.create(model)
        .prompt("What is the weather like in " + city + "?")
        .tools(new Thermometers())
        .call()
        .entity(Weather.class);
  }

  public static void main(String[] args) {
    try (ConfigurableApplicationContext context =
        SpringApplication.run(WeatherApplication.class, args)) {
      System.out.println(ask(context.getBean(ChatModel.class), args[args.length - 1]));
    }
  }
}
