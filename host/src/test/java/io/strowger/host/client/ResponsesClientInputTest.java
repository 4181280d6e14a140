package io.strowger.host.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.openai.client.OpenAIClient;
import com.openai.core.JsonValue;
import com.openai.models.responses.ResponseFormatTextJsonSchemaConfig;
import com.openai.models.responses.ResponseInputImage;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseTextConfig;
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

@DisplayName("A request of the client library of the responses format")
class ResponsesClientInputTest {
  private static final String MODELS = "io.strowger.host.client.LoopbackGateway#models";
  private static final String PIXEL = "iVBORw0KGgo=";
  private static final String PICTURE = "https://pictures.example/cat.png";

  private LoopbackGateway gateway;
  private OpenAIClient client;

  @BeforeEach
  void start() throws IOException {
    gateway = new LoopbackGateway();
    client = ResponsesClients.client(gateway, LoopbackGateway.KEY);
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
        ResponsesClients.request(model)
            .inputOfResponse(
                List.of(
                    ResponseInputItem.ofMessage(
                        ResponseInputItem.Message.builder()
                            .role(ResponseInputItem.Message.Role.USER)
                            .addInputTextContent("What is this?")
                            .addContent(image("data:image/png;base64," + PIXEL))
                            .addContent(image(PICTURE))
                            .build())))
            .build();
    assertThat(ResponsesClients.text(client.responses().create(request))).isEqualTo("Two cats.");
    assertImages(model, gateway.lastRequest());
  }

  private static ResponseInputImage image(String url) {
    return ResponseInputImage.builder()
        .imageUrl(url)
        .detail(ResponseInputImage.Detail.AUTO)
        .build();
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
    var schema =
        ResponseFormatTextJsonSchemaConfig.Schema.builder()
            .putAdditionalProperty("type", JsonValue.from("object"))
            .putAdditionalProperty(
                "properties", JsonValue.from(Map.of("city", Map.of("type", "string"))))
            .putAdditionalProperty("required", JsonValue.from(List.of("city")))
            .putAdditionalProperty("additionalProperties", JsonValue.from(false))
            .build();
    var format =
        ResponseFormatTextJsonSchemaConfig.builder()
            .name("place")
            .schema(schema)
            .strict(true)
            .build();
    var request =
        ResponsesClients.hello(model)
            .text(ResponseTextConfig.builder().format(format).build())
            .build();
    assertThat(ResponsesClients.text(client.responses().create(request)))
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
    var request = ResponsesClients.hello(LoopbackGateway.OVER_MESSAGES).text(Place.class).build();
    var answer = client.responses().create(request);
    assertThat(answer.output().getFirst().asMessage().content().getFirst().asOutputText().city)
        .isEqualTo("Bern");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("with instructions reaches the upstream with them in the right member")
  void instructions(String model) {
    gateway.upstream().answerNextWith(Script.answer("Yes."));
    client.responses().create(ResponsesClients.hello(model).instructions("Be brief.").build());
    JsonNode sent = gateway.lastRequest();
    String at =
        switch (model) {
          case LoopbackGateway.OVER_CHAT -> "/messages/0/content";
          case LoopbackGateway.OVER_RESPONSES -> "/instructions";
          default -> "/system";
        };
    assertThat(sent.at(at).toString()).contains("Be brief.");
  }
}
