package com.example;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.UserMessage;
import io.strowger.core.Gateway;
import io.strowger.core.client.ChatClient;
import io.strowger.langchain4j.StrowgerChatModel;
import io.strowger.langchain4j.StrowgerChatRequestParameters;
import io.strowger.spi.routing.ProviderSort;
import java.nio.file.Path;
import java.util.List;

/**
 * Asks a model for the weather. The model measures it with a tool and reports it as a record.
 * Arguments: the gateway's configuration file, a key of the gateway, a model and a city.
 */
public final class WeatherAssistant {
  /** The answer of the model. */
  public record Weather(String city, int celsius, List<String> warnings) {}

  /** The interface that LangChain4j implements. */
  interface Assistant {
    @UserMessage("What is the weather like in {{it}}?")
    Weather weatherIn(String city);
  }

  /** The tools that the model may call. */
  static final class Thermometers {
    @Tool("Measures the temperature in degrees Celsius")
    int measure(@P("name of the city, in English") String city) {
      return city.equals("Bern") ? 21 : 15;
    }
  }

  private WeatherAssistant() {}

  /** Returns the weather that a model reports. */
  static Weather ask(ChatClient client, String model, String city) {
    ChatModel chat =
        StrowgerChatModel.builder(client)
            .defaultRequestParameters(
                StrowgerChatRequestParameters.builder()
                    .modelName(model)
                    .customizeRequest(
                        request -> request.prefer(p -> p.sort(ProviderSort.Key.PRICE)))
                    .build())
            .build();
    return AiServices.builder(Assistant.class)
        .chatModel(chat)
        .tools(new Thermometers())
        .build()
        .weatherIn(city);
  }

  public static void main(String[] args) throws Exception {
    try (Gateway gateway = Gateway.open(Path.of(args[0]))) {
      System.out.println(ask(gateway.chat(args[1]), args[2], args[3]));
    }
  }
}
