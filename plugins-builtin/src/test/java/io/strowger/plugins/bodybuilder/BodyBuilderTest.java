package io.strowger.plugins.bodybuilder;

import static io.strowger.tck.Given.endpoint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.EventStream;
import io.strowger.tck.FakeChain;
import io.strowger.tck.Given;
import io.strowger.tck.conformance.Proves;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The model router/bodybuilder")
class BodyBuilderTest {
  private static final String PROMPT = "Ask large and other/eyes for a poem";

  private static Catalog catalog() {
    var catalog = Catalog.builder("test");
    for (int i = 1; i <= 2; i++) {
      String id = "acme/large-" + i;
      catalog.add(
          ModelInfo.builder(id)
              .family("acme/large")
              .createdAt(Instant.EPOCH.plusSeconds(i))
              .build(),
          List.of(endpoint("alpha", id, "2")));
    }
    catalog.add(
        ModelInfo.builder("other/eyes").build(), List.of(endpoint("alpha", "other/eyes", "1")));
    catalog.add(
        ModelInfo.builder("secret/eyes").isPrivate(true).build(),
        List.of(endpoint("alpha", "secret/eyes", "1")));
    return catalog.build();
  }

  private static InferenceRequest request(String text) {
    return Given.request("router/bodybuilder", text).toBuilder()
        .messages(
            List.of(
                Message.text(Message.Role.SYSTEM, "Be brief."),
                Message.text(Message.Role.USER, text)))
        .build();
  }

  private static FakeChain chainAnswering(Event event) {
    return FakeChain.of(event).withCatalog(catalog()).withCodec(new JacksonCodec());
  }

  private static FakeChain chainAnswering(String text) {
    return chainAnswering(new Event.CompleteAnswer(Given.answer(text)));
  }

  private static String answer(InferenceRequest request, FakeChain chain) {
    var events = new ArrayList<Event>();
    try (EventStream stream = new BodyBuilder().intercept(request, chain)) {
      for (Event event = stream.next(); event != null; event = stream.next()) {
        events.add(event);
      }
    }
    chain.assertUsedCorrectly();
    return ((Part.Text) ((Event.CompleteAnswer) events.getLast()).answer().parts().getFirst())
        .text()
        .text();
  }

  @Proves("plugins.other.bodybuilder")
  @Test
  @DisplayName(
      "returns the requests that a free model wrote, with the caller's system messages and the"
          + " latest models")
  void written() {
    FakeChain chain =
        chainAnswering(
            "Sure! ```json\n"
                + "{\"requests\":[{\"model\":\"~acme/large-latest\",\"stray\":1,\"messages\":[{\"role\":\"user\",\"content\":\"A"
                + " poem\"}]},"
                + "{\"model\":\"made/up\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]},{\"model\":\"other/eyes:free\",\"messages\":[{\"role\":\"system\",\"content\":\"Be"
                + " brief.\"},{\"role\":\"user\",\"content\":\"A poem\"}]}]}\n"
                + "``` Enjoy!");
    String messages =
        "\"messages\":[{\"role\":\"system\",\"content\":\"Be brief.\"},"
            + "{\"role\":\"user\",\"content\":\"A poem\"}]}";
    assertThat(answer(request(PROMPT), chain))
        .isEqualTo(
            "{\"requests\":[{\"model\":\"acme/large-2\","
                + messages
                + ",{\"model\":\"other/eyes\","
                + messages
                + "]}");
    InferenceRequest inner = chain.innerCalls().getFirst().request();
    assertThat(inner.models().toString()).isEqualTo("[router/free]");
    assertThat(inner.messages().toString()).doesNotContain("secret/eyes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "I will not.",
        "{\"requests\":[]}",
        "{\"requests\":7}",
        "{\"requests\":[{\"model\":\"secret/eyes\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}]}",
        "{\"requests\":[{\"model\":\"other/eyes\",\"messages\":[{\"role\":\"root\",\"content\":\"x\"}]}]}",
        "{\"requests\":[{\"model\":\"other/eyes\",\"messages\":[]}]}",
        "{{{",
        ""
      })
  @DisplayName("asks each named model with the text itself when the written requests are invalid")
  void prose(String written) {
    assertThat(answer(request(PROMPT), chainAnswering(written)))
        .contains("\"model\":\"acme/large-2\"", "\"model\":\"other/eyes\"", PROMPT, "Be brief.")
        .doesNotContain("large-1", "secret");
  }

  @Test
  @DisplayName("works even if the free model fails")
  void failing() {
    FakeChain chain = chainAnswering(Event.Failed.upstream(Given.failure(FailureKind.OVERLOADED)));
    assertThat(answer(request(PROMPT), chain)).contains("other/eyes");
    assertThat(chain.notes()).hasSize(1);
  }

  @Test
  @DisplayName("refuses a text that names no model, with examples of models")
  void nameless() {
    for (String text : List.of("Write a poem", "largest eyesight", "secret/eyes")) {
      assertThatThrownBy(() -> answer(request(text), chainAnswering("no")))
          .as(text)
          .isInstanceOf(GatewayException.class)
          .hasMessageContaining("acme/large-1");
    }
    assertThatThrownBy(() -> answer(request(" "), chainAnswering("no")))
        .isInstanceOf(GatewayException.class);
  }

  @Test
  @DisplayName("does nothing in a request to another model")
  void other() {
    FakeChain chain = chainAnswering("Hello");
    assertThat(answer(Given.request("other/eyes", "Hi"), chain)).isEqualTo("Hello");
    assertThat(chain.innerCalls()).isEmpty();
  }
}
