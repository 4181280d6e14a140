package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.messages.MessagesBodies;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.json.JacksonCodec;
import io.strowger.providers.messages.AnthropicMessagesFactory;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Tool;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.tck.Given;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.TestTransport;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/**
 * Tests messages bodies that are decoded and then written for a messages upstream. Translation fact
 * sheet, section 8.
 */
@Label("A messages body that goes to an upstream of the same dialect")
class MessagesRoundTripProperties {
  private static final JsonCodec CODEC = new JacksonCodec();
  private static final MessagesDecoder DECODER = new MessagesDecoder((entries, at, problems) -> {});
  private static final ChatProvider ADAPTER =
      new AnthropicMessagesFactory(new TestTransport())
          .create(
              new ProviderSettings(
                  "alpha",
                  URI.create("http://alpha.test/v1"),
                  Map.of(),
                  Duration.ofSeconds(30),
                  CODEC,
                  TestAmbient.realTime()));

  /** Members that are written differently for an upstream, or only together with others. */
  private static final Set<String> REWRITTEN =
      Set.of(
          "model",
          "metadata",
          "service_tier",
          "speed",
          "thinking",
          "output_config",
          "tool_choice",
          "tools");

  /**
   * Returns valid bodies without what an upstream refuses: empty texts, and reasoning that it did
   * not sign.
   */
  @Provide
  Arbitrary<Json.Obj> bodies() {
    return MessagesBodies.valid()
        .map(
            body ->
                body.with(
                    "messages",
                    Json.array(
                        items(Objects.requireNonNull(body.list("messages")))
                            .map(MessagesRoundTripProperties::acceptable)
                            .toList())));
  }

  private static Json acceptable(Json item) {
    Json.Obj message = (Json.Obj) item;
    Json content = Objects.requireNonNull(message.get("content"));
    if (content instanceof Json.Arr blocks) {
      return message.with(
          "content",
          Json.array(items(blocks).filter(block -> isAcceptable((Json.Obj) block)).toList()));
    }
    boolean empty = content instanceof Json.Str text && text.isEmpty();
    return empty ? message.with("content", Json.of("something")) : message;
  }

  private static boolean isAcceptable(Json.Obj block) {
    return switch (Objects.requireNonNull(block.text("type"))) {
      case "text" -> !Objects.requireNonNull(block.text("text")).isEmpty();
      case "thinking" -> {
        String signature = Objects.requireNonNull(block.text("signature"));
        yield !signature.isEmpty() && signature.indexOf(':') < 0;
      }
      default -> true;
    };
  }

  private static Stream<Json> items(Json.Arr array) {
    return IntStream.range(0, array.size()).mapToObj(array::get);
  }

  private static InferenceRequest read(byte[] document) throws JsonCodec.MalformedJsonException {
    var body = (Json.Obj) CODEC.parse(document);
    var problems = new Problems();
    return problems.requireValid(DECODER.decode(body, problems));
  }

  /** Returns the body for an endpoint that supports every parameter. */
  private static Json.Obj sent(InferenceRequest request) {
    Endpoint endpoint =
        Given.endpoint("alpha", "lab/model", "1").toBuilder()
            .upstreamModel("their-name")
            .parameters(Parameter.ALL)
            .maxOutputTokens(64_000)
            .build();
    return (Json.Obj)
        ADAPTER.body(
            new Call(
                endpoint,
                Credential.NONE,
                request,
                0,
                null,
                Duration.ofSeconds(30),
                new Cancellation()));
  }

  /** Returns the tools that an upstream knows. */
  private static List<Tool> known(List<Tool> tools) {
    return tools.stream()
        .filter(
            tool ->
                switch (tool) {
                  case Tool.Function function -> true;
                  case Tool.Server server -> server.isUpstreamSearch();
                  case Tool.Unknown unknown -> !unknown.type().startsWith("router:");
                })
        .toList();
  }

  @Property(tries = 200)
  @Label("is sent with the same members in the same order, each with the same bytes")
  void unchanged(@ForAll("bodies") Json.Obj body, @ForAll Random random) throws Exception {
    InferenceRequest request =
        read(new UnusualJsonWriter(random).write(body).getBytes(StandardCharsets.UTF_8));
    Json.Obj members = request.members();
    Json.Obj again = sent(request);
    assertThat(names(again).filter(members::has))
        .containsSubsequence(unchangedNames(members).toList());
    for (String name : unchangedNames(members).toList()) {
      assertThat(bytes(again.get(name))).as(name).isEqualTo(bytes(members.get(name)));
    }
    Json.Arr tools = again.list("tools");
    List<byte[]> sent = tools == null ? List.of() : items(tools).map(Json::toBytes).toList();
    assertThat(sent)
        .containsExactlyElementsOf(
            known(request.tools()).stream()
                .map(tool -> Objects.requireNonNull(tool.source()).toBytes())
                .toList());
  }

  private static Stream<String> names(Json.Obj object) {
    return IntStream.range(0, object.size()).mapToObj(object::name);
  }

  private static Stream<String> unchangedNames(Json.Obj members) {
    return names(members).filter(name -> !REWRITTEN.contains(name));
  }

  private static byte @Nullable [] bytes(@Nullable Json value) {
    return value == null ? null : value.toBytes();
  }

  @Property(tries = 200)
  @Label("has the same content when everything in it is written again")
  void rebuilt(@ForAll("bodies") Json.Obj body) throws Exception {
    InferenceRequest request = read(body.toBytes());
    InferenceRequest bare = WithoutSource.of(request);
    assertThat(bare.messages()).allMatch(message -> message.source() == null);
    InferenceRequest again = read(sent(bare).toBytes());
    assertSame(bare.instructions(), WithoutSource.ofNullable(again.instructions()));
    assertThat(again.messages()).hasSameSizeAs(bare.messages());
    for (int i = 0; i < bare.messages().size(); i++) {
      assertSame(bare.messages().get(i), WithoutSource.of(again.messages().get(i)));
    }
    assertThat(WithoutSource.of(again).tools()).isEqualTo(known(bare.tools()));
    assertThat(again.plugins()).isEqualTo(request.plugins());
    assertThat(again.streaming()).isEqualTo(request.streaming());
    for (String name : unchangedNames(request.members()).toList()) {
      if (!name.equals("messages") && !name.equals("system")) {
        assertThat(again.members().get(name)).as(name).isEqualTo(request.members().get(name));
      }
    }
  }

  private static void assertSame(@Nullable Message before, @Nullable Message after) {
    assertThat(after == null).isEqualTo(before == null);
    if (before != null && after != null) {
      assertThat(after.role()).isEqualTo(before.role());
      assertThat(after.contentForm()).isEqualTo(before.contentForm());
      assertThat(after.parts()).isEqualTo(before.parts());
      assertThat(after.extras()).isEqualTo(before.extras());
    }
  }
}
