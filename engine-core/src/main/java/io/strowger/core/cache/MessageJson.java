package io.strowger.core.cache;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts messages to JSON that holds all of their content: their source where there is one,
 * otherwise their fields. The form belongs to no dialect; it is compared, never sent.
 */
final class MessageJson {
  private MessageJson() {}

  static Json of(Message message) {
    Json source = message.source();
    return source != null
        ? source
        : Json.object()
            .put("changed", message.role().wireName())
            .put("content", message.contentForm().name())
            .put("parts", parts(message.parts()))
            .put("extras", message.extras())
            .build();
  }

  private static Json.Arr parts(List<Part> parts) {
    return Json.array(parts.stream().map(MessageJson::of).toList());
  }

  private static Json of(Part part) {
    Json source = part.source();
    return source != null ? source : Json.object().put("changed", typeAndFields(part)).build();
  }

  private static Json typeAndFields(Part part) {
    return switch (part) {
      case Part.Text p -> fields("text", p.extras(), p.text());
      case Part.Image p -> fields("image", p.extras(), media(p.media()));
      case Part.Audio p -> fields("audio", p.extras(), p.data(), Json.of(p.format()));
      case Part.Video p -> fields("video", p.extras(), p.url());
      case Part.File p -> fields("file", p.extras(), p.file());
      case Part.ToolCall p ->
          fields("call", p.extras(), Json.of(p.id()), Json.of(p.name()), arguments(p.arguments()));
      case Part.ToolResult p ->
          fields(
              "result",
              p.extras(),
              Json.of(p.callId()),
              Json.of(p.form().name()),
              Json.of(p.isError()),
              parts(p.content()));
      case Part.Thinking p ->
          fields(
              "thinking",
              p.extras(),
              Json.of(p.kind().name()),
              p.text(),
              orNull(p.signature()),
              text(p.format()),
              text(p.id()));
      case Part.Refusal p -> fields("refusal", Json.Obj.EMPTY, p.text());
      case Part.Citation p -> fields("citation", Json.Obj.EMPTY, p.body());
      case Part.Logprobs p -> fields("logprobs", Json.Obj.EMPTY, p.content());
      case Part.ServerToolRun p ->
          fields(
              "run",
              Json.Obj.EMPTY,
              Json.of(p.callId()),
              Json.of(p.tool()),
              arguments(p.arguments()),
              p.result());
      case Part.Unknown p -> fields("unknown", Json.Obj.EMPTY, Json.of(p.type()), p.source());
    };
  }

  private static Json fields(String kind, Json.Obj extras, Json... fields) {
    return Json.array(Json.of(kind), extras, Json.array(fields));
  }

  private static Json media(Media media) {
    return switch (media) {
      case Media.Url(Json.Str url) -> Json.array(Json.of("url"), url);
      case Media.Inline(String type, Json.Str data) -> Json.array(Json.of(type), data);
      case Media.FileId(String id) -> Json.array(Json.of("id"), Json.of(id));
    };
  }

  private static Json arguments(Arguments arguments) {
    return switch (arguments) {
      case Arguments.Text(Json.Str text) -> Json.array(text);
      case Arguments.Value(Json value) -> value;
    };
  }

  private static Json orNull(@Nullable Json value) {
    return value == null ? Json.NULL : value;
  }

  private static Json text(@Nullable String text) {
    return text == null ? Json.NULL : Json.of(text);
  }
}
