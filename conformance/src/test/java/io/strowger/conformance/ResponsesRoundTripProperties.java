package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.core.decode.responses.ResponsesBodies;
import io.strowger.core.decode.responses.ResponsesDecoder;
import io.strowger.core.json.JacksonCodec;
import io.strowger.providers.responses.ResponsesWriter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import io.strowger.spi.provider.JsonCodec.MalformedJson;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

@Label("A responses body that is read and written again")
class ResponsesRoundTripProperties {
  private static final JacksonCodec CODEC = new JacksonCodec();
  private static final ResponsesDecoder DECODER = new ResponsesDecoder((entry, at, problems) -> {});

  @Provide
  Arbitrary<Json.Obj> bodies() {
    return ResponsesBodies.valid();
  }

  private static InferenceRequest read(byte[] document) throws MalformedJson {
    var problems = new Problems();
    InferenceRequest request = DECODER.decode((Json.Obj) CODEC.parse(document), problems);
    problems.throwIfAny();
    return request;
  }

  @Property(tries = 300)
  @Label("is the same bytes")
  void unchanged(@ForAll("bodies") Json.Obj body) throws MalformedJson {
    byte[] document = body.toBytes();
    assertThat(ResponsesWriter.document(read(document)).toBytes()).isEqualTo(document);
  }

  @Property(tries = 300)
  @Label("is the same document when everything in it is made anew")
  void rebuilt(@ForAll("bodies") Json.Obj body) throws MalformedJson {
    InferenceRequest request = read(body.toBytes());
    InferenceRequest bare =
        request.toBuilder()
            .instructions(bareOf(request.instructions()))
            .messages(request.messages().stream().map(m -> bare(m)).toList())
            .tools(request.tools().stream().map(tool -> bare(tool)).toList())
            .build();
    assertThat(bare.messages()).allMatch(message -> message.source() == null);
    assertThat(ResponsesWriter.document(bare)).isEqualTo(body);
  }

  @Property(tries = 300)
  @Label("is the same document when every message got its own parts again")
  void sameParts(@ForAll("bodies") Json.Obj body) throws MalformedJson {
    InferenceRequest request = read(body.toBytes());
    InferenceRequest touched =
        request.toBuilder()
            .messages(request.messages().stream().map(m -> m.withParts(m.parts())).toList())
            .build();
    assertThat(ResponsesWriter.document(touched)).isEqualTo(body);
  }

  private static @Nullable Message bareOf(@Nullable Message message) {
    return message == null ? null : bare(message);
  }

  private static Message bare(Message message) {
    return new Message(
        message.role(), bare(message.parts()), message.content(), message.extras(), null);
  }

  private static List<Part> bare(List<Part> parts) {
    return parts.stream().map(part -> bare(part)).toList();
  }

  private static Part bare(Part part) {
    return switch (part) {
      case Part.Text p -> new Part.Text(p.text(), p.extras(), null);
      case Part.Image p -> new Part.Image(p.media(), p.extras(), null);
      case Part.Audio p -> new Part.Audio(p.data(), p.format(), p.extras(), null);
      case Part.Video p -> new Part.Video(p.url(), p.extras(), null);
      case Part.File p -> new Part.File(p.file(), p.extras(), null);
      case Part.ToolCall p -> new Part.ToolCall(p.id(), p.name(), p.arguments(), p.extras(), null);
      case Part.ToolResult p ->
          new Part.ToolResult(p.callId(), bare(p.content()), p.form(), p.error(), p.extras(), null);
      case Part.Thinking p -> new Part.Thinking(p.text(), p.signature(), p.extras(), null);
      case Part.Unknown p -> p;
    };
  }

  /** A tool of the gateway is its source: what it was read from says more than its parameters. */
  private static Tool bare(Tool tool) {
    return switch (tool) {
      case Tool.Function t ->
          new Tool.Function(t.name(), t.description(), t.parameters(), t.extras(), null);
      case Tool.Server t -> t;
      case Tool.Unknown t -> t;
    };
  }
}
