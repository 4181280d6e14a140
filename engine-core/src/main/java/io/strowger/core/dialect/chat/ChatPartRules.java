package io.strowger.core.dialect.chat;

import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.MediaAddress;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import java.util.List;
import java.util.Objects;

/**
 * The rules for {@code content}: a string, or parts with a table for each type. Chat fact sheet,
 * section 3. A part of a type that is not listed there is rejected.
 */
final class ChatPartRules {
  private static final Rule<Part> TEXT =
      MemberTable.mapped(
          MemberTable.<Json.Obj>table()
              .required("text", string())
              .optional("cache_control", SharedMembers.CACHE_CONTROL)
              .optional("prompt_cache_breakpoint", SharedMembers.EXPLICIT_CACHE.orNull())
              .build(),
          ChatPartRules::text);

  private static final Rule<Part> IMAGE =
      MemberTable.mapped(
          holding(
              "image_url",
              MemberTable.<Json.Obj>table()
                  .required("url", MediaAddress.RULE)
                  .optional("detail", wordAmong("auto", "low", "high", "original"))
                  .build()),
          ChatPartRules::image);

  private static final Rule<Part> AUDIO =
      MemberTable.mapped(
          holding(
              "input_audio",
              MemberTable.<Json.Obj>table()
                  .required("data", string())
                  .required("format", string())
                  .build()),
          ChatPartRules::audio);

  private static final Rule<Part> VIDEO =
      MemberTable.mapped(
          holding(
              "video_url",
              MemberTable.<Json.Obj>table().required("url", MediaAddress.RULE).build()),
          ChatPartRules::video);

  private static final Rule<Part> FILE =
      MemberTable.mapped(
          holding(
              "file",
              MemberTable.<Json.Obj>table()
                  .optional("filename", string())
                  .optional("file_data", string())
                  .optional("file_id", string())
                  .build()),
          ChatPartRules::file);

  private static final Union<Part> ANY =
      Union.<Part>on("type")
          .when("text", TEXT)
          .when("image_url", IMAGE)
          .when("input_audio", AUDIO)
          .when("video_url", VIDEO)
          .when("input_video", VIDEO) // its legacy name
          .when("file", FILE);

  private static final Union<Part> ONLY_TEXT =
      Union.<Part>on("type")
          .when("text", TEXT)
          .orElse(
              (given, context) -> {
                if (given instanceof Json.Obj part) {
                  context.reject(
                      "type", "must be text, the only kind taken here", member(part, "type"));
                }
                return null;
              });

  /** A string or an array of parts of any type. */
  static final Rule<List<Part>> CONTENT = content(ANY);

  /** A string or an array of text parts. */
  static final Rule<List<Part>> TEXT_CONTENT = content(ONLY_TEXT);

  private static final List<String> OF_TEXT = List.of("type", "text");
  private static final List<String> OF_IMAGE = List.of("type", "image_url");
  private static final List<String> OF_AUDIO = List.of("type", "input_audio");
  private static final List<String> OF_VIDEO = List.of("type", "video_url");
  private static final List<String> OF_FILE = List.of("type", "file");
  private static final List<String> URL = List.of("url");
  private static final List<String> SOUND = List.of("data", "format");

  private ChatPartRules() {}

  private static Rule<List<Part>> content(Rule<Part> part) {
    return ByJsonType.<List<Part>>of("must be a string or an array of content parts")
        .string(ChatPartRules::plain)
        .array(list(part));
  }

  private static List<Part> plain(Json given, DecodingContext context) {
    // no source, since the JSON is the whole content, not a part
    return List.of(new Part.Text((Json.Str) given, Json.Obj.EMPTY, null));
  }

  private static MemberTable<Json.Obj> holding(String name, MemberTable<Json.Obj> inner) {
    return MemberTable.<Json.Obj>table().required(name, MemberTable.kept(inner)).build();
  }

  private static Json member(Json.Obj object, String name) {
    return Objects.requireNonNull(object.get(name), name);
  }

  private static Json.Obj innerOf(Json.Obj object, String name) {
    return (Json.Obj) member(object, name);
  }

  private static Json.Str textOf(Json.Obj object, String name) {
    return (Json.Str) member(object, name);
  }

  private static Part text(Json.Obj part) {
    return new Part.Text(textOf(part, "text"), ChatExtras.ofComplete(part, OF_TEXT), part);
  }

  private static Part image(Json.Obj part) {
    Json.Obj image = innerOf(part, "image_url");
    return new Part.Image(
        textOf(image, "url"),
        ChatExtras.of(part, OF_IMAGE, ChatExtras.ofComplete(image, URL)),
        part);
  }

  private static Part audio(Json.Obj part) {
    Json.Obj audio = innerOf(part, "input_audio");
    return new Part.Audio(
        textOf(audio, "data"),
        textOf(audio, "format").text(),
        ChatExtras.of(part, OF_AUDIO, ChatExtras.ofComplete(audio, SOUND)),
        part);
  }

  private static Part video(Json.Obj part) {
    Json.Obj video = innerOf(part, "video_url");
    return new Part.Video(
        textOf(video, "url"),
        ChatExtras.of(part, OF_VIDEO, ChatExtras.ofComplete(video, URL)),
        part);
  }

  private static Part file(Json.Obj part) {
    return new Part.File(innerOf(part, "file"), ChatExtras.ofComplete(part, OF_FILE), part);
  }
}
