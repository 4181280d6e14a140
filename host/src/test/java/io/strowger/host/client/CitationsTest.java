package io.strowger.host.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.anthropic.client.AnthropicClient;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.RawMessageStreamEvent;
import com.anthropic.models.messages.TextBlock;
import com.fasterxml.jackson.databind.JsonNode;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionMessage;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseOutputText;
import com.openai.models.responses.ResponseStreamEvent;
import io.strowger.simulated.Script;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.tck.conformance.Proves;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Pages that a tool has found, as the client libraries read them,")
class CitationsTest {
  private static final String MODELS = "io.strowger.host.client.LoopbackGateway#everyModel";
  private static final JsonValue TOOLS = JsonValue.from(List.of(Map.of("type", "acme:finder")));

  private LoopbackGateway gateway;
  private OpenAIClient openAi;
  private AnthropicClient anthropic;

  /** A tool that finds two pages, one of them twice, in one search. */
  private static final class Finder implements ServerTool {
    @Override
    public Spec spec() {
      return new Spec("acme:finder", "Finds.", Json.object().put("type", "object").build());
    }

    @Override
    public Json run(Invocation call, Chain chain) {
      for (String name : List.of("one", "two", "one")) {
        chain.cite(page(name));
      }
      chain.countSearch();
      return Json.object().put("found", 2).build();
    }

    private static Json.Obj page(String name) {
      return Json.object()
          .put("type", "url_citation")
          .put(
              "url_citation",
              Json.object()
                  .put("url", "https://example.com/" + name)
                  .put("title", "Page " + name)
                  .put("content", "What " + name + " says.")
                  .build())
          .build();
    }
  }

  @BeforeEach
  void start() throws IOException {
    gateway = new LoopbackGateway(new Finder());
    openAi =
        OpenAIOkHttpClient.builder() // without validation: it does not know the tool
            .baseUrl(gateway.uri().toString())
            .apiKey(LoopbackGateway.KEY)
            .maxRetries(0)
            .timeout(LoopbackGateway.TIMEOUT)
            .build();
    anthropic = MessagesClients.client(gateway, LoopbackGateway.KEY);
  }

  @AfterEach
  void stop() {
    openAi.close();
    anthropic.close();
    gateway.close();
  }

  /** Scripts two answers of the model: a call of the tool, and then a text. */
  private void script() {
    gateway
        .upstream()
        .answerNextWith(Script.builder().text("").toolCall("call_1", "finder", "{}").build())
        .answerNextWith(Script.answer("It is noon in Bern, and it is noon in Basel."));
  }

  @Proves("chat.answer.annotations")
  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("are annotations of a chat completion, with the search in its usage")
  void chat(String model) {
    ChatCompletionCreateParams request =
        ChatCompletionCreateParams.builder()
            .model(model)
            .addUserMessage("Hello?")
            .streamOptions(ChatCompletionStreamOptions.builder().includeUsage(true).build())
            .putAdditionalBodyProperty("tools", TOOLS)
            .build();
    script();
    ChatCompletion whole =
        openAi
            .chat()
            .completions()
            .create(request.toBuilder().streamOptions((ChatCompletionStreamOptions) null).build());
    ChatCompletionMessage message = whole.choices().getFirst().message();
    assertThat(message.annotations().orElseThrow())
        .extracting(annotation -> annotation.validate().urlCitation())
        .extracting(cited -> cited.url() + " " + cited.title() + " " + cited.startIndex())
        .containsExactly(
            "https://example.com/one Page one 0", "https://example.com/two Page two 0");
    assertThat(whole.usage().orElseThrow()._additionalProperties().toString())
        .contains("web_search_requests=1");

    script();
    var text = new StringBuilder();
    var cited = new ArrayList<String>();
    var usage = new StringBuilder();
    try (StreamResponse<ChatCompletionChunk> stream =
        openAi.chat().completions().createStreaming(request)) {
      stream.stream()
          .forEach(
              chunk -> {
                chunk.choices().stream()
                    .map(choice -> choice.delta())
                    .forEach(
                        delta -> {
                          delta.content().ifPresent(text::append);
                          if (delta._additionalProperties().get("annotations")
                              instanceof JsonValue annotations) {
                            assertThat(text.toString()).isNotEmpty();
                            JsonNode sent =
                                Objects.requireNonNull(annotations.convert(JsonNode.class));
                            sent.findValuesAsText("url").forEach(cited::add);
                            assertThat(sent.findValues("end_index")).isNotEmpty();
                          }
                        });
                chunk.usage().ifPresent(used -> usage.append(used._additionalProperties()));
              });
    }
    assertThat(text.toString()).isEqualTo("It is noon in Bern, and it is noon in Basel.");
    assertThat(cited).containsExactly("https://example.com/one", "https://example.com/two");
    assertThat(usage.toString()).contains("web_search_requests=1");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("are citations in the text block of a message, with the search in its usage")
  void messages(String model) {
    MessageCreateParams request =
        MessagesClients.hello(model)
            .putAdditionalBodyProperty(
                "tools", com.anthropic.core.JsonValue.from(List.of(Map.of("type", "acme:finder"))))
            .build();
    script();
    assertCited(anthropic.messages().create(request));
    script();
    var frames = new ArrayList<RawMessageStreamEvent>();
    try (var stream = anthropic.messages().createStreaming(request)) {
      stream.stream().forEach(frames::add);
    }
    assertBlocks(frames);
    script();
    assertCited(MessagesClients.streamed(anthropic, request));
  }

  private static void assertCited(Message message) {
    assertThat(MessagesClients.text(message))
        .isEqualTo("It is noon in Bern, and it is noon in Basel.");
    List<TextBlock> blocks =
        message.content().stream().flatMap(block -> block.text().stream()).toList();
    assertThat(blocks).hasSize(1);
    assertThat(blocks.getFirst().citations().orElseThrow())
        .extracting(citation -> citation.asWebSearchResultLocation().validate().url())
        .containsExactly("https://example.com/one", "https://example.com/two");
    assertThat(message.usage().serverToolUse().orElseThrow().webSearchRequests()).isEqualTo(1);
  }

  /** Asserts that each block is stopped before the next starts, and that no index is missing. */
  private static void assertBlocks(List<RawMessageStreamEvent> frames) {
    long open = -1;
    long next = 0;
    boolean hasText = false;
    int citations = 0;
    for (RawMessageStreamEvent frame : frames) {
      frame.validate();
      if (frame.isContentBlockStart()) {
        assertThat(open).isEqualTo(-1);
        open = frame.asContentBlockStart().index();
        assertThat(open).isEqualTo(next++);
      } else if (frame.isContentBlockDelta()) {
        var delta = frame.asContentBlockDelta();
        assertThat(delta.index()).isEqualTo(open);
        hasText |= delta.delta().isText();
        if (delta.delta().isCitations()) {
          citations++;
          assertThat(hasText).as("a citation follows text").isTrue();
        }
      } else if (frame.isContentBlockStop()) {
        assertThat(frame.asContentBlockStop().index()).isEqualTo(open);
        open = -1;
      }
    }
    assertThat(open).isEqualTo(-1);
    assertThat(citations).isEqualTo(2);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("are annotations of the text of a response, in its events and at its end")
  void responses(String model) {
    ResponseCreateParams request =
        ResponsesClients.hello(model).putAdditionalBodyProperty("tools", TOOLS).build();
    script();
    assertCited(openAi.responses().create(request));
    script();
    var urls = new ArrayList<String>();
    var indexes = new ArrayList<Long>();
    var ends = new ArrayList<ResponseOutputText>();
    try (StreamResponse<ResponseStreamEvent> stream = openAi.responses().createStreaming(request)) {
      stream.stream()
          .forEach(
              event -> {
                event
                    .outputTextAnnotationAdded()
                    .ifPresent(
                        added -> {
                          urls.add(
                              String.valueOf(added._annotation())
                                  .replaceAll(".*\\burl=([^,}\\]]*).*", "$1"));
                          indexes.add(added.annotationIndex());
                        });
                event
                    .contentPartDone()
                    .flatMap(done -> done.part().outputText())
                    .ifPresent(ends::add);
                event.outputItemDone().stream()
                    .flatMap(done -> done.item().message().stream())
                    .forEach(done -> ends.add(done.content().getFirst().asOutputText()));
              });
    }
    assertThat(urls).containsExactly("https://example.com/one", "https://example.com/two");
    assertThat(indexes).containsExactly(0L, 1L);
    assertThat(ends).hasSize(2);
    ends.forEach(CitationsTest::assertCited);
    script();
    assertCited(ResponsesClients.streamed(openAi, request));
  }

  private static void assertCited(Response response) {
    assertThat(ResponsesClients.text(response))
        .isEqualTo("It is noon in Bern, and it is noon in Basel.");
    List<ResponseOutputText> texts =
        response.output().stream()
            .flatMap(item -> item.message().stream())
            .flatMap(message -> message.content().stream())
            .map(content -> content.asOutputText())
            .toList();
    assertThat(texts).hasSize(1);
    assertCited(texts.getFirst());
    assertThat(response.usage().orElseThrow()._additionalProperties().toString())
        .contains("web_search_requests=1");
  }

  private static void assertCited(ResponseOutputText text) {
    assertThat(text.annotations())
        .extracting(annotation -> annotation.asUrlCitation().validate())
        .extracting(cited -> cited.url() + " " + cited.startIndex() + " " + cited.endIndex())
        .containsExactly("https://example.com/one 0 0", "https://example.com/two 0 0");
  }
}
