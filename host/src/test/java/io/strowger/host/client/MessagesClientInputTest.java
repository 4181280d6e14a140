package io.strowger.host.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.anthropic.client.AnthropicClient;
import com.anthropic.core.JsonValue;
import com.anthropic.models.messages.Base64ImageSource;
import com.anthropic.models.messages.CacheControlEphemeral;
import com.anthropic.models.messages.ContentBlockParam;
import com.anthropic.models.messages.JsonOutputFormat;
import com.anthropic.models.messages.OutputConfig;
import com.anthropic.models.messages.TextBlockParam;
import com.anthropic.models.messages.UrlImageSource;
import com.fasterxml.jackson.databind.JsonNode;
import io.strowger.simulated.Script;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A request of the client library of the messages format")
class MessagesClientInputTest {
  private static final String MODELS = "io.strowger.host.client.LoopbackGateway#models";
  private static final String PIXEL = "iVBORw0KGgo=";
  private static final String PICTURE = "https://pictures.example/cat.png";

  private LoopbackGateway gateway;
  private AnthropicClient client;

  @BeforeEach
  void start() throws IOException {
    gateway = new LoopbackGateway();
    client = MessagesClients.client(gateway, LoopbackGateway.KEY);
  }

  @AfterEach
  void stop() {
    client.close();
    gateway.close();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("with images reaches the upstream in the upstream's format, inline and by URL")
  void images(String model) {
    gateway.upstream().answerNextWith(Script.answer("Two cats."));
    var request =
        MessagesClients.request(model)
            .addUserMessageOfContentBlockParams(
                List.of(
                    ContentBlockParam.ofText("What is this?"),
                    ContentBlockParam.ofImage(
                        Base64ImageSource.builder()
                            .mediaType(Base64ImageSource.MediaType.IMAGE_PNG)
                            .data(PIXEL)
                            .build()),
                    ContentBlockParam.ofImage(UrlImageSource.builder().url(PICTURE).build())))
            .build();
    assertThat(MessagesClients.text(client.messages().create(request))).isEqualTo("Two cats.");
    assertImages(model, gateway.lastRequest());
  }

  private static void assertImages(String model, JsonNode sent) {
    switch (model) {
      case LoopbackGateway.OVER_CHAT -> {
        JsonNode content = sent.at("/messages/0/content");
        assertThat(content.at("/1/image_url/url").asText())
            .isEqualTo("data:image/png;base64," + PIXEL);
        assertThat(content.at("/2/image_url/url").asText()).isEqualTo(PICTURE);
      }
      case LoopbackGateway.OVER_RESPONSES -> {
        JsonNode content = sent.at("/input/0/content");
        assertThat(content.at("/1/type").asText()).isEqualTo("input_image");
        assertThat(content.at("/1/image_url").asText()).isEqualTo("data:image/png;base64," + PIXEL);
        assertThat(content.at("/2/image_url").asText()).isEqualTo(PICTURE);
      }
      default -> {
        JsonNode content = sent.at("/messages/0/content");
        assertThat(content.at("/1/source/media_type").asText()).isEqualTo("image/png");
        assertThat(content.at("/1/source/data").asText()).isEqualTo(PIXEL);
        assertThat(content.at("/2/source/url").asText()).isEqualTo(PICTURE);
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("for a structured answer reaches the upstream with the schema")
  void structure(String model) {
    gateway.upstream().answerNextWith(Script.answer("{\"city\":\"Bern\"}"));
    JsonOutputFormat.Schema schema =
        JsonOutputFormat.Schema.builder()
            .putAdditionalProperty("type", JsonValue.from("object"))
            .putAdditionalProperty(
                "properties", JsonValue.from(Map.of("city", Map.of("type", "string"))))
            .putAdditionalProperty("required", JsonValue.from(List.of("city")))
            .putAdditionalProperty("additionalProperties", JsonValue.from(false))
            .build();
    var request =
        MessagesClients.hello(model)
            .outputConfig(
                OutputConfig.builder()
                    .format(JsonOutputFormat.builder().schema(schema).build())
                    .build())
            .build();
    assertThat(MessagesClients.text(client.messages().create(request)))
        .isEqualTo("{\"city\":\"Bern\"}");
    String at =
        switch (model) {
          case LoopbackGateway.OVER_CHAT -> "/response_format/json_schema/schema";
          case LoopbackGateway.OVER_RESPONSES -> "/text/format/schema";
          default -> "/output_config/format/schema";
        };
    assertThat(gateway.lastRequest().at(at + "/properties/city/type").asText()).isEqualTo("string");
    assertThat(gateway.lastRequest().at(at + "/required/0").asText()).isEqualTo("city");
  }

  /** The library makes a schema from this class, and reads the answer into it. */
  static final class Place {
    public String city = "";
  }

  @Test
  @DisplayName("for a structured answer has it read into the class from which the schema was made")
  void typed() {
    gateway.upstream().answerNextWith(Script.answer("{\"city\":\"Bern\"}"));
    var request =
        MessagesClients.hello(LoopbackGateway.OVER_CHAT).outputConfig(Place.class).build();
    var answer = client.messages().create(request);
    assertThat(answer.content().getFirst().asText().text().city).isEqualTo("Bern");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("with instructions and marks for the cache reaches the upstream completely")
  void instructions(String model) {
    gateway.upstream().answerNextWith(Script.answer("Yes."));
    client
        .messages()
        .create(
            MessagesClients.hello(model)
                .systemOfTextBlockParams(
                    List.of(
                        TextBlockParam.builder()
                            .text("Be brief.")
                            .cacheControl(CacheControlEphemeral.builder().build())
                            .build()))
                .build());
    String text = gateway.upstream().last().text();
    assertThat(text).contains("Be brief.", "Hello?");
    if (model.equals(LoopbackGateway.OVER_MESSAGES)) {
      assertThat(gateway.lastRequest().at("/system/0/cache_control/type").asText())
          .isEqualTo("ephemeral");
    }
  }
}
